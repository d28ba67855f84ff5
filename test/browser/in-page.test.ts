import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { origin, playOnNode } from './origin.js';

/** What a page may load before its first call. */
const LOAD_BYTES_MAX = 250_000;
const BASE = 'https://api.example.com/v1';

test(`A page loads less than ${LOAD_BYTES_MAX} bytes, compressed, before its first call.`, () => {
  const program = readFileSync(join(import.meta.dirname, '../../dist/browser.js'));
  expect(gzipSync(program, { level: 9 }).length).toBeLessThan(LOAD_BYTES_MAX);
});

describe.skipIf(CHROMIUM === undefined)('a sandbox in a page', () => {
  const site = origin();

  test('answers fetch and XMLHttpRequest below the base, and leaves all other calls to the browser', async () => {
    const page = await site.open();
    const seen = await page.evaluate(async (base) => {
      const sandbox = await tools.openSandbox({ database: null });
      const restore = sandbox.intercept(base, { key: 'sk_test_shop' });
      const restorePath = sandbox.intercept('/gateway');
      const headers = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_shop' };
      const body = (Reference: string) => JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference });
      const init = { method: 'POST', headers, body: body('one') };
      const fetched = await fetch(`${base}/charge/token`, init);
      const asRequest = await fetch(new Request('/gateway/charge/token', { ...init, body: body('two') }));
      const sent = await tools.xhr(`${base}/charge/token`, { method: 'POST', body: body('three') });
      const references = (await sandbox.world('sk_test_shop').charges()).map((one) => one.Reference);
      const json = await tools.xhr(`${base}/charge?Limit=1`, { responseType: 'json' });
      const buffer = await tools.xhr(`${base}/charge?Limit=1`, { responseType: 'arraybuffer' });
      const blob = await tools.xhr(`${base}/charge?Limit=1`, { responseType: 'blob' });
      const others = [(await fetch('/elsewhere')).status, (await tools.xhr('/gatewayX')).response];
      restore();
      restorePath();
      const after = (await tools.xhr('/gateway/charge')).response;
      return {
        statuses: [fetched.status, asRequest.status, sent.status, json.status],
        urls: [fetched.url, asRequest.url, sent.url],
        references,
        sent,
        count: (json.response as { Count: number }).Count,
        bytes: (buffer.response as ArrayBuffer).byteLength === (blob.response as Blob).size,
        type: (blob.response as Blob).type,
        others,
        after,
        isNative: globalThis.XMLHttpRequest.toString().includes('[native code]'),
      };
    }, BASE);
    expect(seen).toMatchObject({
      statuses: [201, 201, 201, 200],
      urls: [`${BASE}/charge/token`, `${site.url()}/gateway/charge/token`, `${BASE}/charge/token`],
      references: ['one', 'two', 'three'],
      count: 3,
      bytes: true,
      type: 'application/json; charset=utf-8',
      others: [404, 'the server of the page'],
      after: 'the server of the page',
    });
    expect(seen.sent).toMatchObject({
      events: ['loadstart', 'progress', 'load', 'loadend'],
      states: [2, 3, 4],
      id: expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(seen.sent.headers).toContain('content-type: application/json; charset=utf-8\r\n');
  });

  test('shows faults as a browser does: a failed fetch, an error event, a timeout; it can be aborted', async () => {
    const page = await site.open();
    const seen = await page.evaluate(async (base) => {
      const sandbox = await tools.openSandbox({ database: null });
      const world = sandbox.world('sk_test_shop');
      sandbox.intercept(base, { key: world.key });
      const lost = { fault: 'reset', phase: 'after' } as const;
      await world.outcomes.queue('charge.create', [lost, lost, { fault: 'hang' }, { fault: 'hang' }]);
      const wish = { method: 'POST', body: JSON.stringify({ Amount: 5, Token: 'tok_approve' }) };
      const init = { ...wish, headers: { 'content-type': 'application/json' } };
      const failed = await fetch(`${base}/charge/token`, init).catch((error: unknown) => String(error));
      const error = await tools.xhr(`${base}/charge/token`, wish);
      const timeout = await tools.xhr(`${base}/charge/token`, { ...wish, timeout: 50 });
      const abort = await tools.xhr(`${base}/charge/token`, { ...wish, abortAfterMs: 50 });
      let refusal = '';
      try {
        new XMLHttpRequest().open('GET', `${base}/charge`, false);
      } catch (thrown) {
        refusal = String(thrown);
      }
      return { failed, error, timeout, abort, refusal, charges: (await world.charges()).length };
    }, BASE);
    expect(seen.failed).toBe('TypeError: Failed to fetch');
    expect(seen.error).toMatchObject({
      status: 0,
      response: '',
      states: [4],
      events: ['loadstart', 'error', 'loadend'],
    });
    expect(seen.timeout).toMatchObject({ status: 0, events: ['loadstart', 'timeout', 'loadend'] });
    expect(seen.abort).toMatchObject({ status: 0, events: ['loadstart', 'abort', 'loadend'] });
    // Both lost answers belong to charges that were made.
    expect(seen.charges).toBe(2);
    expect(seen.refusal).toBe(
      `InvalidAccessError: Failed to open ${BASE}/charge: playmoney/browser answers only asynchronous requests. Leave out the third argument of open(), or pass true.`,
    );
  });

  test('keeps its worlds when the page is left right after an answer, and lets one page at a time have them', async () => {
    const page = await site.open();
    const charge = () =>
      page.evaluate(async () => {
        const world = (await tools.openSandbox()).world();
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
        const { status } = await world.fetch('/charge/token', { method: 'POST', headers, body });
        return [status, (await world.charges()).length, await world.journal.count({})];
      });
    expect(await charge()).toEqual([201, 1, 1]);
    await page.reload();
    await page.waitForFunction(() => 'tools' in globalThis);
    expect(await charge()).toEqual([201, 2, 2]);
    const other = await site.open(page.context());
    const refused = await other.evaluate(() => tools.openSandbox().catch((error: unknown) => String(error)));
    expect(refused).toBe(
      'Error: Failed to open the database "playmoney": another page or worker has it. Close that, name another database, or let all pages use the service worker.',
    );
    await page.close();
    expect(
      await other.evaluate(async () => {
        const sandbox = await tools.openSandbox();
        const { length } = await sandbox.world().charges();
        sandbox.close();
        return [length, (await (await tools.openSandbox()).world().charges()).length];
      }),
    ).toEqual([2, 2]);
  });

  test('sends webhooks to the server of the page, or to a function, and none to a public host', async () => {
    const page = await site.open();
    const seen = await page.evaluate(async () => {
      const posts: string[] = [];
      const deliver = ({ url, body }: { url: string; body: string }) => {
        posts.push(`${url} ${body.slice(0, 20)}`);
        return Promise.resolve({ status: 200 });
      };
      const listed = [];
      for (const options of [{}, { deliver }]) {
        const world = (await tools.openSandbox({ ...options, database: null })).world();
        for (const Url of [`${location.origin}/hooks`, 'https://shop.example.com/hooks']) {
          const body = JSON.stringify({ Amount: 5, Token: 'tok_approve', Webhook: { Url } });
          await world.fetch('/charge/token', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          });
        }
        await world.settle();
        listed.push((await world.deliveries.list()).map(({ status, note }) => [status, note]));
      }
      return { listed, posts: posts.length };
    });
    expect(seen.posts).toBe(2);
    expect(seen.listed).toMatchObject([
      [
        ['delivered', null],
        [
          'withheld',
          'a browser sends webhooks only to its own origin and local names, not to shop.example.com',
        ],
      ],
      [
        ['delivered', null],
        ['delivered', null],
      ],
    ]);
    expect(site.hooks).toEqual([expect.stringContaining('transaction.status.changed')]);
  });

  test('takes a scenario of the library or one of the page, as JSON alone', async () => {
    const page = await site.open();
    const seen = await page.evaluate(async () => {
      const sandbox = await tools.openSandbox({ database: null, scenario: 'shop-with-customers' });
      const world = sandbox.world();
      const { Count } = (await (await world.fetch('/customer?Limit=1')).json()) as { Count: number };
      const refused = await world.scenario
        .use({ yaml: 'name: mine' })
        .catch((error: unknown) => String(error));
      await world.scenario.use({ name: 'mine', rules: [] });
      const unknown = await tools
        .openSandbox({ database: null, scenario: 'lost' })
        .catch((error: unknown) => String(error));
      return { Count, refused, current: (await world.scenario.current()).scenario, unknown };
    });
    expect(seen).toEqual({
      Count: 202,
      refused: 'SandboxError: Validation Error: The body is YAML. In a browser a scenario must be JSON.',
      current: 'mine',
      unknown: expect.stringContaining('There is no scenario "lost". Did you mean lost-answer?'),
    });
  });

  test('gives the same bytes as on Node: the long trace and all stories', async () => {
    const page = await site.open();
    const names = await page.evaluate(() => tools.PLAYS);
    const [expected, found] = await Promise.all([
      playOnNode(names),
      page.evaluate(
        async ([all, base]) => {
          const sandbox = await tools.openSandbox({ database: 'plays' });
          sandbox.intercept(base);
          return tools.playAll(all, { send: fetch, base, links: 'http://playmoney.localhost' });
        },
        [names, BASE] as const,
      ),
    ]);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect([name, found[name]]).toEqual([name, expected[name]]);
  }, 120_000);
});
