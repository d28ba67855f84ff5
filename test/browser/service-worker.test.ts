import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { cardOf, STEADY } from '../support/bodies.js';
import { CHROMIUM } from './chromium.js';
import { origin, playOnNode } from './origin.js';
import { expectNoSidewaysScroll } from './support.js';

const KILLS = 100;
const JSON_TYPE = { 'content-type': 'application/json' };

describe.skipIf(CHROMIUM === undefined)('a sandbox in a service worker', () => {
  const site = origin();

  /** A page whose calls the worker answers, in a window of its own. */
  async function open(options = ''): Promise<Page> {
    const page = await site.open();
    await page.evaluate(async (query) => {
      await tools.startSandboxWorker(`/browser.js?${query}`);
    }, options);
    return page;
  }

  /** Kills the workers of a window as a browser does that needs memory. */
  async function killer(page: Page): Promise<() => Promise<unknown>> {
    const session: CDPSession = await page.context().newCDPSession(page);
    await session.send('ServiceWorker.enable');
    return () => session.send('ServiceWorker.stopAllWorkers');
  }

  const call = (
    page: Page,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }> =>
    page.evaluate(
      async ([to, sent]) => {
        const headers = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_local' };
        const init =
          sent === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(sent) };
        const answer = await fetch(to, init);
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      },
      [path, body] as const,
    );

  const charge = (Reference: string) => ({
    Amount: 5,
    ProviderId: STEADY,
    Reference,
    PaymentInformation: cardOf(),
  });

  test('answers the calls of all pages, shares a world between them, and leaves other paths to the server', async () => {
    const page = await open();
    expect((await call(page, '/pay/charge/card', charge('one'))).status).toBe(201);
    const other = await site.open(page.context());
    expect((await call(other, '/pay/charge/card', charge('two'))).status).toBe(201);
    const { body } = await call(page, '/pay/charge');
    expect(body).toMatchObject({ Count: 2 });
    const elsewhere = await page.evaluate(async () => (await fetch('/payments')).text());
    expect(elsewhere).toBe('the server of the page');
  });

  test('answers for another origin with a key of its own, and loses answers as the network does', async () => {
    const page = await open('base=https://api.example.com/v1&key=sk_test_shop&clock=manual');
    const seen = await page.evaluate(async (headers) => {
      const url = 'https://api.example.com/v1/charge/token';
      const send = (reference: string, more = {}) =>
        fetch(url, {
          method: 'POST',
          headers: { ...headers, ...more, 'x-secretkey': 'a key of the service' },
          body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference: reference }),
        });
      const { status, url: shown } = await send('one');
      const lost = await send('two', { 'x-sandbox-fault': 'reset; phase=after' }).catch((error: unknown) =>
        String(error),
      );
      const inHeaders = { headers: { 'x-secretkey': 'sk_test_shop' } };
      const world = (await (await fetch('/_sandbox/world', inHeaders)).json()) as Record<string, object>;
      return { status, shown, lost, world };
    }, JSON_TYPE);
    expect(seen).toMatchObject({
      status: 201,
      lost: 'TypeError: Failed to fetch',
      world: { Clock: { Mode: 'manual' }, Counts: { Charges: 2 } },
    });
  });

  test('serves the checkout and the dashboard, also after it was killed, and its payment links open', async () => {
    const page = await open();
    const kill = await killer(page);
    await page.goto(`${site.url()}/_sandbox/checkout`);
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel(/^Expiry date/).fill('12 / 30');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('/charge/token').waitFor();
    const { body } = await call(page, '/pay/payment_link', { Title: 'Gift', Amount: 5, Currency: 'AUD' });
    await kill();
    await page.goto(String(body['Url']));
    await page.getByRole('heading', { name: 'Gift' }).waitFor();
    await page.goto(`${site.url()}/_sandbox`);
    await page.evaluate(() => sessionStorage.setItem('playmoney.key', 'sk_test_local'));
    await page.reload();
    await page.getByRole('img', { name: 'Connected' }).waitFor();
    await page.getByText('/payment_link').first().waitFor();
    await kill();
    await call(page, '/pay/charge/card', charge('after'));
    await page.getByText('/charge/card').first().waitFor();
    await expectNoSidewaysScroll(page);
  }, 60_000);

  test('gives the same bytes as on Node: the long trace and all stories', async () => {
    const page = await open();
    const names = await page.evaluate(() => tools.PLAYS);
    const [expected, found] = await Promise.all([playOnNode(names), played(page, names)]);
    for (const name of names) expect([name, found[name]]).toEqual([name, expected[name]]);
  }, 120_000);

  test(`gives the same bytes when it is killed ${KILLS} times in a checkout with a batch`, async () => {
    const page = await open();
    const kill = await killer(page);
    let kills = 0;
    await page.exposeFunction('kill', async () => {
      if (kills++ >= KILLS) return;
      // Between two calls, or at some moment of the next one.
      if (kills % 2 === 0) await kill();
      else setTimeout(() => void kill(), (7 * kills) % 20);
    });
    const [expected, found] = await Promise.all([playOnNode(['trace']), played(page, ['trace'])]);
    expect(kills).toBeGreaterThan(KILLS);
    expect(found).toEqual(expected);
  }, 600_000);

  test('makes each charge whole or not at all when it is killed during a call, and keeps all that it answered', async () => {
    const page = await open();
    const kill = await killer(page);
    const answered: string[] = [];
    for (let n = 0; n < 40; n++) {
      const reference = `order-${n}`;
      const sent = call(page, '/pay/charge/card', charge(reference)).catch(() => null);
      // At another moment of each call.
      await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), n % 10);
      await kill();
      if ((await sent)?.status === 201) answered.push(reference);
    }
    const { body } = await call(page, '/pay/charge?Limit=100');
    const charges = body['Charges'] as { Reference: string; Status: string }[];
    const kept = charges.map(({ Reference }) => Reference);
    expect(new Set(kept).size).toBe(kept.length);
    expect(charges.every(({ Status }) => Status === 'SUCCESS')).toBe(true);
    expect(answered.filter((reference) => !kept.includes(reference))).toEqual([]);
    expect(kept.length).toBe(40);
    expect((await call(page, '/_sandbox/journal?Limit=200')).body).toMatchObject({ Count: 41 });
  }, 120_000);

  function played(page: Page, names: readonly string[]) {
    return page.evaluate((all) => {
      const { kill } = globalThis as { kill?: () => Promise<unknown> };
      const place = { send: fetch, base: `${location.origin}/pay`, links: location.origin };
      return tools.playAll(all, kill === undefined ? place : { ...place, afterEach: kill });
    }, names);
  }
});
