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

  test('a reset, whose notice stays although the world was replaced', async () => {
    const api = clientOf(here, 'sk_test_undone');
    await api.charge(charge('order-1'));
    const { page } = await lookAt(here, 'sk_test_undone', '#/snapshots');
    await button(page, 'Reset the world…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByText('World reset.').waitFor();
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(0);
    await button(page, 'Undo').click();
    await page.getByText('Undone: the world is back at').waitFor();
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(1);
  });
});
