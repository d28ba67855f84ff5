import { readFileSync } from 'node:fs';

import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { batchOf } from '../support/bodies.js';
import { receiver } from '../support/serving.js';
import { CHROMIUM } from './chromium.js';
import {
  backEnd,
  buttonOf as button,
  chargeOf as charge,
  lookAt,
  rowOf as row,
  stage,
  takePicture,
} from './support.js';

const topOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? -1;

describe.skipIf(CHROMIUM === undefined)('lists of the dashboard', () => {
  const here = stage('--clock', 'manual');
  const call = (path: string, body?: unknown, key?: string) => backEnd(here.url(), path, body, key);
  const look = (key: string, path = '', window = {}) => lookAt(here, key, path, window);

  /** Sends so many charges, ten at a time. */
  async function charges(key: string, count: number, name = 'more'): Promise<void> {
    for (let n = 0; n < count; n += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, m) => call('/charge/card', charge(`${name}-${n + m}`), key)),
      );
    }
  }

  test('find calls that the page has not loaded', async () => {
    const key = 'sk_test_needle';
    await call('/charge/card', charge('needle'), key);
    await charges(key, 220);
    const { page, complaints } = await look(key);
    await row(page, 'more-219').waitFor();
    expect(await row(page, 'needle').count()).toBe(0);
    await page.getByRole('searchbox').fill('NEEDLE');
    await row(page, 'needle').waitFor();
    await page.getByText('1 of 221 calls in the journal matches.').waitFor();
    expect(await page.locator('.feed > li').count()).toBe(1);
    await takePicture(page, 'dashboard-found');
    // A new call that matches appears as well.
    await call('/charge/card', charge('another-needle'), key);
    await row(page, 'another-needle').waitFor();
    await page.reload();
    await row(page, 'another-needle').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('NEEDLE');
    await page.getByRole('searchbox').fill('nowhere');
    await page.getByText('None of the 222 calls in the journal matches the filter.').waitFor();
    await takePicture(page, 'dashboard-found-none');
    await page.getByRole('link', { name: 'Show all' }).click();
    await row(page, 'another-needle').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    // The journal is a scroll away, not a page.
    await button(page, 'Older calls (122)').click();
    await button(page, 'Older calls (122)').waitFor({ state: 'detached' });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await row(page, 'needle').first().waitFor();
    // Only those in sight are rendered.
    expect(await page.locator('.feed > li').count()).toBeLessThan(80);
    expect(complaints).toEqual([]);
  });

  test('show the real time of calls as well where the clock of the world stands still', async () => {
    const key = 'sk_test_clocks';
    await call('/charge/card', charge('timed'), key);
    const { page, complaints } = await look(key);
    const times = row(page, 'timed').locator('time');
    await times.first().waitFor();
    expect(await times.allTextContents()).toEqual([
      '00:00:00.000',
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    ]);
    expect(await times.last().getAttribute('title')).toMatch(/^Real time: \d+ \w+ 20/);
    expect(complaints).toEqual([]);
    await call('/_sandbox/reset', { Clock: { Mode: 'real' } }, 'sk_test_one_clock');
    await call('/charge/card', charge('timed'), 'sk_test_one_clock');
    const real = row((await look('sk_test_one_clock')).page, 'timed').locator('time');
    await real.first().waitFor();
    expect(await real.count()).toBe(1);
  });

  test.each([1200, 360])(
    'leave an opened call where it is until it is closed, in a window of %i px',
    async (width) => {
      const key = `sk_test_still_${width}`;
      await charges(key, 30, 'early');
      const { page, complaints } = await look(key, '', { viewport: { width, height: 800 } });
      const opened = row(page, 'early-25');
      await opened.getByRole('link').first().click();
      const inspector = page.getByRole('complementary', { name: 'The selected call' });
      await inspector.getByText('"early-25"').first().waitFor();
      await page.evaluate(() => window.scrollTo(0, 0));
      const top = await topOf(opened);
      await charges(key, 250);
      await button(page, '250 new').waitFor();
      await takePicture(page, `dashboard-still-${width}`);
      expect(await topOf(opened)).toBe(top);
      expect(await inspector.count()).toBe(1);
      await inspector.getByRole('button', { name: 'Close' }).click();
      await row(page, 'more-249').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test('leave an opened call open when the journal discards it', async () => {
    const key = 'sk_test_evicted';
    await call('/charge/card', charge('first'), key);
    const { page } = await look(key);
    await row(page, 'first').getByRole('link').click();
    const inspector = page.getByRole('complementary', { name: 'The selected call' });
    await inspector.getByText('"first"').first().waitFor();
    await fetch(`${here.url()}/_sandbox/journal`, { method: 'DELETE', headers: { 'x-secretkey': key } });
    await call('/charge/card', charge('second'), key);
    await button(page, '1 new').waitFor();
    await page.getByRole('link', { name: 'Charges' }).locator('.count').filter({ hasText: '2' }).waitFor();
    expect(await inspector.getByText('"first"').count()).toBeGreaterThan(0);
    await button(page, '1 new').click();
    await row(page, 'second').waitFor();
    expect(await row(page, 'first').count()).toBe(0);
  });

  test('leave an opened webhook where it is', async () => {
    const key = 'sk_test_hooks';
    const Webhook = { Url: `${here.url()}/nowhere` };
    await call('/charge/card', charge('one', { Webhook }), key);
    const { page } = await look(key, '#/webhooks');
    const opened = page.locator('.feed > li').last();
    await opened.getByRole('link').click();
    await button(page, 'Send again').waitFor();
    const top = await topOf(opened);
    for (let n = 0; n < 30; n++) await call('/charge/card', charge(`more-${n}`, { Webhook }), key);
    // All of them: once the button was used, what arrives later waits for it again.
    await button(page, '30 new webhooks').waitFor();
    expect(await topOf(opened)).toBe(top);
    await button(page, '30 new webhooks').click();
    await page.waitForFunction(() => document.querySelectorAll('.feed > li').length > 20);
  });

  test('keep to a batch or a customer when they are filtered', async () => {
    const key = 'sk_test_scope';
    const customer = await call('/customer/card', { FirstName: 'Jo', ...charge('x') }, key);
    const { PaymentMethodId } = customer.body['DefaultPaymentMethod'] as Record<string, string>;
    const rows = ['a', 'b', 'c'].map((reference) => `${PaymentMethodId},5,AUD,${reference}`);
    const { body } = await call('/batch/transaction/payment_method', batchOf(rows), key);
    await call('/_sandbox/clock/advance', { By: '1m' }, key);
    await call('/charge/card', charge('alone'), key);
    const scopes = [
      [`charges?BatchId=${String(body['BatchId'])}`, 'Status', 'SUCCESS', 3],
      [`charges?CustomerId=${String(customer.body['CustomerId'])}`, 'Status', 'SUCCESS', 3],
      [
        `payment-methods?CustomerId=${String(customer.body['CustomerId'])}`,
        'Cardholder, number or customer',
        'Jo',
        1,
      ],
    ] as const;
    const { page, complaints } = await look(key);
    for (const [path, label, value, count] of scopes) {
      await page.goto(`${here.url()}/_sandbox#/${path}`);
      const [view = '', id = ''] = path.split(/\?.*=/);
      await page
        .locator('h1')
        .filter({ hasText: view === 'charges' ? 'Charges' : 'Cards' })
        .waitFor();
      await page
        .getByText(/^Filtered by/)
        .getByRole('link', { name: id })
        .waitFor();
      const field = page.getByLabel(label, { exact: true });
      if (label === 'Status') await field.selectOption(value);
      else await field.fill(value);
      await page.waitForURL(/Status=SUCCESS|Search=Jo/);
      await page.getByText(`1–${count} of ${count}`).waitFor();
      expect(await page.getByText('Filtered by').count()).toBe(1);
      expect(await page.getByRole('cell', { name: 'alone' }).count()).toBe(0);
    }
    // A filter that matches none leads back to the whole batch.
    await page.goto(`${here.url()}/_sandbox#/${scopes[0][0]}&Status=REFUND`);
    await page.getByText('No charges match.').waitFor();
    await page.locator('.panel').getByRole('link', { name: 'Show all' }).click();
    await page.getByText('1–3 of 3').waitFor();
    expect(complaints).toEqual([]);
  });

  test('keep what was chosen and what is being typed when something new appears', async () => {
    const key = 'sk_test_chosen';
    await call('/charge/card', charge('one'), key);
    const { page, complaints } = await look(key, '#/charges');
    const status = page.getByLabel('Status', { exact: true });
    const reference = page.getByLabel('A part of the reference, text or identifier');
    await page.getByText('1–1 of 1').waitFor();
    await status.selectOption('FAILED');
    await page.getByText('No charges match.').waitFor();
    await reference.pressSequentially('tw', { delay: 120 });
    await call('/charge/card', charge('two'), key);
    await page.getByRole('link', { name: 'Charges' }).locator('.count').filter({ hasText: '2' }).waitFor();
    await reference.pressSequentially('o', { delay: 120 });
    await page.waitForURL(/Contains=two/);
    expect([await status.inputValue(), await reference.inputValue()]).toEqual(['FAILED', 'two']);
    await status.selectOption('');
    await page.getByText('1–1 of 1').waitFor();
    await reference.fill('nobody');
    await page.locator('.panel').getByRole('link', { name: 'Show all' }).click();
    await page.getByText('1–2 of 2').waitFor();
    expect([await status.inputValue(), await reference.inputValue()]).toEqual(['', '']);
    expect(complaints).toEqual([]);
  });

  test('draw and show each attempt of a webhook with what its receiver answered, and send all that fail again', async () => {
    let isUp = false;
    let shard = 0;
    const { port } = await receiver((response, { body }) => {
      if (body.includes('"one"')) response.setHeader('x-shard', `shard-${++shard}`);
      response.writeHead(isUp ? 200 : 503).end(isUp ? 'thanks' : 'the shop is closed');
    });
    const key = 'sk_test_resend';
    const Webhook = { Url: `http://127.0.0.1:${port}/hook` };
    for (const name of ['one', 'two']) await call('/charge/card', charge(name, { Webhook }), key);
    await call('/_sandbox/clock/advance', { By: '7d' }, key);
    const { page, complaints } = await look(key, '#/webhooks');
    await row(page, 'one').getByText('✗ 503').first().waitFor();
    await row(page, 'one').getByText('7 earlier').waitFor();
    await row(page, 'one').getByRole('link').click();
    for (let n = 1; n <= 10; n++) await page.getByText(`Attempt ${n}: The receiver answered 503`).waitFor();
    await page.locator('.inspector').getByText('2026-01-01 00:05:05').waitFor();
    await page.locator('summary').filter({ hasText: 'Headers' }).nth(2).click();
    await page.locator('.json div', { hasText: /^x-shard: "shard-3"$/ }).waitFor();
    await takePicture(page, 'dashboard-attempts');
    await page
      .getByRole('region', { name: 'answer to attempt 1', exact: true })
      .getByText('closed')
      .waitFor();
    await page.getByRole('tab', { name: 'Signature' }).click();
    await page.getByRole('region', { name: 'the signed text' }).getByText('"reference":"one"').waitFor();
    isUp = true;
    await page.getByRole('button', { name: /^Resend all failing to / }).click();
    await page.getByText('Sent 2 webhooks again: 2 delivered.').waitFor();
    // What was sent again joins the delivery that it repeats.
    await row(page, 'one').getByText('✓ 200').waitFor();
    await row(page, 'two').getByText('✓ 200').waitFor();
    expect(await page.locator('.feed > li').count()).toBe(2);
    await takePicture(page, 'dashboard-resent');
    expect(complaints).toEqual([]);
  });

  test('send the failing webhooks of one address again, although it is a pattern of another, and say how many are left', async () => {
    const key = 'sk_test_pattern';
    let isUp = false;
    const { port } = await receiver((response) => response.writeHead(isUp ? 200 : 503).end());
    const send = (path: string, n: number) =>
      call(
        '/charge/card',
        charge(`${path}-${n}`, { Webhook: { Url: `http://127.0.0.1:${port}/${path}` } }),
        key,
      );
    for (let n = 0; n < 102; n++) await send('a*', n);
    await send('abc', 0);
    await call('/_sandbox/clock/advance', { By: '7d' }, key);
    const { page } = await look(key, '#/webhooks');
    isUp = true;
    await page.getByRole('button', { name: /^Resend all failing to .*a\*$/ }).click();
    await page
      .getByText('Sent 100 webhooks again: 100 delivered. Not sent again yet: 2 failing webhooks.')
      .waitFor();
    const { body } = await call('/_sandbox/webhooks?Status=failing', undefined, key);
    expect(body).toMatchObject({ Count: 3 });
  });

  test('show the rows of a batch, with the reason of each failure', async () => {
    const key = 'sk_test_rows';
    const made = await call('/payment_method/card', { ...charge('x') }, key);
    const method = String(made.body['PaymentMethodId']);
    const rows = Array.from(
      { length: 40 },
      (_, n) => `${n === 1 ? 'nobody' : method},${n + 1},AUD,flat-${n + 1}`,
    );
    const { body } = await call('/batch/transaction/payment_method', batchOf(rows), key);
    const id = String(body['BatchId']);
    await call('/_sandbox/clock/advance', { By: '3s' }, key);
    await call('/_sandbox/simulate', { Action: 'batch.fail', Ref: id }, key);
    const { page, complaints } = await look(key, '#/batches');
    // As many as in Results: the row of nobody, and the thirty that were never reached.
    await page.getByRole('cell', { name: '31', exact: true }).waitFor();
    await page.getByRole('img', { name: '9 succeeded, 31 failed, 0 left of 40 rows' }).waitFor();
    await takePicture(page, 'dashboard-batches-failed');
    await page.getByRole('link', { name: id.slice(0, 8) }).click();
    const table = page.getByRole('region', { name: 'Rows' });
    await table.getByText('Invalid PaymentMethodId: unknown payment method').waitFor();
    await page
      .locator('.happened')
      .filter({ hasText: 'Ended as FAILED after 10 of 40 rows' })
      .getByText('failed', { exact: true })
      .waitFor();
    await page.getByText('Processing stopped before 30 rows.').waitFor();
    await takePicture(page, 'dashboard-batch-failed');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download as CSV').click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(41);
    expect(lines[2]).toContain('nobody,2,AUD,flat-2,FAILED');
    await page.getByLabel('Status', { exact: true }).selectOption('FAILED');
    await page.getByText('1–25 of 31').waitFor();
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await page.getByText('26–31 of 31').waitFor();
    expect(await table.getByText('Processing stopped before this row').count()).toBe(6);
    await page.getByLabel('Status', { exact: true }).selectOption('SUCCESS');
    await page.getByText('1–9 of 9').waitFor();
    await table.getByRole('link').first().click();
    await page.locator('h1.figure').waitFor();
    expect(complaints).toEqual([]);
  });
});
