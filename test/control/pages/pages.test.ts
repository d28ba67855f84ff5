import { describe, expect, test } from 'vitest';

import { BUILT_IN_PROVIDERS } from '../../../src/outcomes/built-in.js';
import { MAGIC_CARDS } from '../../../src/outcomes/magic.js';
import { agreement, STEADY } from '../../support/bodies.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { cells } from '../../support/tables.js';

const page = (options = {}) => client(testSandbox(options), null);

const ASSETS: [path: string, type: string, holds: RegExp][] = [
  ['/_sandbox/sdk.js', 'text/javascript; charset=utf-8', /window\.playmoney\s*=/],
  ['/_sandbox/checkout.js', 'text/javascript; charset=utf-8', /mountCardForm/],
  ['/v4.8.6/js/payfurl.js', 'text/javascript; charset=utf-8', /window\.payfurl\s*=/],
  ['/_sandbox/page.css', 'text/css; charset=utf-8', /color-scheme/],
];

describe('what pages load', () => {
  test.each(ASSETS)('%s is %s, never to be taken for anything else', async (path, type, holds) => {
    const { status, headers, text } = await page().get(path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const isForShops = path.endsWith('sdk.js') || path.endsWith('payfurl.js');
    expect(headers.get('cross-origin-resource-policy')).toBe(isForShops ? 'cross-origin' : 'same-origin');
    expect(text).toMatch(holds);
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org|127\.0\.0\.1)/);
  });

  test.each(ASSETS)('%s is sent again only once it has changed', async (path) => {
    const { get } = page();
    const { headers } = await get(path);
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{16}"$/);
    expect(headers.get('cache-control')).toBe('no-cache');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await get(path, { 'if-none-match': known });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('a query, which tools add to avoid caches, changes nothing', async () => {
    expect((await page().get('/_sandbox/sdk.js?t=123')).status).toBe(200);
  });

  test('is read by trusted origins alone', async () => {
    const { get } = page();
    const trusted = await get('/_sandbox/sdk.js', { origin: 'http://localhost:5173' });
    expect(trusted.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(trusted.headers.get('vary')).toBe('origin, accept-encoding');
    expect((await get('/_sandbox/sdk.js')).headers.get('access-control-allow-origin')).toBeNull();
    expectRefused(await get('/_sandbox/sdk.js', { origin: 'https://shop.example.com' }), 403, 90);
  });

  test.each(ASSETS)('%s is small', async (path) => {
    expect((await page().get(path)).text.length).toBeLessThan(19_000);
  });
});

describe('the page’s own script', () => {
  test.each(['v4.8.6', 'v4.6.16', 'v5'])('is there in the version %s, without a key', async (version) => {
    const sandbox = testSandbox({ adminToken: 'open-sesame' });
    const { status, text } = await client(sandbox, null).get(`/${version}/js/payfurl.js`);
    expect([status, text.includes('addCardLeastCost')]).toEqual([200, true]);
    expect(sandbox.worlds.size).toBe(0);
  });

  test.each(['/v/js/payfurl.js', '/x4/js/payfurl.js', '/v4/payfurl.js'])('is not at %s', async (path) => {
    expect((await client(testSandbox()).get(path)).status).toBe(404);
  });

  const PUBLIC = { 'x-publickey': 'pk_test_a', 'content-type': 'application/json' };
  const PAYMENT = { Amount: 20, Currency: 'AUD', ProviderId: STEADY };

  test('pays with a wallet by a public key, even with an admin token; the back end finds the charge', async () => {
    const sandbox = testSandbox({ adminToken: 'open-sesame' });
    const paid = await client(sandbox, null).post('/_sandbox/page/checkout', PAYMENT, PUBLIC);
    const { body } = await good(client(sandbox, 'sk_test_a').get(`/charge/${textIn(paid, 'TransactionId')}`));
    expect(body).toMatchObject({ Status: 'SUCCESS', Amount: 20, ProviderId: STEADY, Initiator: 'CUSTOMER' });
  });

  test('learns why a wallet did not pay; the charge is stored as FAILED', async () => {
    const sandbox = testSandbox();
    const headers = { ...PUBLIC, 'x-sandbox-outcome': 'insufficient_funds' };
    const declined = await client(sandbox, null).post('/_sandbox/page/checkout', PAYMENT, headers);
    expectRefused(declined, 400, 15);
    const { body } = await good(client(sandbox, 'sk_test_a').get(`/charge/${textIn(declined, 'ChargeId')}`));
    expect(body).toMatchObject({ Status: 'FAILED' });
  });

  test('makes a token of an agreement by a public key', async () => {
    const sandbox = testSandbox();
    const made = await client(sandbox, null).post('/_sandbox/page/payto', agreement(), PUBLIC);
    const token = textIn(made, 'TokenId');
    const { body } = await good(client(sandbox, 'sk_test_a').get(`/token/${token}`));
    expect(body).toMatchObject({ TokenId: token, Card: null });
  });

  test.each(['checkout', 'payto'])('needs a key for %s', async (call) => {
    expectRefused(await page().post(`/_sandbox/page/${call}`, PAYMENT), 401, 40);
  });
});

describe('GET /_sandbox/checkout', () => {
  test('is a page without a line of script or style of its own, which loads nothing from elsewhere', async () => {
    const { status, headers, text } = await page().get('/_sandbox/checkout');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(cells`
        default-src 'none'|script-src 'self'|style-src 'self'|connect-src 'self'|frame-ancestors 'none'|
        base-uri 'none'|require-trusted-types-for 'script'
      `),
    );
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=")|<style|\son\w+=|\sstyle=|https?:/i);
    const loaded = [...text.matchAll(/<(?!a )[^>]* (?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded.toSorted()).toEqual([
      '/_sandbox/checkout.js',
      '/_sandbox/page.css',
      '/_sandbox/sdk.js',
      expect.stringMatching(/^data:image/),
    ]);
  });

  test('holds every published card and every built-in provider', async () => {
    const { text } = await page().get('/_sandbox/checkout');
    for (const { number } of MAGIC_CARDS) expect(text).toContain(`data-card="${number}"`);
    for (const { providerId } of BUILT_IN_PROVIDERS) expect(text).toContain(`value="${providerId}"`);
  });

  test('begins with the key that its address names, as text whatever it is', async () => {
    const { get } = page();
    expect((await get('/_sandbox/checkout')).text).toContain('value="pk_test_local"');
    const hostile = encodeURIComponent('"><script>alert(1)</script>');
    const { text } = await get(`/_sandbox/checkout?key=${hostile}`);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  test('refuses other parameters', async () => {
    expectRefused(await page().get('/_sandbox/checkout?publicKey=pk_test_x'), 400, 90);
  });

  test('opens no world', async () => {
    const sandbox = testSandbox();
    await client(sandbox, null).get('/_sandbox/checkout?key=pk_test_x');
    expect(sandbox.worlds.size).toBe(0);
  });
});

describe('pages and an admin token', () => {
  test.each(['sdk.js', 'checkout', 'checkout/', 'checkout.js', 'page.css', 'errors'])(
    'a browser that cannot send it may load %s all the same, which holds nothing',
    async (name) => {
      expect((await page({ adminToken: 'open-sesame' }).get(`/_sandbox/${name}`)).status).toBe(200);
    },
  );

  test.each(['triggers', 'worlds'])('%s is guarded by it', async (name) => {
    expect((await page({ adminToken: 'open-sesame' }).get(`/_sandbox/${name}`)).status).toBe(403);
  });
});
