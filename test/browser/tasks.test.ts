import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { checkIn } from '../pages/dashboard/look.js';
import { batchOf, cardOf, storing } from '../support/bodies.js';
import type { Client } from '../support/sandbox.js';
import { CHROMIUM } from './chromium.js';
import { chargeOf, clientOf, lookAt, serverBeside, stage } from './support.js';

/** A keyboard that counts: each key is one, and so is each letter that is typed. */
class Keys {
  count = 0;

  constructor(private readonly page: Page) {}

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.count += keys.length;
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.count += text.length;
  }

  /** Presses Tab until something of this name has the focus. */
  async tabTo(name: RegExp, most = 60): Promise<void> {
    for (let n = 0; n < most; n++) {
      await this.press('Tab');
      const focused = await this.page.evaluate(() => {
        const at = document.activeElement;
        const label = at?.closest('label')?.textContent ?? '';
        return `${at?.getAttribute('aria-label') ?? ''} ${label} ${at?.textContent ?? ''}`.trim();
      });
      if (name.test(focused)) return;
    }
    throw new Error(`Tab did not lead to ${String(name)}`);
  }

  /** Finds something in the palette, and does it. */
  async find(text: string, shown = text): Promise<void> {
    await this.press('Control+k');
    await this.type(text);
    await this.page.getByRole('option', { selected: true }).filter({ hasText: shown }).waitFor();
    await this.press('Enter');
  }
}

describe.skipIf(CHROMIUM === undefined)('by the keyboard alone', () => {
  const here = stage('--clock', 'manual', '--start-time', '2026-01-01T00:00:00Z');
  const { url } = here;
  const shop = serverBeside((_, response) => response.writeHead(503).end('down for repair'));
  /** A world with a hotel's charge, a declined one and a batch of 40 rows. */
  async function world(key: string): Promise<{ api: Client; page: Page; keys: Keys }> {
    const api = clientOf(here, key);
    await checkIn(api, `http://127.0.0.1:${shop()}/hooks/pay`);
    await api.charge(chargeOf('order-7', { PaymentInformation: cardOf('4000000000009995') }));
    const { page } = await lookAt(here, key, '', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.feed li').first().waitFor();
    return { api, page, keys: new Keys(page) };
  }

  type Task = (at: { api: Client; page: Page; keys: Keys }) => Promise<void>;

  const pasted = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const inspector = (page: Page) => page.getByRole('complementary');

  async function batched(api: Client): Promise<void> {
    const method = await api.post('/payment_method/card', storing());
    const id = String(method.body['PaymentMethodId']);
    const rows = Array.from({ length: 40 }, (_, n) => `${id},${n % 10 === 4 ? '-1' : '5'},AUD,row-${n}`);
    await api.post('/batch/transaction/payment_method', batchOf(rows));
    await api.advance('5s');
  }

  const TASKS: readonly (readonly [name: string, keys: number, task: Task])[] = [
    [
      'why was a charge declined 5,000 calls ago',
      11,
      async ({ api, page, keys }) => {
        for (let n = 0; n < 50; n++)
          await Promise.all(Array.from({ length: 100 }, () => api.get('/charge/none')));
        await keys.press('/');
        await keys.type('order-7');
        await page.getByText('calls in the journal match').waitFor();
        await keys.press('Escape', 'j', 'Enter');
        await inspector(page).getByText('The test card 4000000000009995 answered').waitFor();
      },
    ],
    [
      'why was the newest charge declined; send it again as curl',
      3,
      async ({ page, keys }) => {
        await keys.press('j', 'Enter');
        await inspector(page).getByText('The test card 4000000000009995 answered').waitFor();
        await inspector(page).getByText('Send again').waitFor();
        await keys.press('c');
        await inspector(page).getByRole('button', { name: 'Copied' }).waitFor();
        expect(await pasted(page)).toContain(`curl -s '${url()}/charge/card'`);
      },
    ],
    [
      'advance 7 days, knowing what will run',
      2,
      async ({ page, keys }) => {
        await keys.press('t');
        await page.getByRole('dialog').getByText('Authorisation expires').first().waitFor();
        await page.getByText('will run,').waitFor();
        await keys.press('Enter');
        await page.getByText('Moved 7 days').waitFor();
      },
    ],
    [
      'which rows failed, and why',
      18,
      async ({ api, page, keys }) => {
        await batched(api);
        await api.advance('1m');
        await keys.find('batches');
        await page.getByRole('cell').getByRole('link').first().waitFor();
        await keys.press('j', 'Enter');
        await page.getByRole('region', { name: 'Progress' }).waitFor();
        await keys.tabTo(/^Status/);
        await keys.type('F');
        await page.getByText('1–4 of 4').waitFor();
        await page.getByText('Amount must be positive').first().waitFor();
      },
    ],
    [
      'make the next charge fail',
      24,
      async ({ api, page, keys }) => {
        await keys.find('next answers', 'Next answers');
        await page.getByRole('heading', { name: 'Next answers' }).waitFor();
        await page.locator('select[name=outcome] option').nth(3).waitFor({ state: 'attached' });
        await keys.tabTo(/^Outcome/);
        await keys.type('do');
        await keys.tabTo(/^Add$/);
        await keys.press('Enter');
        await page.getByText('Queued for the next call').waitFor();
        expect((await api.charge(chargeOf('next'))).status).toBe(400);
      },
    ],
    [
      'find a failed webhook, read the answer, resend',
      19,
      async ({ page, keys }) => {
        await keys.find('webhooks', 'Webhooks');
        await page.locator('.feed a').first().waitFor();
        await keys.press('j', 'Enter');
        await page.getByLabel('answer to attempt 1', { exact: true }).getByText('down for repair').waitFor();
        await keys.tabTo(/^Send again/);
        await keys.press('Enter');
        await page.getByText('Sent again.').waitFor();
      },
    ],
    [
      'change the scenario',
      16,
      async ({ api, page, keys }) => {
        await keys.find('>flaky-provide', 'flaky-provider');
        await page.getByText('flaky-provider is in use.').waitFor();
        expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: 'flaky-provider' });
      },
    ],
    [
      'load a scenario of one’s own',
      24,
      async ({ api, page, keys }) => {
        await keys.find('go to scenario', 'Scenario');
        await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor();
        await keys.tabTo(/Use a file of your own/);
        await keys.press('Enter');
        await keys.tabTo(/^Text of the scenario/);
        await page.keyboard.insertText('name: mine\nrules: []\n');
        await keys.tabTo(/^Check and use/);
        await keys.press('Enter');
        await page.getByText('mine is in use.').waitFor();
        expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: 'mine' });
      },
    ],
    [
      'compare two snapshots',
      22,
      async ({ api, page, keys }) => {
        await api.put('/_sandbox/snapshots/before', {});
        await api.charge(chargeOf('between'));
        await api.put('/_sandbox/snapshots/later', {});
        await keys.find('snapshots', 'Snapshots');
        await page.getByRole('heading', { name: 'Compare' }).waitFor();
        await keys.tabTo(/^Snapshot ?Choose/);
        await keys.type('b');
        await keys.tabTo(/^With/);
        await keys.type('l');
        await page.getByRole('region', { name: 'Changes' }).getByText('added').waitFor();
      },
    ],
    [
      'download a bundle',
      8,
      async ({ page, keys }) => {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          keys.find('>bundl', 'Download a bundle'),
        ]);
        expect(file.suggestedFilename()).toMatch(/\.bundle\.json$/);
      },
    ],
    [
      'copy a test card',
      11,
      async ({ page, keys }) => {
        await keys.find('card 9995', '4000 0000 0000 9995');
        await page.getByText('Copied 4000000000009995.').waitFor();
        expect(await pasted(page)).toBe('4000000000009995');
      },
    ],
    [
      'open a world whose scenario has seed data',
      25,
      async ({ api, page, keys }) => {
        await keys.find('go to scenario', 'Scenario');
        await page.getByRole('region', { name: 'Library' }).waitFor();
        await keys.tabTo(/^Start over with it… authorisation-expires/, 80);
        await keys.press('Enter');
        await page.getByRole('dialog').waitFor();
        await keys.press('Tab', 'Enter');
        await page.getByText('World reset with authorisation-expires.').waitFor();
        expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: 'authorisation-expires' });
      },
    ],
    [
      'read a call while 500 a second arrive',
      2,
      async ({ api, page, keys }) => {
        const sent: Promise<unknown>[] = [];
        const flood = setInterval(() => sent.push(api.get('/charge/none')), 2);
        try {
          await page.locator('.feed li').filter({ hasText: '/charge/none' }).first().waitFor();
          await keys.press('j', 'Enter');
          await inspector(page).getByText('The service refused the call').waitFor();
          const first = page.locator('.feed a').first();
          const read = await first.getAttribute('data-row');
          // What arrives is counted, and the row that is read stays where it is.
          await page.getByRole('button', { name: /^\d{3,} new/ }).waitFor({ timeout: 60_000 });
          expect(await first.getAttribute('data-row')).toBe(read);
        } finally {
          clearInterval(flood);
          await Promise.all(sent);
        }
      },
    ],
    [
      'open another world',
      8,
      async ({ page, keys }) => {
        const other = clientOf(here, 'sk_test_tasks_other');
        const { World } = (await other.read('/_sandbox/world')) as { World: string };
        await keys.press('Control+k');
        await keys.type(World.slice(0, 6));
        await page.getByRole('option', { selected: true }).filter({ hasText: World }).waitFor();
        await keys.press('Enter');
        await page.locator('.world').filter({ hasText: World }).waitFor();
      },
    ],
    [
      'follow a 3-D Secure challenge to its page',
      17,
      async ({ api, page, keys }) => {
        const PaymentInformation = cardOf('4000000000001133');
        const ThreeDSNotificationUrl = `${url()}/shop`;
        await api.charge(chargeOf('order-3ds', { PaymentInformation, ThreeDSNotificationUrl }));
        await keys.find('charge', 'Charges');
        await page.getByRole('cell').getByRole('link').first().waitFor();
        await keys.press('j', 'Enter');
        await page.getByRole('link', { name: 'the challenge page' }).waitFor();
        await keys.tabTo(/^the challenge page$/);
        await keys.press('Enter');
        await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
      },
    ],
  ];

  test.each(TASKS)('%s, in %i keys', { timeout: 90_000 }, async (name, most, task) => {
    const at = await world(`sk_test_task_${name.replaceAll(/\W+/g, '_')}`);
    await task(at);
    expect(at.keys.count).toBeLessThanOrEqual(most);
    await at.page.context().close();
  });
});
