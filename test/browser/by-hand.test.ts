import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import {
  buttonOf as button,
  chargeOf as charge,
  clientOf,
  expectNoSidewaysScroll,
  faultsOf,
  lookAt,
  stage,
  takePicture,
} from './support.js';

const WINDOWS = [
  [1440, 'light'],
  [390, 'dark'],
] as const;

describe.skipIf(CHROMIUM === undefined)('an answer by hand', () => {
  const here = stage('--clock', 'manual');

  test('loses the answer of a held call in three clicks, on whatever view is open', async () => {
    const api = clientOf(here, 'sk_test_hand');
    const { page, complaints } = await lookAt(here, 'sk_test_hand');
    await page.getByRole('link', { name: 'Next answers' }).click();
    await button(page, 'Ask me').click();
    await page.getByText('the next call waits for you').waitFor();
    const answer = api.charge(charge('order-12')).catch(() => 'lost');
    await page.getByText(/POST \/charge\/card, order-12, AUD.15.50 waits \d s/).waitFor();
    await button(page, 'Lose the answer').click();
    expect(await answer).toBe('lost');
    await page.getByText('The call was performed, and its answer was lost.').waitFor();
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(1);
    expect(complaints).toEqual([]);
  });

  test.each(WINDOWS)('sends the webhooks first, or declines, at %i in %s', async (width, colorScheme) => {
    const key = `sk_test_hand${width}`;
    const api = clientOf(here, key);
    const window = { viewport: { width, height: 900 }, colorScheme, bypassCSP: true };
    const { page } = await lookAt(here, key, '#/charges', window);
    await api.put('/_sandbox/hold', { Operation: 'charge.create', Count: 2 });
    const answers = [api.charge(charge('order-1')), api.charge(charge('order-2'))];
    const second = page.locator('.held > .row').filter({ hasText: 'order-2' });
    await second.waitFor();
    await takePicture(page, `held-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await second.getByLabel('Decline').selectOption('insufficient_funds');
    await page.locator('.held').getByRole('button', { name: 'Webhook first' }).first().click();
    await page.getByText(/Answer to POST \/charge\/card, order-1/).waitFor();
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(2);
    await button(page, 'Send the answer').click();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 400]);
    await page.locator('.held').waitFor({ state: 'detached' });
  });
});
