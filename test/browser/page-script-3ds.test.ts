import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { type Checkout, failures, openShop, results, said, type Shop, typeCard } from './shop.js';
import { backEnd, expectNoSidewaysScroll, stage, takePicture } from './support.js';

/** What the published cards do. */
const CHALLENGE = '4000000000001133';
const FRICTIONLESS = '4000000000002701';
const FAILS = '4000000000002925';
const UNAVAILABLE = '4000000000002313';

const NOT_CONFIRMED = '3-D Secure failed: your bank did not confirm the payment.';
const CLOSED = '3-D Secure failed: your bank’s page was closed before you confirmed the payment.';
const TOO_LATE = '3-D Secure failed: you did not confirm the payment in time.';

/** The page of the bank, in its frame. */
const bank = (page: Page) => page.frameLocator('iframe');
const answer = (page: Page, name: string) => bank(page).getByRole('button', { name }).click();
const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place order' });

/** Presses both buttons while the form says that it waits; whether it did. */
function pressWhileBusy(): boolean {
  const pay = document.querySelector<HTMLElement>('button[aria-busy="true"][aria-disabled="true"]');
  pay?.click();
  document.getElementById(pay === null ? '' : 'place')?.click();
  return pay !== null;
}

/** Asserts that an element stands within the window. */
async function expectInView(element: Locator, page: Page): Promise<void> {
  const box = await element.boundingBox();
  const window = page.viewportSize();
  if (box === null || window === null) throw new Error('The element is not shown.');
  expect([box.x >= 0, box.y >= 0]).toEqual([true, true]);
  expect([box.x + box.width <= window.width, box.y + box.height <= window.height]).toEqual([true, true]);
}

describe.skipIf(CHROMIUM === undefined)(
  '3-D Secure in a checkout that was written for the real script',
  () => {
    const { url, visit } = stage('--clock', 'manual');
    let shop: Shop;
    let worlds = 0;
    beforeAll(async () => {
      shop = await openShop(url());
    });
    afterAll(() => shop.close());

    /** A checkout in a world of its own, and what its shop can do there. */
    async function open(checkout: Checkout, view: BrowserContextOptions = {}) {
      const world = `shop${++worlds}`;
      const ask = (path: string, body?: object) => backEnd(url(), path, body, `sk_test_${world}`);
      const visited = await visit(shop.address(checkout, world), view);
      return {
        ...visited,
        queue: (operation: string, ...Outcomes: unknown[]) =>
          ask('/_sandbox/outcomes', { Operation: operation, Outcomes }),
        advance: (By: string) => ask('/_sandbox/clock/advance', { By }),
        /** All charges of the world, the newest first. */
        charges: async () => (await ask('/charge')).body['Charges'] as Readonly<Record<string, unknown>>[],
      };
    }

    async function challenged(checkout: Checkout = 'card3ds', view: BrowserContextOptions = {}) {
      const opened = await open(checkout, view);
      await typeCard(opened.page, CHALLENGE);
      await placeOrder(opened.page).click();
      await bank(opened.page).getByRole('button', { name: 'Approve' }).waitFor();
      return opened;
    }

    test('a payer who approves the challenge in its frame has paid, once', async () => {
      const { page, complaints, charges } = await challenged();
      expect(await results(page)).toEqual([]);
      await takePicture(page, 'page-script-challenge');
      await answer(page, 'Approve');
      await said(page, 'Order SUCCESS');
      expect(await page.locator('iframe').count()).toBe(0);
      expect(await charges()).toMatchObject([{ Status: 'SUCCESS', Amount: 20, ThreeDsVerified: true }]);
      expect(complaints).toEqual([]);
      await takePicture(page, 'page-script-approved');
    });

    test('the frame of a challenge is as high as its content, and grows with it', async () => {
      const { page } = await challenged('card3ds', { viewport: { width: 360, height: 1100 } });
      const frame = page.locator('iframe');
      const isWhole = () =>
        bank(page)
          .locator('html')
          .evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight);
      await expect.poll(isWhole).toBe(true);
      const { height: before = 0 } = (await frame.boundingBox()) ?? {};
      await bank(page)
        .locator('body')
        .evaluate((body) => {
          const more = document.createElement('div');
          more.style.height = '120px';
          body.append(more);
        });
      await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(before + 100);
      await expect.poll(isWhole).toBe(true);
    });

    test('a failed challenge is shown, charges nothing, and another card is accepted', async () => {
      const { page, charges } = await challenged();
      await answer(page, 'Fail');
      await page.getByRole('alert').filter({ hasText: NOT_CONFIRMED }).waitFor();
      await said(page, NOT_CONFIRMED);
      expect(await failures(page)).toEqual([NOT_CONFIRMED]);
      expect([await results(page), await charges()]).toEqual([[], []]);
      await takePicture(page, 'page-script-failed');
      await typeCard(page, FRICTIONLESS);
      await placeOrder(page).click();
      await said(page, 'Order SUCCESS');
      expect(await charges()).toHaveLength(1);
    });

    test.each<[string, (page: Page) => Promise<void>]>([
      ['its own button', (page) => answer(page, 'Close without answering')],
      ['Escape', (page) => page.keyboard.press('Escape')],
    ])('a payer who leaves the challenge by %s has not paid', async (_, leave) => {
      const { page, charges } = await challenged();
      await leave(page);
      await said(page, CLOSED);
      expect(await failures(page)).toEqual([CLOSED]);
      expect(await charges()).toEqual([]);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('place');
      await placeOrder(page).click();
      await answer(page, 'Approve');
      await said(page, 'Order SUCCESS');
    });

    test('a challenge that nobody answers ends by the clock of the world', async () => {
      const { page, advance, charges } = await challenged();
      await advance('9m');
      expect(await failures(page)).toEqual([]);
      await advance('1m');
      await said(page, TOO_LATE);
      expect([await failures(page), await charges()]).toEqual([[TOO_LATE], []]);
    });

    test.each([
      [FRICTIONLESS, true],
      [UNAVAILABLE, false],
      ['4242424242424242', true],
      [FAILS, null],
    ])('the card %s is paid or refused without a challenge', async (number, ThreeDsVerified) => {
      const { page, charges } = await open('card3ds');
      await typeCard(page, number);
      await placeOrder(page).click();
      await said(page, number === FAILS ? NOT_CONFIRMED : 'Order SUCCESS');
      const paid = number === FAILS ? [] : [{ Status: 'SUCCESS', ThreeDsVerified }];
      expect(await charges()).toMatchObject(paid);
    });

    test.each(['Pay AUD 20', 'Place order'])(
      'a double click on “%s” is one challenge and one charge',
      async (name) => {
        const { page, charges } = await open('card3ds');
        const begun: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('/3ds/preauth')) begun.push(request.url());
        });
        await typeCard(page, CHALLENGE);
        await page.getByRole('button', { name }).dblclick({ delay: 60 });
        await answer(page, 'Approve');
        await said(page, 'Order SUCCESS');
        expect(begun).toHaveLength(1);
        expect(await charges()).toHaveLength(1);
      },
    );

    test.each(['authentication.perform', 'charge.create'])(
      'while %s is slow the form shows that it waits, and a further press pays nothing',
      async (operation) => {
        const { page, queue, charges } = await open('card3ds');
        await queue(operation, { Delay: '1s' });
        await typeCard(page, FRICTIONLESS);
        await placeOrder(page).click();
        await page.waitForFunction(pressWhileBusy);
        if (operation === 'charge.create') await said(page, 'Paying …');
        await takePicture(page, `page-script-slow-${operation}`);
        await said(page, 'Order SUCCESS');
        await page.locator('button[aria-busy="false"]').waitFor();
        expect(await results(page)).toHaveLength(1);
        expect(await charges()).toHaveLength(1);
      },
    );

    test('a charge that is declined after 3-D Secure leaves one failed charge; the next try pays', async () => {
      const { page, queue, charges } = await open('card3ds');
      await queue('charge.create', 'insufficient_funds');
      await typeCard(page, FRICTIONLESS);
      await placeOrder(page).click();
      await said(page, 'Order Insufficient funds');
      await placeOrder(page).click();
      await said(page, 'Order SUCCESS');
      expect(await charges()).toMatchObject([{ Status: 'SUCCESS' }, { Status: 'FAILED' }]);
    });

    test('the challenge fits a telephone', async () => {
      const { page } = await challenged('card3ds', {
        viewport: { width: 320, height: 560 },
        colorScheme: 'dark',
      });
      await takePicture(page, 'page-script-telephone');
      await expectNoSidewaysScroll(page);
      for (const name of ['Approve', 'Fail', 'Close without answering'])
        await expectInView(bank(page).getByRole('button', { name }), page);
    });

    test('the drop-in challenges the payer of a card as well', async () => {
      const { page, charges, complaints } = await challenged('dropIn');
      await answer(page, 'Approve');
      await said(page, 'Order SUCCESS');
      expect(await charges()).toMatchObject([{ ThreeDsVerified: true }]);
      expect(complaints).toEqual([]);
    });

    test('addThreeDsWithToken: a token that was refused for want of 3-D Secure is charged after the challenge', async () => {
      const { page, charges, complaints } = await challenged('afterRefusal');
      await said(page, 'Order 3-D Secure required');
      await answer(page, 'Approve');
      await said(page, 'Order SUCCESS');
      const [first, second] = await results(page);
      expect(second).toEqual(first);
      expect(await charges()).toMatchObject([
        { Status: 'SUCCESS', ThreeDsVerified: true },
        { Status: 'FAILED' },
      ]);
      expect(complaints).toEqual([]);
    });

    test('addThreeDsWithToken: a challenge that failed is a failure with its code', async () => {
      const { page } = await challenged('afterRefusal');
      await answer(page, 'Fail');
      await said(page, NOT_CONFIRMED);
      expect(await failures(page)).toEqual([NOT_CONFIRMED]);
    });

    test('tokeniseWith3Ds: the card of a shop’s own fields is challenged and charged once, also after a double click', async () => {
      const { page, charges, complaints } = await open('ownFields');
      await page.getByLabel('Number of your card').fill('4000 0000 0000 1133');
      await placeOrder(page).dblclick({ delay: 60 });
      await answer(page, 'Approve');
      await said(page, 'Order SUCCESS');
      expect(await results(page)).toEqual([{ token: expect.any(String) as string }]);
      expect(await charges()).toMatchObject([{ Status: 'SUCCESS', ThreeDsVerified: true }]);
      expect(complaints).toEqual([]);
    });

    test.each([
      ['4000000000000424', 'Tokenise Card Error'],
      ['4242', 'Invalid Card length'],
      [FAILS, NOT_CONFIRMED],
    ])('tokeniseWith3Ds: the card %s is a failure', async (number, message) => {
      const { page, charges } = await open('ownFields');
      await page.getByLabel('Number of your card').fill(number);
      await placeOrder(page).click();
      await page.waitForFunction(() => (window as unknown as { failures: string[] }).failures.length > 0);
      expect(await failures(page)).toEqual([expect.stringContaining(message)]);
      expect(await charges()).toEqual([]);
    });
  },
);
