import { describe, expect, test } from 'vitest';

import type { Client } from '../support/sandbox.js';
import { CHROMIUM } from './chromium.js';
import {
  chargeOf,
  clientOf,
  expectNoSidewaysScroll,
  faultsOf,
  lookAt,
  serverBeside,
  stage,
  takePicture,
  WINDOWS,
} from './support.js';

describe.skipIf(CHROMIUM === undefined)('an order that was charged twice', () => {
  const here = stage('--clock', 'manual', '--start-time', '2026-01-01T00:00:00Z');
  const shop = serverBeside((_, response) => response.writeHead(503).end('down for repair'));

  /** A shop that retries blindly after a lost answer, and whose receiver is down. */
  async function retryBlindly(api: Client): Promise<void> {
    const order = chargeOf('order-2001', {
      Amount: 149,
      Webhook: { Url: `http://127.0.0.1:${shop()}/hooks/books` },
    });
    await api.post('/charge/card', order, { 'x-sandbox-fault': 'empty; phase=after' }).catch(() => null);
    await api.advance('31s');
    await api.charge(order);
    for (let n = 0; n < 3; n++)
      await api.post('/charge/card', chargeOf('order-9', { ProviderId: undefined }));
    await api.advance('1s');
  }
  const HEADLINE = 'order-2001 charged twice: AUD 298.00, 31 s apart, after a lost answer';

  test('is on the first screen without a click, and its page one click from there', async () => {
    const api = clientOf(here, 'sk_test_twice');
    await retryBlindly(api);
    const { page } = await lookAt(here, 'sk_test_twice');
    await page.getByRole('link', { name: '4 findings' }).waitFor();
    await page.getByRole('link', { name: HEADLINE }).click();
    await page.getByRole('heading', { name: 'order-2001' }).waitFor();
    const sums = await page.locator('.sums').innerText();
    expect(sums.replaceAll('\u00A0', ' ')).toMatch(
      /taken\s+AUD 298\.00\s+returned\s+AUD 0\.00\s+held\s+AUD 0\.00/i,
    );
    expect(await page.locator('table.fall tbody tr').count()).toBe(6);
    await page.getByRole('link', { name: 'Sequence', exact: true }).click();
    await page.locator('.arrow.lost').first().waitFor();
    expect(await page.locator('.arrow.lost').count()).toBe(1);
  });

  test.each(WINDOWS)('is clean and fits into %i px, %s, in each of its views', async (width, colorScheme) => {
    const key = `sk_test_order_${width}_${colorScheme}`;
    await retryBlindly(clientOf(here, key));
    for (const [name, path] of [
      ['calls', ''],
      ['overview', '#/overview'],
      ['order', '#/orders/order-2001'],
      ['sequence', '#/orders/order-2001?tab=Sequence'],
    ] as const) {
      const { page, complaints } = await lookAt(here, key, path, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      await page.getByText(HEADLINE).first().waitFor();
      if (name === 'order') await page.getByText('webhook to').first().waitFor();
      await takePicture(page, `${name}-of-order-${width}-${colorScheme}`);
      expect(await faultsOf(page), name).toEqual([]);
      await expectNoSidewaysScroll(page);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  test('has the sums of all its charges, says how many are shown, and wraps a long Reference', async () => {
    const key = 'sk_test_many';
    const api = clientOf(here, key);
    const reference = 'L'.repeat(200);
    let charge = '';
    for (let n = 0; n < 25; n++)
      charge = String((await api.charge(chargeOf(reference, { Amount: 20 }))).body['ChargeId']);
    for (let n = 0; n < 101; n++) await api.get(`/charge?Reference=${reference}`);
    const { page } = await lookAt(here, key, `#/orders/${reference}`, {
      viewport: { width: 360, height: 900 },
    });
    await page.getByText('The newest 20 of 25 charges.').waitFor();
    await page.getByText('The newest 100 of its calls and look-ups.').waitFor();
    const sums = await page.locator('.sums').innerText();
    expect(sums.replaceAll('\u00A0', ' ')).toMatch(/taken\s+AUD 500\.00/i);
    await expectNoSidewaysScroll(page);
    await page.goto(`${here.url()}/_sandbox#/charges/${charge}`);
    await page.getByRole('heading', { name: 'AUD 20.00' }).waitFor();
    await expectNoSidewaysScroll(page);
  });

  test('is found by a part of its Reference, by an amount and by an identifier; a search changes nothing', async () => {
    const key = 'sk_test_find';
    const api = clientOf(here, key);
    await retryBlindly(api);
    const charge = String((await api.charge(chargeOf('order-77', { Amount: 12.5 }))).body['ChargeId']);
    const { page } = await lookAt(here, key);
    const find = async (text: string, group: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await page.getByRole('group', { name: group, exact: true }).getByRole('option').first().waitFor();
    };
    await find('2001', 'Orders');
    if (process.env['SCREENSHOTS']) await takePicture(page, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'order-2001' }).waitFor();
    await find(charge.slice(0, 8), 'Charges');
    await page.getByRole('group', { name: 'Charges', exact: true }).getByRole('option').click();
    await page.getByRole('heading', { name: 'AUD 12.50' }).waitFor();
    await find('12.50', 'Charges');
    await page.keyboard.press('Escape');
    await find('refund', 'Error codes');
    expect(await page.getByRole('group', { name: 'Use scenario' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: null });
  });
});
