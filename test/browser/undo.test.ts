import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import {
  buttonOf as button,
  chargeOf as charge,
  clientOf,
  lookAt,
  moveClock,
  stage,
  takePicture,
} from './support.js';

describe.skipIf(CHROMIUM === undefined)('what the dashboard changes can be undone', () => {
  const here = stage('--clock', 'manual');

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('a move of seven days by one click, at %i in %s', async (width, colorScheme) => {
    const key = `sk_test_undo${width}`;
    const api = clientOf(here, key);
    await api.charge(charge('order-1', { Capture: false }));
    const window = { viewport: { width, height: 900 }, colorScheme };
    const { page, complaints } = await lookAt(here, key, '', window);
    const read = async (): Promise<unknown> => {
      const { Now } = await api.read('/_sandbox/clock');
      const { Charges } = await api.read('/_sandbox/charges');
      return [Now, (Charges as { Status: string }[])[0]?.Status];
    };
    const before = await read();
    await moveClock(page, '7d');
    const figure = page.getByRole('link', { name: '1 authorisation expired' });
    await figure.waitFor();
    await takePicture(page, `undo-${width}-${colorScheme}`);
    await figure.click();
    await page.getByRole('cell', { name: 'AUTHORISE_CANCELLED' }).waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Undone: the world is back at').waitFor();
    expect(await read()).toEqual(before);
    expect((await api.read('/_sandbox/snapshots'))['Count']).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a move by a duration that only the page reads, in its dialog and after >', async () => {
    const api = clientOf(here, 'sk_test_spans');
    await api.charge(charge('order-1'));
    const now = async (): Promise<number> => Date.parse(String((await api.read('/_sandbox/clock'))['Now']));
    const before = await now();
    const { page } = await lookAt(here, 'sk_test_spans');
    await moveClock(page, '1h 30min');
    expect((await now()) - before).toBe(5_400_000);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('>2h 30m');
    await page.getByRole('option', { name: '2h 30m' }).click();
    await page.getByText('Moved 2 hours 30 minutes').first().waitFor();
    expect((await now()) - before).toBe(14_400_000);
  });

  test('a reset, whose notice stays although the world was replaced', async () => {
    const api = clientOf(here, 'sk_test_undone');
    await api.charge(charge('order-1'));
    const { page } = await lookAt(here, 'sk_test_undone', '#/snapshots');
    await button(page, 'Reset the world…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByText('World reset.').waitFor();
    await page.getByText('The journal and the named snapshots cannot be brought back.').waitFor();
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(0);
    await button(page, 'Undo').click();
    await page.getByText('Undone: the world is back at').waitFor();
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(1);
    await page.getByLabel('Name', { exact: true }).fill('.hid');
    await button(page, 'Save snapshot').click();
    await page.getByText('.hid begins with a dot').waitFor();
    const { Snapshots } = await api.read('/_sandbox/snapshots?Hidden=true');
    expect((Snapshots as { Name: string }[]).map(({ Name }) => Name)).not.toContain('.hid');
  });
});
