import { statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { withPalette } from './picture.js';
import { batchOf, cardOf, STEADY } from '../support/bodies.js';
import {
  backEnd,
  buttonOf as button,
  chargeOf as charge,
  connected,
  expectNoSidewaysScroll,
  faultsOf,
  lookAt,
  moveClock,
  rowOf as row,
  stage,
  takePicture,
  WINDOWS,
} from './support.js';
import { words } from '../support/tables.js';

const VIEWS = words`
  overview calls webhooks due charges batches customers payment-methods vault authentications subscriptions
  payment-links transfers next scenario snapshots cards
`;
/** A charge that waits for its payer to answer a challenge. */
const challenged = (ThreeDSNotificationUrl: string): object =>
  charge('order-3ds', { PaymentInformation: cardOf('4000000000001133'), ThreeDSNotificationUrl });
/** Answers the question of a dialog. */
const answer = (page: Page, word: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: word, exact: true }).click();

/** Until every part of the view has what it shows. */
async function loaded(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.waitForFunction(
    () => document.querySelector('main')?.textContent?.includes('Loading…') === false,
  );
}

describe.skipIf(CHROMIUM === undefined)('the dashboard', () => {
  const { url, visit } = stage('--clock', 'manual');

  const call = (path: string, body?: unknown, key?: string) => backEnd(url(), path, body, key);
  const send = async (method: string, path: string, key = 'sk_test_local'): Promise<void> => {
    await fetch(url() + path, { method, headers: { 'x-secretkey': key } });
  };

  const look = (key: string, path = '', window: Parameters<typeof visit>[1] = {}) =>
    lookAt({ url, visit }, key, path, window);

  /** A declined charge of another client, and how many milliseconds after its answer the page showed it. */
  async function chargeInSight(page: Page, key: string): Promise<{ status: number; late: number }> {
    // The page takes the time itself: the test's own way to the browser is no part of it. It has to be watching
    // before the charge is sent, hence the handle: it is there once the observer is.
    const watch = await page.evaluateHandle(() => {
      const shown = new Promise<number>((resolve) => {
        new MutationObserver(() => {
          if (document.querySelector('.feed li')) resolve(Date.now());
        }).observe(document.body, { childList: true, subtree: true });
      });
      return { shown };
    });
    const declined = charge('order-1', { PaymentInformation: cardOf('4000000000009995') });
    const { status } = await call('/charge/card', declined, key);
    const answered = Date.now();
    return { status, late: (await watch.evaluate(({ shown }) => shown)) - answered };
  }

  test('closes its stream while its page is hidden, and shows what it missed afterwards', async () => {
    const { page } = await look('sk_test_hidden');
    const hide = (isHidden: boolean): Promise<void> =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    const ended = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/_sandbox/live'));
    await hide(true);
    await ended;
    await call('/charge/card', charge('missed'), 'sk_test_hidden');
    expect(await row(page, 'missed').count()).toBe(0);
    await hide(false);
    await row(page, 'missed').waitFor();
  });

  /** A world with something of everything; gives the identifiers of what has a page of its own. */
  async function fill(key: string): Promise<Readonly<Record<string, string>>> {
    const made: Record<string, string> = {};
    for (const [FirstName, LastName] of [
      ['Mia', 'Nguyen'],
      ['Liam', 'Okafor'],
      ['Ava', 'Lindqvist'],
    ] as const) {
      const { body } = await call(
        '/customer/card',
        {
          ProviderId: STEADY,
          FirstName,
          LastName,
          Email: `${FirstName}@example.com`.toLowerCase(),
          Reference: `customer-${FirstName.toLowerCase()}`,
          PaymentInformation: cardOf('5555555555554444'),
          VaultCard: true,
          VaultExpireSeconds: 86_400,
        },
        key,
      );
      const method = body['DefaultPaymentMethod'] as Record<string, string>;
      Object.assign(made, {
        customers: body['CustomerId'],
        'payment-methods': method['PaymentMethodId'],
        vault: method['VaultId'],
      });
    }
    const pass = (By: string) => call('/_sandbox/clock/advance', { By }, key);
    const method = made['payment-methods'] ?? '';
    await pass('9h');
    const waiting = await call('/charge/card', challenged(`${url()}/shop`), key);
    await call('/charge/card', charge('order-1041'), key);
    await pass('252s');
    await pass('1300s');
    const Webhook = { Url: `${url()}/nowhere` };
    const held = await call(
      '/charge/card',
      charge('hotel-77', { Amount: 240, Capture: false, Webhook }),
      key,
    );
    const id = String(held.body['ChargeId']);
    await pass('2h');
    await call(`/charge/${id}`, { Amount: 200 }, key);
    await pass('1865s');
    await send('DELETE', `/refund/${id}?Amount=40&Comment=minibar`, key);
    await call('/charge/card', { Amount: '1e2', ProviderID: '1' }, key);
    for (const [Operation, outcome] of [
      ['charge.create', 'issuer_unavailable'],
      ['charge.refund', 'unable_to_refund'],
    ]) {
      await call('/_sandbox/outcomes', { Operation, Outcomes: [outcome] }, key);
    }
    await call('/charge/token', { Amount: 5, Token: 'tok_approve', Reference: 'retry-1' }, key);
    await pass('175s');
    const declined = { Amount: '89.00', PaymentInformation: cardOf('4000000000009995') };
    await call('/charge/card', charge('order-1042', declined), key);
    const rows = Array.from({ length: 40 }, (_, n) => `${method},${10 + n}.00,AUD,rent-${n}`);
    const rent = batchOf(rows, { Description: 'rent, January' });
    const batch = await call('/batch/transaction/payment_method', rent, key);
    await pass('4s');
    return {
      ...made,
      charges: id,
      batches: String(batch.body['BatchId']),
      authentications: String(waiting.body['ThreeDSServerTransID']),
    };
  }

  test('shows a charge of another client within 200 ms, and why it was answered so', async () => {
    const { page, complaints } = await look('sk_test_live');
    await page.getByText('No calls yet.').waitFor();
    await takePicture(page, 'dashboard-empty');
    const { status, late } = await chargeInSight(page, 'sk_test_live');
    expect(late).toBeLessThan(200);
    expect(status).toBe(400);
    await row(page, '/charge/card').getByRole('link').click();
    const detail = page.getByRole('complementary', { name: 'The selected call' });
    await detail.getByText('The test card 4000000000009995 answered insufficient_funds.').waitFor();
    await detail.getByRole('tab', { name: 'Request' }).click();
    const sent = detail.getByRole('group', { name: 'Request body' });
    expect(await sent.textContent()).toContain('4000********9995');
    expect(await sent.textContent()).not.toContain('"4000000000009995"');
    expect(complaints).toEqual([]);
  });

  test('looks as the documentation shows it, and moves the bar of a batch with the clock', async () => {
    const { batches = '' } = await fill('sk_test_shop');
    const { page, complaints } = await look('sk_test_shop', '', { viewport: { width: 1120, height: 700 } });
    await row(page, 'order-1042').getByRole('link').click();
    await page.getByText('The test card 4000000000009995 answered').waitFor();
    expect(await page.locator('.feed > li').count()).toBe(12);
    if (process.env['SCREENSHOTS']) {
      const path = fileURLToPath(new URL('../../docs/pictures/dashboard.png', import.meta.url));
      writeFileSync(path, withPalette(await page.screenshot()));
      expect(statSync(path).size).toBeLessThan(60_000);
    }
    await page.goto(`${url()}/_sandbox#/batches`);
    await page.getByRole('img', { name: '20 succeeded, 0 failed, 20 left of 40 rows' }).waitFor();
    await call('/_sandbox/clock/advance', { By: '1s' }, 'sk_test_shop');
    await page.getByRole('img', { name: '30 succeeded, 0 failed, 10 left' }).waitFor();
    await moveClock(page, '1m');
    await page.getByRole('img', { name: '40 succeeded, 0 failed, 0 left' }).waitFor();
    await page
      .getByText(/^Moved /)
      .first()
      .waitFor();
    await page.getByRole('link', { name: batches.slice(0, 8) }).click();
    await page.getByText('Ended as SUCCESS after 40 of 40 rows').waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows the transactions of 3-D Secure, and ends a challenge', async () => {
    const key = 'sk_test_3ds';
    const hint = await look(key, '#/authentications');
    await hint.page.getByText('Send this call to charge a card that needs a challenge:').waitFor();
    const Webhook = { Url: `${url()}/nowhere` };
    await call('/charge/card', { ...challenged(`${url()}/shop`), Webhook }, key);
    const { page, complaints } = await look(key, '#/charges');
    await page.locator('[data-row]').first().click();
    await page.getByText('The challenge times out in').waitFor();
    expect(await button(page, 'Settle now').count()).toBe(0);
    await page.locator('.record a[href*="/authentications/"]').click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Challenge approved').first().waitFor();
    await takePicture(page, 'dashboard-3ds-one');
    await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '← 3-D Secure' }).click();
    await page.getByRole('cell', { name: 'PASSED' }).waitFor();
    await takePicture(page, 'dashboard-3ds');
    await page.goBack();
    await page.getByRole('link', { name: 'Charge', exact: true }).click();
    await page.locator('.story').getByText('Charged').waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.locator('.feed a').first().click();
    await page.getByRole('link', { name: 'Show the charge' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('moves the clock to what is due next, and lets it run', async () => {
    await call('/charge/card', charge('held', { Capture: false }), 'sk_test_clock');
    const { page } = await look('sk_test_clock');
    const now = page.locator('.clock time');
    await button(page, 'Next: authorisation expires for held, in 7\u00a0d').click();
    await now.filter({ hasText: '8 Jan 2026 00:00:00 UTC' }).waitFor();
    await page.getByRole('button', { name: 'Next:' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move the clock:' }).click();
    await page.getByLabel('Clock mode').selectOption('scaled');
    await page.keyboard.press('Escape');
    await now.filter({ hasNotText: '8 Jan 2026 00:00' }).waitFor();
    const { body } = await call('/_sandbox/clock', undefined, 'sk_test_clock');
    expect(body).toMatchObject({ Mode: 'scaled', Rate: 60, NextDue: null });
  });

  test('says before the clock moves what will run, and afterwards what ran', async () => {
    const key = 'sk_test_preview';
    const { body } = await call('/charge/card', charge('held', { Capture: false }), key);
    const id = String(body['ChargeId']);
    const { page, complaints } = await look(key);
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('By', { exact: true }).fill('6d 23h');
    await dialog.getByText('Nothing will run.').waitFor();
    await dialog.getByLabel('By', { exact: true }).fill('7d');
    await dialog.getByText('This one will run, and whatever it sets off:').waitFor();
    await dialog.getByText('to 8 Jan 2026 00:00:00 UTC').waitFor();
    await takePicture(page, 'dashboard-clock');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: '1 authorisation expired' }).waitFor();
    await page.getByRole('link', { name: 'all that ran' }).click();
    const ran = page.getByRole('region', { name: 'What ran' });
    await ran.getByRole('link').first().click();
    await page.waitForURL(`**/charges/${id}`);
    await page.getByText('AUTHORISE_CANCELLED').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('switches the scenario, which changes the next answer, and counts what its rules did', async () => {
    const { page, complaints } = await look('sk_test_scenario', '#/scenario');
    await button(page, 'Use from now on: every-decline').click();
    await page.getByText('every-decline is in use.').waitFor();
    const { status, body } = await call('/charge/card', charge('insufficient_funds'), 'sk_test_scenario');
    expect([status, body['Code']]).toEqual([400, 15]);
    const rules = page.getByRole('region', { name: 'Rules' });
    await rules.getByRole('cell', { name: '1', exact: true }).waitFor();
    await page.getByText('not matched yet.').waitFor();
    await takePicture(page, 'dashboard-scenario');
    await page.getByRole('link', { name: 'Calls' }).click();
    await row(page, 'rule').getByRole('link').click();
    await page.getByText('The rule').first().waitFor();
    await page.getByRole('link', { name: 'Scenario', exact: true }).click();
    await button(page, 'Stop').click();
    await page.getByText('No scenario is in use.').waitFor();
    expect((await call('/charge/card', charge('insufficient_funds'), 'sk_test_scenario')).status).toBe(201);
    expect(complaints).toEqual([]);
  });

  test('queues answers for calls that match, and takes them back', async () => {
    const key = 'sk_test_queue';
    const { page, complaints } = await look(key, '#/next');
    await page.getByText('No outcomes queued.').waitFor();
    const queue = async (outcome: string): Promise<void> => {
      await page.getByRole('combobox', { name: 'Outcome', exact: true }).selectOption(outcome);
      await page.getByLabel('Reference').fill('vip-*');
      await button(page, 'Add').click();
      await page.getByText('Queued for the next call of charge.create.').waitFor();
      await button(page, 'Dismiss').click();
    };
    await page.getByText('Only for calls that match').click();
    await queue('do_not_honor');
    await queue('approve');
    await page.getByRole('cell', { name: 'Calls with Reference vip-*' }).last().waitFor();
    expect((await call('/charge/card', charge('order-1'), key)).status).toBe(201);
    expect((await call('/charge/card', charge('vip-1'), key)).status).toBe(400);
    await page.getByRole('cell', { name: '1 × approve' }).waitFor();
    const ribbon = page.getByRole('region', { name: 'What changes answers now' });
    await ribbon.getByRole('link', { name: 'the next charge is approved' }).waitFor();
    await button(page, 'Clear the queue').click();
    await page.getByText('No outcomes queued.').waitFor();
    await button(page, 'Undo').click();
    await page.getByRole('cell', { name: '1 × approve' }).waitFor();
    await button(page, 'Remove the queued outcomes').click();
    await page.getByText('No outcomes queued.').waitFor();
    await ribbon.getByRole('link').waitFor({ state: 'detached' });
    await page.getByLabel('Delay').fill('nonsense');
    await button(page, 'Add').click();
    await page.locator('.notice.bad').getByText('Delay').waitFor();
    // The browser itself writes a line for each answer that is an error.
    expect(complaints).toEqual([expect.stringContaining('400')]);
  });

  test('makes the next call slow, or fail without an answer', async () => {
    const key = 'sk_test_slow';
    await call('/charge/card', charge('order-1'), key);
    const { page } = await look(key);
    await row(page, 'order-1').getByRole('link').click();
    await page.getByRole('tab', { name: 'Repeat' }).click();
    await page.getByLabel('Fault').selectOption('reset');
    await button(page, 'Add').click();
    await page.getByText('Queued for the next call').waitFor();
    await expect(call('/charge/card', charge('order-2'), key)).rejects.toThrow('fetch failed');
    await button(page, '1 new').click();
    await row(page, 'order-2').getByText('no answer').waitFor();
    await page.getByLabel('Delay').fill('300ms');
    await button(page, 'Add').click();
    await page.getByRole('link', { name: 'the next charge is late' }).waitFor();
    const begun = Date.now();
    expect((await call('/charge/card', charge('order-3'), key)).status).toBe(201);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(290);
  });

  test('saves the world, restores and deletes, and resets it after a question', async () => {
    await call('/charge/card', charge('kept'), 'sk_test_shelf');
    const { page, complaints } = await look('sk_test_shelf', '#/snapshots');
    await page.getByText('No snapshots yet.').waitFor();
    await page.getByLabel('Name').fill('one');
    await button(page, 'Save snapshot').click();
    await page.getByRole('cell', { name: '1 charge, 0 customers' }).waitFor();
    await call('/charge/card', charge('lost'), 'sk_test_shelf');
    const count = page.getByRole('link', { name: 'Charges' }).locator('.count');
    await count.filter({ hasText: '2' }).waitFor();
    await button(page, 'Restore one…').click();
    await page
      .getByRole('dialog')
      .getByText('The notice that follows has a button that undoes it.')
      .waitFor();
    await answer(page, 'Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await count.textContent()).toBe('2');
    await button(page, 'Restore one…').click();
    await answer(page, 'Restore');
    await count.filter({ hasText: '1' }).waitFor();
    await button(page, 'Delete one…').click();
    await answer(page, 'Cancel');
    expect(await button(page, 'Delete one…').count()).toBe(1);
    await button(page, 'Delete one…').click();
    await answer(page, 'Delete');
    await page.getByText('No snapshots yet.').waitFor();

    await button(page, 'Reset the world…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('everything in this world, including its snapshots').waitFor();
    await takePicture(page, 'dashboard-reset');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await count.textContent()).toBe('1');
    await button(page, 'Reset the world…').click();
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
    await count.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Calls' }).click();
    await page.getByText('No calls yet.').waitFor();
    // What comes after it is seen as well.
    await call('/charge/card', charge('after-reset'), 'sk_test_shelf');
    await row(page, 'after-reset').waitFor();
    expect(complaints).toEqual([]);
  });

  test('names above each view the scenario and the clock that change answers', async () => {
    const scenario = { Definition: { name: 'stormy', rules: [{ then: { outcome: 'do_not_honor' } }] } };
    const headers = { 'x-secretkey': 'sk_test_ribbon', 'content-type': 'application/json' };
    const put = (path: string, body: object) =>
      fetch(url() + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    await put('/_sandbox/scenario', scenario);
    const { page, complaints } = await look('sk_test_ribbon');
    const ribbon = page.getByRole('region', { name: 'What changes answers now' });
    for (const view of ['overview', 'charges', 'cards']) {
      await page.goto(`${url()}/_sandbox#/${view}`);
      await ribbon.getByRole('link', { name: 'stormy' }).waitFor();
    }
    await ribbon.getByText('clock paused').waitFor();
    await takePicture(page, 'dashboard-ribbon');
    await put('/_sandbox/clock', { Mode: 'scaled', Rate: 60 });
    await ribbon.getByText('clock runs × 60').waitFor();
    await button(page, 'Resume: let the clock run in real time').click();
    await button(page, 'End the scenario').click();
    await ribbon.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('goes to the world of another key, says why one is refused, and goes back to one that was typed', async () => {
    await call('/charge/card', charge('mine'), 'sk_test_one');
    const other = await call('/charge/card', charge('theirs'), 'sk_test_two');
    expect(other.status).toBe(201);
    const { page, complaints } = await look('sk_test_one');
    await row(page, 'mine').waitFor();
    await page.locator('.world').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('sk_test_one (shown)').waitFor();
    // The server is on this machine, so it lists the test keys.
    await dialog.getByRole('button', { name: 'sk_test_two' }).waitFor();
    await takePicture(page, 'dashboard-worlds');
    await dialog.getByLabel('Secret key').fill('sk_live_1');
    await dialog.getByRole('button', { name: 'Show this world' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'holds a live key' }).waitFor();
    await dialog.getByLabel('Secret key').fill('sk_test_two');
    await dialog.getByRole('button', { name: 'Show this world' }).click();
    await row(page, 'theirs').waitFor();
    expect(await row(page, 'mine').count()).toBe(0);
    await page.reload();
    await row(page, 'theirs').waitFor();
    await page.locator('.world').click();
    await dialog.getByRole('button', { name: 'sk_test_one' }).click();
    await row(page, 'mine').waitFor();
    expect(page.url()).not.toContain('sk_test');
    expect(new Set(complaints)).toEqual(new Set([expect.stringContaining('401')]));
  });

  test('names the world that has calls while another one is shown, and opens one by the key in its address', async () => {
    await call('/charge/card', charge('own-key'), 'sk_test_shop_own');
    const { page } = await visit('/_sandbox?key=sk_test_shop_empty');
    await connected(page);
    expect(page.url()).not.toContain('sk_test');
    await page.getByRole('link', { name: 'sk_test_shop_own' }).click();
    await row(page, 'own-key').waitFor();
  });

  test('opens a row in a new tab, where its key is known, and gives the focus back to a row', async () => {
    await call('/charge/card', charge('in-a-tab'), 'sk_test_tabs');
    const { page } = await look('sk_test_tabs');
    const opened = page.context().waitForEvent('page');
    await row(page, 'in-a-tab')
      .getByRole('link')
      .click({ modifiers: ['Control'] });
    const tab = await opened;
    await tab.getByRole('complementary', { name: 'The selected call' }).waitFor();
    await tab.locator('.world').filter({ hasText: 'sk_test_tabs' }).waitFor();
    expect(await page.locator('.inspector').count()).toBe(0);
    await row(page, 'in-a-tab').getByRole('link').click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-row'));
    expect(await focused()).toMatch(/^\d+$/);
  });

  test('asks with the focus on Cancel before it does what nothing undoes', async () => {
    const { page } = await look('sk_test_cancel', '#/snapshots');
    await page
      .getByRole('button', { name: /^Reset/ })
      .first()
      .click();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Cancel');
  });

  test('copies a test card, and an exchange as a command that does it again', async () => {
    const window = { permissions: ['clipboard-read', 'clipboard-write'] };
    await call('/charge/card', charge("o'clock"), 'sk_test_copy');
    const { page, complaints } = await look('sk_test_copy', '#/cards', window);
    const pasted = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await button(page, '4000 0000 0000 9995').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await pasted()).toBe('4000000000009995');
    await page.getByRole('searchbox').fill('tok_approve');
    await button(page, 'tok_approve').click();
    await page.getByRole('region', { name: 'Outcomes' }).getByRole('button', { name: 'Copied' }).waitFor();
    expect(await pasted()).toBe('tok_approve');
    await page.getByRole('link', { name: 'Calls' }).click();
    await row(page, '/charge/card').getByRole('link').click();
    await button(page, 'Copy as curl').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await pasted();
    expect(command).toContain(`curl -s '${url()}/charge/card'`);
    expect(command).toContain('"x-secretkey: $PLAYMONEY_KEY"');
    expect(command).not.toContain('sk_test_copy');
    expect(command).toContain('"CardNumber":"4242424242424242"');
    expect(command).toContain(String.raw`o'\''clock`);
    expect(complaints).toEqual([]);
  });

  test('shows hostile text as text', async () => {
    const Reference = '<img src=x onerror="document.title=1">';
    const key = 'sk_test_hostile';
    const { body } = await call(
      '/charge/card',
      charge(Reference, { Metadata: { '<b>': '</pre><script>alert(1)</script>' } }),
      key,
    );
    await call(
      '/customer/card',
      {
        ProviderId: STEADY,
        FirstName: Reference,
        LastName: '<b>',
        PaymentInformation: cardOf('4242424242424242'),
      },
      key,
    );
    const { page, complaints } = await look(key);
    await row(page, Reference).getByRole('link').click();
    await page.locator('.inspector .json').filter({ hasText: 'onerror' }).first().waitFor();
    for (const path of [
      '#/charges',
      `#/charges/${String(body['ChargeId'])}`,
      '#/customers',
      '#/webhooks?Status=<b>',
      '#/<img src=x>',
    ]) {
      await page.goto(`${url()}/_sandbox${path}`);
      await page.locator('h1').waitFor();
      await page.waitForTimeout(100);
      expect(await page.locator('img, script:not([src])').count()).toBe(0);
    }
    await page.goto(`${url()}/_sandbox#/charges`);
    await page.getByRole('cell', { name: Reference }).waitFor();
    expect(await page.title()).toBe('Charges · playmoney');
    expect(complaints).toEqual([expect.stringContaining('400')]);
  });

  test.each(WINDOWS)(
    'fits into %i px in every view, without a fault of access, %s',
    async (width, colorScheme) => {
      const shop = `sk_test_axe_${width}_${colorScheme}`;
      const ids = await fill(shop);
      const link = await call('/payment_link', { Title: 'Gift', Amount: 5, Currency: 'AUD' }, shop);
      // Axe is put into the page past its policy.
      const { page } = await look(shop, '', {
        colorScheme,
        viewport: { width, height: 900 },
        bypassCSP: true,
      });
      const faults: string[] = [];
      const check = async (view: string): Promise<void> => {
        for (const fault of await faultsOf(page)) faults.push(`${view}: ${fault}`);
        await expectNoSidewaysScroll(page);
      };
      for (const view of [...VIEWS, ...Object.entries(ids).map((pair) => pair.join('/'))]) {
        await page.goto(`${url()}/_sandbox#/${view}`);
        await loaded(page);
        if (view === 'calls') await row(page, 'order-1042').getByRole('link').click();
        if (view === 'webhooks') await page.locator('.feed a').first().click();
        if (view === 'scenario') await page.locator('summary').click();
        await page.waitForTimeout(100);
        await check(view);
        await takePicture(page, `dashboard-${width}-${colorScheme}-${view.replace(/\/.*/, '-one')}`);
      }
      for (const key of ['w', 't', '?', 'Control+k']) {
        await page.locator('h1').press(key);
        await page.getByRole('dialog').waitFor();
        await check(`dialog of ${key}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      const waiting = await call('/charge/card', challenged(`${url()}/shop`), shop);
      for (const path of ['checkout', 'reference', 'reference/chargeCard', 'errors', 'nothing', 'pay/a/b']) {
        await page.setExtraHTTPHeaders({ accept: 'text/html' });
        await page.goto(`${url()}/_sandbox/${path}`);
        await page.locator('h1').waitFor();
        await check(path);
      }
      for (const place of [link.body['Url'], waiting.body['ThreeDsRedirectUrl']]) {
        await page.goto(String(place));
        await page.locator('h1').first().waitFor();
        await check(String(place).replace(/[0-9a-f]{20,}/g, '…'));
      }
      expect(faults).toEqual([]);
    },
    // Axe looks at thirty views and pages, half a second each on a machine with nothing else to do.
    180_000,
  );

  test('is walked by the keyboard alone', async () => {
    const key = 'sk_test_keys';
    for (const name of ['by-keys', 'second', 'third']) await call('/charge/card', charge(name), key);
    const { page, complaints } = await look(key);
    const { keyboard } = page;
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    /** How many times Tab was pressed. */
    const tabTo = async (text: string): Promise<number> => {
      for (let n = 1; n < 60; n++) {
        await keyboard.press('Tab');
        if ((await focused()).includes(text)) return n;
      }
      throw new Error(`Failed to reach ${text} by Tab.`);
    };
    await keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.reload();
    await row(page, 'third').waitFor();
    // The first call is near, whatever is in the bar.
    expect(await tabTo('third')).toBeLessThanOrEqual(12);
    // What has the focus is seen to have it.
    expect(
      await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
    ).toBe('solid');
    await keyboard.press('j');
    await keyboard.press('j');
    expect(await focused()).toContain('by-keys');
    await keyboard.press('Enter');
    const inspector = page.getByRole('complementary', { name: 'The selected call' });
    await inspector.getByText('"by-keys"').first().waitFor();
    await takePicture(page, 'dashboard-keyboard');
    await keyboard.press('k');
    await inspector.getByText('"second"').first().waitFor();
    await keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });
    await keyboard.press('/');
    await keyboard.type('by-k');
    await page.getByText('1 of 3 calls in the journal matches.').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('by-k');
    await keyboard.press('Escape');
    await keyboard.press('w');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('Control+k');
    await keyboard.type('>1h');
    await keyboard.press('Enter');
    await page.locator('.clock time').filter({ hasText: '01:00:00' }).waitFor();
    await keyboard.press('Control+k');
    await keyboard.type('go charges');
    await keyboard.press('Enter');
    await page.locator('h1').filter({ hasText: 'Charges' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await page.getByRole('cell').getByRole('link').first().waitFor();
    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.locator('h1.figure').waitFor();
    await keyboard.press('?');
    await page.getByRole('dialog').getByText('Next and previous row').waitFor();
    expect(complaints).toEqual([]);
  });

  test('takes a key at once after a dialog was closed, and keeps the dialog that the key opened', async () => {
    const { page, complaints } = await look('sk_test_quick_keys');
    const heading = page.getByRole('dialog').getByRole('heading', { level: 2 });
    await page.locator('h1').press('t');
    await heading.filter({ hasText: 'Move the clock' }).waitFor();
    // Both in one task, as on a machine that is too busy to fire `close` between them.
    const seen = await page.evaluate(async () => {
      const press = (key: string, init = {}) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init }));
      const close = (): void => document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
      const shown = async (): Promise<string | undefined> => {
        await new Promise((resolve) => setTimeout(resolve));
        return document.querySelector('dialog[open] h2')?.textContent;
      };
      close();
      press('w');
      const first = await shown();
      close();
      press('k', { ctrlKey: true });
      return [first, await shown()];
    });
    expect(seen).toEqual(['Choose a world', 'Find or do']);
    await page.keyboard.type('>1h');
    await page.getByRole('option', { name: '1h' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.clock time').filter({ hasText: '01:00:00' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('changes filters without moving the focus, and names what it shows in its address and title', async () => {
    const key = 'sk_test_address';
    await call('/charge/card', charge('paid'), key);
    await call('/charge/card', charge('failed', { PaymentInformation: cardOf('4000000000009995') }), key);
    const { page, complaints } = await look(key);
    await button(page, '1 declined').click();
    await page.getByText('1 of 2 calls in the journal matches.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('1 declined');
    await row(page, 'failed').getByRole('link').click();
    await page.waitForURL(/calls\?Result=declined&open=2$/);
    await page.reload();
    await page.getByRole('complementary').getByText('The test card 4000000000009995 answered').waitFor();
    expect(await page.locator('.feed > li').count()).toBe(1);
    await page.goto(`${url()}/_sandbox#/charges`);
    await page.getByRole('cell').getByRole('link').last().click();
    await page.waitForFunction(() => document.title === 'paid, SUCCESS · playmoney');
    expect(complaints).toEqual([]);
  });

  test('says what is wrong with a scenario file that is dropped on the page, and uses a valid one', async () => {
    const { page } = await look('sk_test_drop');
    const drop = (text: string) =>
      page.evaluate((content) => {
        const data = new DataTransfer();
        data.items.add(new File([content], 'mine.yaml', { type: 'application/yaml' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
      }, text);
    await drop('name: mine\nrules:\n  - then: { outcome: declined }\n');
    const messages = page.getByRole('alert').filter({ hasText: 'line 3' });
    await messages.getByText('declined').waitFor();
    await takePicture(page, 'dashboard-drop');
    await drop('name: mine\nrules:\n  - then: { outcome: do_not_honor }\n');
    await page.getByText('mine.yaml is valid and in use.').waitFor();
    expect((await call('/charge/card', charge('declined'), 'sk_test_drop')).status).toBe(400);
  });
});

describe.skipIf(CHROMIUM === undefined)('the dashboard of a server with an admin token', () => {
  const { url, visit } = stage('--clock', 'manual', '--admin-token', 'open-sesame');

  test('asks for nothing else before, so that a refusal does not open the dialog again', async () => {
    const { page } = await visit('/_sandbox/errors');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${url()}/_sandbox`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').filter({ hasText: 'x-sandbox-admin' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(asked).toContain('/_sandbox/live');
    expect(asked).not.toContain('/_sandbox/worlds');
  });

  test('asks for it, and opens the world of a link once it is given', async () => {
    const key = 'sk_test_linked';
    await backEnd(url(), '/charge/card', charge('linked'), key);
    const headers = { 'x-secretkey': key, 'x-sandbox-admin': 'open-sesame' };
    const { World } = (await (await fetch(`${url()}/_sandbox/world`, { headers })).json()) as {
      World: string;
    };
    const { page } = await visit(`/_sandbox#/@${World}/live`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').filter({ hasText: 'x-sandbox-admin' }).waitFor();
    await takePicture(page, 'dashboard-admin');
    await dialog.getByLabel('Admin token').fill('open-sesame');
    await button(page, 'Show this world').click();
    await connected(page);
    // The line is connected before the world has answered.
    await page.locator('.world').filter({ hasText: World }).waitFor();
    await row(page, 'linked').waitFor();
    expect(page.url()).toContain(`@${World}`);
    await backEnd(url(), '/charge/card', charge('guarded'), key);
    await row(page, 'guarded').waitFor();
    await page.getByRole('link', { name: 'Charges' }).click();
    await page.getByRole('cell', { name: 'guarded' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});
