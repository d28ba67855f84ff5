import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkIn } from '../pages/dashboard/look.js';
import { batchOf, cardOf, storing } from '../support/bodies.js';
import { expectTables } from '../support/readme.js';
import type { Client } from '../support/sandbox.js';
import { CHROMIUM } from './chromium.js';
import { chargeOf, clientOf, lookAt, rowOf, serverBeside, stage } from './support.js';

/** A hand on a mouse, which counts. Typing is not counted, but the click into the field is. */
class Hand {
  count = 0;

  constructor(private readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }

  /** Clicks on a button or a link of this name. */
  async press(name: string | RegExp): Promise<void> {
    const named = { name, exact: true };
    await this.click(this.page.getByRole('button', named).or(this.page.getByRole('link', named)).first());
  }

  /** Goes to a view by its link in the navigation. */
  async goTo(view: string): Promise<void> {
    const views = this.page.getByRole('navigation', { name: 'Views' });
    await this.click(views.getByRole('link', { name: new RegExp(`^${view}( [\\d,]+)?$`) }));
  }

  async type(label: string, text: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: true });
    await this.click(field);
    await this.page.keyboard.type(text);
  }

  /** Opens a list and clicks on one of its choices: two clicks. */
  async choose(label: string, option: string): Promise<void> {
    this.count += 2;
    await this.page.getByRole('combobox', { name: new RegExp(`^${label}`) }).selectOption(option);
  }

  /** Drops a file anywhere on the page, which counts as a click. */
  async drop(name: string, text: string): Promise<void> {
    this.count++;
    const file = await this.page.evaluateHandle(
      ([called, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content], called));
        return data;
      },
      [name, text] as const,
    );
    await this.page.dispatchEvent('main', 'drop', { dataTransfer: file });
  }

  /** Downloads a file, and returns what it is called. */
  async download(name: string | RegExp): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.press(name)]);
    return file.suggestedFilename();
  }
}

interface Desk {
  readonly api: Client;
  readonly page: Page;
  readonly hand: Hand;
  /** Until this text is in sight. */
  readonly see: (text: string | RegExp) => Promise<void>;
}

interface ClickedTask {
  readonly task: string;
  /** How many clicks it took before there was a limit; null for what was not possible. */
  readonly before: number | null;
  readonly limit: number;
  readonly run: (desk: Desk) => Promise<void>;
}

describe.skipIf(CHROMIUM === undefined)('by the mouse alone', () => {
  const here = stage('--clock', 'manual', '--start-time', '2026-01-01T00:00:00Z');
  const shop = serverBeside((_, response) => response.writeHead(503).end('down for repair'));
  // Before all others, so that it is on the first page of the list.
  beforeAll(async () => void (await clientOf(here, 'sk_test_clicks_other').read('/_sandbox/world')));
  const taken: (readonly [task: string, before: number | null, clicks: number])[] = [];

  /** A world with a hotel's charge, one that was declined, and a challenge. */
  async function openDesk(key: string): Promise<Desk> {
    const api = clientOf(here, key);
    await checkIn(api, `http://127.0.0.1:${shop()}/hooks/pay`);
    await api.charge(chargeOf('order-7', { PaymentInformation: cardOf('4000000000009995') }));
    const { page } = await lookAt(here, key, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.feed li').first().waitFor();
    const see = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
    return { api, page, hand: new Hand(page), see };
  }

  const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const firstCell = (page: Page): Locator => page.getByRole('cell').getByRole('link').first();

  async function sendBatch(api: Client): Promise<void> {
    const { body } = await api.post('/payment_method/card', storing());
    const id = String(body['PaymentMethodId']);
    const rows = Array.from({ length: 40 }, (_, n) => `${id},${n % 10 === 4 ? '-1' : '5'},AUD,row-${n}`);
    await api.post('/batch/transaction/payment_method', batchOf(rows));
    await api.advance('5s');
  }

  const TASKS: readonly ClickedTask[] = [
    {
      task: 'See why a charge was declined',
      before: 1,
      limit: 1,
      run: async ({ page, hand, see }) => {
        await hand.click(rowOf(page, 'order-7'));
        await see('The test card 4000000000009995 answered');
      },
    },
    {
      task: 'Copy it as `curl` to send it again',
      before: 2,
      limit: 2,
      run: async ({ page, hand }) => {
        await hand.click(rowOf(page, 'order-7'));
        await hand.press('Copy as curl');
        await expect.poll(() => readClipboard(page)).toContain(`curl -s '${here.url()}/charge/card'`);
      },
    },
    {
      task: 'Move the clock by seven days, and know what runs',
      before: 6,
      limit: 6,
      run: async ({ page, hand, see }) => {
        await hand.click(page.getByRole('button', { name: 'Move the clock:' }));
        await page.getByRole('dialog').getByText('Authorisation expires').first().waitFor();
        await hand.press('Go');
        await see('Moved 7 days');
      },
    },
    {
      task: 'Run a batch to its end',
      before: 3,
      limit: 3,
      run: async ({ api, page, hand }) => {
        await sendBatch(api);
        await hand.goTo('Batches');
        await hand.click(firstCell(page));
        await hand.click(page.getByRole('button', { name: /Run to its end/ }));
        await page.getByText('100 %').waitFor();
      },
    },
    {
      task: 'See which rows of it failed, and why',
      before: 4,
      limit: 2,
      run: async ({ api, page, hand, see }) => {
        await sendBatch(api);
        await api.advance('1m');
        await hand.goTo('Batches');
        await hand.click(firstCell(page));
        await see('Amount must be positive');
      },
    },
    {
      task: 'Make the next charge fail',
      before: 4,
      limit: 4,
      run: async ({ api, hand, see }) => {
        await hand.goTo('Next answers');
        await hand.choose('Outcome', 'do_not_honor');
        await hand.press('Add');
        await see('Queued for the next call');
        expect((await api.charge(chargeOf('next'))).status).toBe(400);
      },
    },
    {
      task: '… slow',
      before: 3,
      limit: 3,
      run: async ({ api, hand, see }) => {
        await hand.goTo('Next answers');
        await hand.type('Delay', '50ms');
        await hand.press('Add');
        await see('Queued for the next call');
        expect(await api.read('/_sandbox/outcomes')).toMatchObject({
          Queues: [{ Outcomes: [{ Delay: '50ms' }] }],
        });
      },
    },
    {
      task: '… hang',
      before: 4,
      limit: 4,
      run: async ({ api, hand, see }) => {
        await hand.goTo('Next answers');
        await hand.choose('Fault', 'hang');
        await hand.press('Add');
        await see('Queued for the next call');
        expect(await api.read('/_sandbox/outcomes')).toMatchObject({
          Queues: [{ Outcomes: [{ Fault: 'hang' }] }],
        });
      },
    },
    {
      task: 'Read what a receiver answered to a failed webhook, and send it again',
      before: 4,
      limit: 4,
      run: async ({ page, hand, see }) => {
        await hand.goTo('Webhooks');
        await hand.click(page.locator('.feed a').first());
        await page.getByLabel('answer to attempt 1', { exact: true }).getByText('down for repair').waitFor();
        await hand.press('Send again');
        await see('Sent again.');
      },
    },
    {
      task: 'Change the scenario',
      before: 2,
      limit: 2,
      run: async ({ api, hand, see }) => {
        await hand.goTo('Scenario');
        await hand.press('Use from now on: flaky-provider');
        await see('flaky-provider is in use.');
        expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: 'flaky-provider' });
      },
    },
    {
      task: 'Use a scenario of one’s own',
      before: 2,
      limit: 2,
      run: async ({ api, hand, see }) => {
        await hand.drop('mine.yaml', 'name: mine\nrules: []\n');
        await see('mine is in use.');
        expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: 'mine' });
      },
    },
    {
      task: 'Compare a snapshot with the world',
      before: 3,
      limit: 3,
      run: async ({ api, page, hand }) => {
        await api.put('/_sandbox/snapshots/before', {});
        await api.charge(chargeOf('between'));
        await hand.goTo('Snapshots');
        await hand.choose('Snapshot', 'before');
        await page.getByRole('region', { name: 'Changes' }).getByText('added').first().waitFor();
      },
    },
    {
      task: 'Save a bundle',
      before: 2,
      limit: 2,
      run: async ({ hand }) => {
        await hand.goTo(FILES);
        expect(await hand.download('Bundle')).toMatch(/\.bundle\.json$/);
      },
    },
    {
      task: 'Open a bundle',
      before: 4,
      limit: 1,
      run: async ({ api, hand, see }) => {
        await hand.drop('failure.json', JSON.stringify(await api.read('/_sandbox/bundle')));
        await see('failure.json is open in the new world');
      },
    },
    {
      task: 'Download a HAR',
      before: 2,
      limit: 2,
      run: async ({ hand }) => {
        await hand.goTo(FILES);
        expect(await hand.download('HAR')).toMatch(/\.har$/);
      },
    },
    {
      task: 'Copy a test card',
      before: 2,
      limit: 2,
      run: async ({ page, hand }) => {
        await hand.goTo('Test cards');
        await hand.press('4000 0000 0000 9995');
        await expect.poll(() => readClipboard(page)).toBe('4000000000009995');
      },
    },
    {
      task: 'Filter 10,000 calls',
      before: 1,
      limit: 1,
      run: async ({ api, hand, see }) => {
        for (let n = 0; n < 10_000; n += 100)
          await Promise.all(Array.from({ length: 100 }, () => api.get('/charge/none')));
        await hand.type('Filter calls', 'hotel-77');
        await see(/of 10,000 calls in the journal match|None of the 10,000 calls/);
      },
    },
    {
      task: 'Follow calls as they come',
      before: 0,
      limit: 0,
      run: async ({ api, page }) => {
        await api.charge(chargeOf('order-live'));
        await rowOf(page, 'order-live').waitFor();
      },
    },
    {
      task: 'Open another world',
      before: 2,
      limit: 2,
      run: async ({ page, hand }) => {
        const { World } = await clientOf(here, 'sk_test_clicks_other').read('/_sandbox/world');
        await hand.click(page.locator('button.world'));
        await hand.click(page.getByRole('dialog').getByRole('link', { name: String(World) }));
        await page
          .locator('.world')
          .filter({ hasText: String(World) })
          .waitFor();
      },
    },
    {
      task: 'Follow a 3-D Secure challenge to its page',
      before: 3,
      limit: 2,
      run: async ({ api, page, hand }) => {
        const ThreeDSNotificationUrl = `${here.url()}/shop`;
        const PaymentInformation = cardOf('4000000000001133');
        await api.charge(chargeOf('order-3ds', { PaymentInformation, ThreeDSNotificationUrl }));
        await hand.click(rowOf(page, 'order-3ds'));
        await hand.click(page.locator('.json a[href*="/_sandbox/3ds/"]'));
        await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
      },
    },
    {
      task: 'See everything about one order',
      before: 3,
      limit: 1,
      run: async ({ page, hand, see }) => {
        await hand.click(rowOf(page, 'hotel-77').first().getByText('hotel-77'));
        await page.getByRole('heading', { name: /hotel-77/ }).waitFor();
        await see(/webhook to \/hooks\/pay/);
      },
    },
    {
      task: 'See what is due next',
      before: 1,
      limit: 1,
      run: async ({ page, hand }) => {
        await hand.goTo('Due');
        await page
          .getByRole('cell', { name: /Webhook to \/hooks\/pay, try \d of 10, hotel-77/ })
          .first()
          .waitFor();
      },
    },
    {
      task: 'See that an order was charged twice',
      before: null,
      limit: 0,
      run: async ({ api, see }) => {
        for (let n = 0; n < 2; n++) await api.charge(chargeOf('order-2001'));
        await see('order-2001 charged twice');
      },
    },
    {
      task: 'Send it as one page',
      before: null,
      limit: 1,
      run: async ({ api, hand, see }) => {
        for (let n = 0; n < 2; n++) await api.charge(chargeOf('order-2001'));
        await see('order-2001 charged twice');
        expect(await hand.download('Download as page')).toMatch(/\.html$/);
      },
    },
    {
      task: 'Undo a move of seven days',
      before: null,
      limit: 1,
      run: async ({ page, hand, see }) => {
        // The move itself is a task of its own.
        const mover = new Hand(page);
        await mover.click(page.getByRole('button', { name: 'Move the clock:' }));
        await mover.press('Go');
        await see('Moved 7 days');
        await hand.press('Undo');
        await see('Undone: the world is back at');
      },
    },
    {
      task: 'Hold a call and lose its answer',
      before: null,
      limit: 3,
      run: async ({ api, hand, see }) => {
        await hand.goTo('Next answers');
        await hand.press('Ask me');
        await see('the next call waits for you');
        const answer = api.charge(chargeOf('order-12')).catch(() => 'lost');
        await see(/order-12, AUD.15\.50 waits/);
        await hand.press('Lose the answer');
        expect(await answer).toBe('lost');
      },
    },
  ];

  test.each(TASKS)(
    '$task: at most $limit clicks',
    { timeout: 120_000 },
    async ({ task, before, limit, run }) => {
      const desk = await openDesk(`sk_test_clicks_${task.replaceAll(/\W+/g, '_')}`);
      await run(desk);
      taken.push([task, before, desk.hand.count]);
      expect(desk.hand.count).toBeLessThanOrEqual(limit);
    },
  );

  afterAll(() => {
    if (taken.length < TASKS.length) return;
    const rows = taken.map(([task, before, clicks]) => `| ${task} | ${before ?? '–'} | ${clicks} |`);
    const table = ['| task | before | clicks |', '|---|---|---|', ...rows].join('\n');
    expectTables(join(import.meta.dirname, '../../docs/guides/dashboard.md'), table, 'clicks');
  });
});

/** The view with the files of a world. */
const FILES = 'Files';
