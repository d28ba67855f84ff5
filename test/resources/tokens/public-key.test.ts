import { describe, expect, test } from 'vitest';

import { client, good, testSandbox } from '../../support/sandbox.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';

const BODY = { PaymentInformation: cardOf() };
const PUBLIC = { 'x-publickey': 'pk_test_shop', providerid: STEADY };
/** A front end in development. */
const ORIGIN = 'http://localhost:5173';

function setup(options = {}) {
  const sandbox = testSandbox(options);
  return { sandbox, page: client(sandbox, null), shop: client(sandbox, 'sk_test_shop') };
}

describe('a public key', () => {
  test('makes tokens in the world of its secret key, which charges them', async () => {
    const { page, shop, sandbox } = setup();
    const made = await page.post('/token/card/', BODY, PUBLIC);
    expect(made.status).toBe(201);
    const charge = { Amount: 5, Token: textIn(made, 'TokenId') };
    expectRefused(await client(sandbox, 'sk_test_other').post('/charge/token', charge), 400, 51);
    expect((await shop.post('/charge/token', charge)).status).toBe(201);
  });

  test.each<['get' | 'post' | 'del', string]>([
    ['get', '/token'],
    ['get', `/token/${'0'.repeat(32)}`],
    ['post', '/token/payto'],
    ['get', `/info/providers/${STEADY}`],
    ['get', '/nowhere'],
    ['post', '/charge/token'],
    ['get', '/charge'],
    ['get', '/_sandbox/world'],
    ['post', '/_sandbox/reset'],
    ['get', '/_sandbox/state'],
  ])('reaches nothing else: %s %s', async (method, path) => {
    const { page, sandbox } = setup();
    const answer = method === 'post' ? await page.post(path, BODY, PUBLIC) : await page[method](path, PUBLIC);
    expect(expectRefused(answer, 401, 40)).toContain('This call does not accept a public key');
    expect(sandbox.worlds.size).toBe(0);
  });

  test.each([
    ['sk_test_shop', 'never be in a page'],
    ['pk_live_shop', 'starts with pk_test_'],
    ['shop', 'starts with pk_test_'],
    ['', 'starts with pk_test_'],
    ['pk_test_a, pk_test_b', 'one key'],
    [`pk_test_${'x'.repeat(249)}`, 'one key'],
    ['pk_test_invalid', 'always refused'],
    ['pk_test_revoked', 'always refused'],
  ])('that is %s is a 401 that does not repeat it', async (key, reason) => {
    const { page, sandbox } = setup({ keys: ['shop'] });
    const answer = await page.post('/token/card', BODY, { ...PUBLIC, 'x-publickey': key });
    expect(expectRefused(answer, 401, 40)).toContain(reason);
    if (key.includes('shop')) expect(answer.text).not.toContain('shop');
    expect(sandbox.worlds.size).toBe(0);
  });

  test('makes tokens at the cheapest provider and lists the ways to pay', async () => {
    const { page, shop } = setup();
    const made = await good(
      page.post('/token/card/least_cost', { ...BODY, Amount: 5, Currency: 'AUD' }, PUBLIC),
    );
    await good(shop.post('/charge/token', { Amount: 5, Token: textIn(made, 'TokenId') }));
    await good(shop.post('/provider', { Type: 'upi', Name: 'x', Environment: 'SANDBOX', Currency: 'AUD' }));
    const ways = await good(page.get('/info/providers', PUBLIC));
    expect(ways.body).toMatchObject({ HasCardProviders: true });
    expect(ways.headers.get('x-sandbox-world')).toBe(made.headers.get('x-sandbox-world'));
  });

  test.each(['secret', 'secret, secret', 'sk_live_x', 'sk_test_other', ''])(
    'decides, whatever the secret one holds: %s',
    async (secret) => {
      const { sandbox, page } = setup();
      const headers = { ...PUBLIC, 'x-secretkey': secret };
      const checked = await good(page.get('/info/providers?Amount=0', headers));
      const own = await good(page.get('/info/providers', PUBLIC));
      expect(checked.headers.get('x-sandbox-world')).toBe(own.headers.get('x-sandbox-world'));
      await good(page.post('/token/card', BODY, headers));
      expectRefused(await page.post('/charge/card', BODY, headers), 401, 40);
      expectRefused(await page.get('/info/providers', { ...headers, 'x-publickey': 'pk_live_x' }), 401, 40);
      expect(sandbox.worlds.size).toBe(1);
    },
  );

  test('that is limited is so with its secret key', async () => {
    const { page } = setup();
    const headers = { ...PUBLIC, 'x-publickey': 'pk_test_limited' };
    for (let call = 1; call <= 5; call++)
      expect((await page.post('/token/card', BODY, headers)).status).toBe(201);
    expect((await page.post('/token/card', BODY, headers)).status).toBe(429);
  });

  test('is hidden in the journal, since it gives the secret one away', async () => {
    const { page, shop } = setup();
    await page.post('/token/card', BODY, PUBLIC);
    const { text } = await shop.get('/_sandbox/journal');
    expect(text).toContain('x-publickey');
    expect(text).not.toContain('pk_test_shop');
  });
});

describe('a page of another origin', () => {
  const ask = (origin: string) => ({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,providerid,x-publickey,x-sandbox-dialect',
  });

  async function preflight(origin: string, allowedOrigins: string[] = []) {
    const { sandbox } = setup({ allowedOrigins });
    return sandbox.fetch(
      new Request('http://localhost/token/card', { method: 'OPTIONS', headers: ask(origin) }),
    );
  }

  test.each([
    [ORIGIN, []],
    ['http://127.0.0.1:3000', []],
    ['https://shop.example.com', ['https://shop.example.com']],
    ['null', ['null']],
  ])('%s may ask and send', async (origin, allowedOrigins) => {
    const asked = await preflight(origin, allowedOrigins);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const allowed = asked.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['content-type', 'x-publickey', 'providerid', 'x-sandbox-dialect']),
    );
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
    const { page } = setup({ allowedOrigins });
    const made = await page.post('/token/card', BODY, { ...PUBLIC, origin });
    expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
  });

  test.each(['https://shop.example.com', 'null'])('%s may not, unless it is allowed', async (origin) => {
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
    const { page, sandbox } = setup();
    const refused = await page.post('/token/card', BODY, { ...PUBLIC, origin });
    expect(expectRefused(refused, 403, 90)).toContain('--allowed-origin');
    expect(sandbox.worlds.size).toBe(0);
  });

  test('reads refusals as well', async () => {
    const { page } = setup();
    const refused = await page.post('/token/card', {}, { ...PUBLIC, origin: ORIGIN });
    expectRefused(refused, 400, 81);
    expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });
});
