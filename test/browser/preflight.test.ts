import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cardOf, STEADY } from '../support/bodies.js';
import { CHROMIUM } from './chromium.js';
import { stage } from './support.js';

/** What tracing, monitoring and frameworks add to the calls of a page, and what a shop adds by itself. */
const ADDED = {
  'sentry-trace': '0123-4567-1',
  baggage: 'sentry-environment=test',
  traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
  tracestate: 'a=1',
  b3: '0',
  'x-requested-with': 'XMLHttpRequest',
  'x-csrf-token': 'a',
  'x-datadog-trace-id': '1',
  'x-datadog-parent-id': '2',
  'x-datadog-origin': 'rum',
  'x-datadog-sampling-priority': '1',
  authorization: 'Bearer a',
  'idempotency-key': 'order-1',
  'x-correlation-id': 'b',
  'x-client-version': '1.2.3',
  'x-sandbox-outcome': 'approve',
};
const CHARGE = { Amount: 20, Currency: 'AUD', ProviderId: STEADY, PaymentInformation: cardOf() };

/** Sends a charge from a page with all of these headers; returns what the page can read, or why it cannot. */
function charge(page: Page, sandbox: string, key: string): Promise<unknown> {
  const headers = { ...ADDED, 'content-type': 'application/json', 'x-secretkey': key };
  return page.evaluate(
    ([url, sent, body]) =>
      fetch(url, { method: 'POST', headers: sent, body, credentials: 'include' }).then(
        (answer) => [answer.status, answer.headers.get('x-request-id')?.length],
        (error: Error) => error.name,
      ),
    [`${sandbox}/charge/card`, headers, JSON.stringify(CHARGE)] as const,
  );
}

async function countCalls(sandbox: string, key: string): Promise<number> {
  const answer = await fetch(`${sandbox}/_sandbox/journal`, { headers: { 'x-secretkey': key } });
  return ((await answer.json()) as { Count: number }).Count;
}

describe.skipIf(CHROMIUM === undefined)('a page that sends many headers, with credentials', () => {
  const { url, visit } = stage();
  let shop: Server;
  beforeAll(async () => {
    shop = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    shop.close();
  });

  test('may call from an allowed origin', async () => {
    expect(Object.keys(ADDED)).toHaveLength(16);
    const { page, complaints } = await visit(`http://localhost:${(shop.address() as AddressInfo).port}/`);
    expect(await charge(page, url(), 'sk_test_allowed')).toEqual([201, 32]);
    expect(await countCalls(url(), 'sk_test_allowed')).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('may not from another, and no call arrives', async () => {
    const { page } = await visit('data:text/html,<!doctype html><title>Stranger</title>');
    expect(await page.evaluate(() => origin)).toBe('null');
    expect(await charge(page, url(), 'sk_test_stranger')).toBe('TypeError');
    expect(await countCalls(url(), 'sk_test_stranger')).toBe(0);
  });
});
