import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSandbox, type Sandbox } from '../../src/index.js';
import { cardOf, STEADY } from '../support/bodies.js';

const HOME = 'http://localhost:3000';
const KEY = 'sk_test_mounted';
let sandbox: Sandbox;
let app: Hono;

beforeAll(() => {
  sandbox = createSandbox({ basePath: '/pay', clock: 'manual' });
  app = new Hono();
  app.get('/', (c) => c.text('the shop'));
  app.mount('/pay', sandbox.fetch);
});
afterAll(() => sandbox.close());

/** Hono removes the base path before the sandbox gets the request; Next leaves it there. */
const WAYS = [
  ['that removes its path', async (request: Request) => app.fetch(request)],
  ['that leaves its path', (request: Request) => sandbox.fetch(request)],
] as const;

/** Everything that a page links to or loads from its server. */
function linksOf(html: string): string[] {
  return Array.from(html.matchAll(/\s(?:href|src)="(\/[^"]*)"/g), ([, link = '']) => link.replace(/#.*/, ''));
}

describe.each(WAYS)('A sandbox under the path of an app %s', (_way, fetch) => {
  const send = async (path: string, body?: object): Promise<Response> => {
    const headers = { 'x-secretkey': KEY, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return fetch(new Request(HOME + path, { headers, ...init }));
  };
  const made = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await send(path, body);
    expect(answer.status).toBe(201);
    return (await answer.json()) as Record<string, string>;
  };

  test('takes calls below it', async () => {
    const body = { Amount: 20, ProviderId: STEADY, PaymentInformation: cardOf() };
    const { ChargeId } = await made('/pay/charge/card', body);
    const found = await send(`/pay/charge/${ChargeId}`);
    expect(await found.json()).toMatchObject({ ChargeId, Status: 'SUCCESS' });
    expect(await sandbox.world(KEY).charges()).toContainEqual(expect.objectContaining({ ChargeId }));
    expect((await send('/pay/_sandbox/world')).status).toBe(200);
    expect((await send('/payment_method')).status).toBe(_way === WAYS[0][0] ? 404 : 200);
  });

  test.each(['', '/reference', '/errors', '/checkout'])(
    'has the page /_sandbox%s, whose links work',
    async (page) => {
      const answer = await send(`/pay/_sandbox${page}`);
      const links = linksOf(await answer.text());
      expect(answer.status).toBe(200);
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect([link, (await send(link)).status]).toEqual([link, 200]);
    },
  );

  test('gives out links to pages below it', async () => {
    const { Url = '' } = await made('/pay/payment_link', { Amount: 20, Title: 'A "/_sandbox of sand' });
    expect(Url).toMatch(/^http:\/\/localhost:3000\/pay\/_sandbox\/pay\//);
    const page = await (await send(Url.slice(HOME.length))).text();
    expect(page).toContain('A &quot;/_sandbox of sand');
    expect(linksOf(page)).toEqual(expect.arrayContaining(['/pay/_sandbox/pay.js', '/pay/_sandbox/page.css']));
  });

  test('gives out links to challenges below it, and leads a browser to its dashboard', async () => {
    const card = cardOf('4000000000001133');
    const asked = { Amount: 20, ProviderId: STEADY, PaymentInformation: card, ThreeDSNotificationUrl: HOME };
    const { ThreeDsRedirectUrl = '' } = await made('/pay/charge/card', asked);
    expect(ThreeDsRedirectUrl).toMatch(/^http:\/\/localhost:3000\/pay\/_sandbox\/3ds\//);
    expect((await send(ThreeDsRedirectUrl.slice(HOME.length))).status).toBe(200);
    const opened = await fetch(new Request(`${HOME}/pay`, { headers: { accept: 'text/html' } }));
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/pay/_sandbox']);
  });
});

test.each(['pay', '/pay/', '/', '/a b', '"', '/..', '/.', '/pay/../x', '/pay/..', '/charge', '/_sandbox/x'])(
  '%j is no base path',
  (basePath) => {
    expect(() => createSandbox({ basePath })).toThrow(
      `basePath is ${JSON.stringify(basePath)}; it must be a path such as /pay, without . or .. in it and without a slash at the end, and must not begin like a path of the service.`,
    );
  },
);
