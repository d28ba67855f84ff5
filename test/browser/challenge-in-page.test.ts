import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { origin } from './origin.js';

const BASE = 'https://api.example.com/v1';
const KEY = 'sk_test_shop';

/** What a page received from the frame of a challenge. */
interface Received {
  readonly id: string;
  readonly isFrame: boolean;
  readonly origin: string;
}

describe.skipIf(CHROMIUM === undefined)('a challenge of a sandbox in a page', () => {
  const site = origin();

  async function open(policy: string | null = null): Promise<Page> {
    const page = await site.open();
    if (policy !== null) {
      await page.route(`${site.url()}/`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          headers: { ...response.headers(), 'content-security-policy': policy },
        });
      });
      await page.reload();
      await page.waitForFunction(() => 'tools' in globalThis);
    }
    await page.evaluate(
      async ([base, key]) => {
        const sandbox = await tools.openSandbox({ database: null, clock: 'manual' });
        sandbox.intercept(base, { key });
        Object.assign(globalThis, { sandbox });
      },
      [BASE, KEY] as const,
    );
    return page;
  }

  /** Starts a challenge and frames it, as the page of a shop does. Returns the address and the identifier of the challenge. */
  const frame = (page: Page, base: string, attributes = '', notificationURL: string | null = null) =>
    page.evaluate(
      async ([at, key, markup, back]) => {
        const ask = async (step: string, sent: object) => {
          const headers = { 'content-type': 'application/json', 'x-secretkey': key };
          const answer = await fetch(`${at}/3ds/${step}`, {
            method: 'POST',
            headers,
            body: JSON.stringify(sent),
          });
          return (await answer.json()) as Record<string, string>;
        };
        const { threeDSServerTransID = '' } = await ask('preauth', { AcctNumber: '4000000000001133' });
        const { acsURL = '' } = await ask('auth', { threeDSServerTransID, notificationURL: back });
        const received = new Promise<Received>((resolve) =>
          addEventListener('message', ({ data, source, origin: from }) => {
            const isFrame = source === document.querySelector('iframe')?.contentWindow;
            resolve({
              id: (data as { threeDSServerTransID: string }).threeDSServerTransID,
              isFrame,
              origin: from,
            });
          }),
        );
        const result = async () => (await ask('postauth', { threeDSServerTransID }))['transStatus'];
        Object.assign(globalThis, { received, result });
        document.body.insertAdjacentHTML('beforeend', `<iframe ${markup} src="${acsURL}"></iframe>`);
        return { acsURL, id: threeDSServerTransID };
      },
      [base, KEY, attributes, notificationURL] as const,
    );

  const received = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { received: Promise<Received> }).received);
  const result = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { result: () => Promise<string> }).result());
  /**
   * Waits until the document in the frame has loaded and has a text, and a button is clicked by its name. Not by a locator of the frame: Playwright
   * loses sight of one whose `srcdoc` is set while it loads its `src`.
   */
  const seen = (page: Page, text: string) =>
    page.waitForFunction((part) => {
      const shown = document.querySelector('iframe')?.contentDocument;
      return shown?.readyState === 'complete' && shown.querySelector('body')?.textContent.includes(part);
    }, text);
  const answer = async (page: Page, name: string) => {
    await seen(page, name);
    await page.evaluate((label) => {
      const buttons = document.querySelector('iframe')?.contentDocument?.querySelectorAll('button') ?? [];
      [...buttons].find(({ textContent }) => textContent === label)?.click();
    }, name);
  };

  test.each([
    ['plain', null, ''],
    ['sandboxed', null, 'sandbox="allow-scripts allow-forms"'],
    ['in a strict page', "default-src 'none'; script-src 'self'; connect-src 'self'", ''],
  ])('is shown and answered in a frame of the page: %s', async (_, policy, attributes) => {
    const page = await open(policy);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const { id, acsURL } = await frame(page, BASE, attributes);
    await seen(page, 'Approve');
    // Those of the style sheet.
    const cursor = () =>
      page.evaluate(() => {
        const button = document.querySelector('iframe')?.contentDocument?.querySelector('button');
        return button ? getComputedStyle(button).cursor : null;
      });
    await expect.poll(cursor).toBe('pointer');
    await answer(page, 'Approve');
    expect(await received(page)).toEqual({ id, isFrame: true, origin: new URL(acsURL).origin });
    expect(await result(page)).toBe('Y');
    // The policy allows no frame of another origin, which is not needed.
    expect(complaints.filter((text) => !text.startsWith('Framing '))).toEqual([]);
  });

  test('ends in time, and its frame can show something else afterwards', async () => {
    const page = await open();
    const { id } = await frame(page, BASE);
    await seen(page, 'Approve');
    await page.evaluate((key) => {
      const { sandbox } = globalThis as unknown as { sandbox: Awaited<ReturnType<typeof tools.openSandbox>> };
      return sandbox.world(key).clock.advance('10m');
    }, KEY);
    expect(await received(page)).toMatchObject({ id, isFrame: true });
    expect(await result(page)).toBe('N');
    await page.locator('iframe').evaluate((shown: HTMLIFrameElement) => (shown.src = '/elsewhere'));
    await seen(page, 'the server of the page');
  });

  test('returns to the address of the shop', async () => {
    const page = await open();
    await frame(page, BASE, '', `${site.url()}/hooks`);
    await answer(page, 'Fail');
    await seen(page, 'the server of the page');
    // Asked of the server, because Playwright reports no request of a frame that it lost sight of.
    expect(site.hooks).toEqual([expect.stringContaining('threeDSServerTransID=')]);
    expect(await result(page)).toBe('N');
  });

  test.each([
    ['approved', (page: Page) => answer(page, 'Approve'), 'paid'],
    [
      'closed',
      (page: Page) => page.evaluate(() => document.querySelector('dialog')?.close()),
      '3-D Secure failed: your bank’s page was closed before you confirmed the payment.',
    ],
  ])('is shown by the page script, and %s', async (_, act, said) => {
    const page = await open();
    await page.evaluate(
      async ([base, key]) => {
        const { sandbox } = globalThis as unknown as {
          sandbox: Awaited<ReturnType<typeof tools.openSandbox>>;
        };
        const PaymentInformation = {
          CardNumber: '4000000000001133',
          ExpiryDate: '10/30',
          Ccv: '123',
          Cardholder: 'Jo Smith',
        };
        const tokenised = await sandbox.world(key).fetch('/token/card/least_cost', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ Amount: 20, Currency: 'AUD', PaymentInformation }),
        });
        const { TokenId } = (await tokenised.json()) as { TokenId: string };
        tools
          .createPayfurl({ baseUrl: base })
          .init('sandbox', 'pk_test_shop')
          .onSuccess(() => void (document.title = 'paid'))
          .onFailure((failure) => void (document.title = String(failure)))
          .addThreeDsWithToken(TokenId, 'jo@example.com', 20, 'AUD');
      },
      [BASE, KEY] as const,
    );
    await seen(page, 'Approve');
    // The frame is as high as the page in it.
    const isWhole = () =>
      page.evaluate(() => {
        const root = document.querySelector('iframe')?.contentDocument?.documentElement;
        return root !== undefined && root.scrollHeight <= root.clientHeight;
      });
    await expect.poll(isWhole).toBe(true);
    await act(page);
    await expect.poll(() => page.title()).toBe(said);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  test('is a page of the service worker, if the page has that', async () => {
    const page = await site.open();
    await page.evaluate(() =>
      tools.startSandboxWorker('/browser.js', { key: 'sk_test_shop' }).then(() => {}),
    );
    const { id } = await frame(page, '/pay');
    await answer(page, 'Approve');
    expect(await received(page)).toEqual({ id, isFrame: true, origin: site.url() });
    expect(await result(page)).toBe('Y');
  });
});
