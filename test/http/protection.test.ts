import { describe, expect, test } from 'vitest';

import { client, testSandbox } from '../support/sandbox.js';

type Send = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: object,
) => Promise<Response>;

const sending =
  (sandbox = testSandbox()): Send =>
  (method, path, headers = {}, body) =>
    sandbox.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );

const CHARGE = {
  Amount: '20.00',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' },
};
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };
const NAVIGATION = { ...CROSS_SITE, 'sec-fetch-mode': 'navigate' };

const protectionOf = (headers: Headers): (string | null)[] => [
  headers.get('x-content-type-options'),
  headers.get('cross-origin-resource-policy'),
];

describe('every answer is nosniff, and for pages of its own origin alone', () => {
  const send = sending(testSandbox({ adminToken: 'open-sesame' }));
  const get = (path: string, headers?: Record<string, string>) => send('GET', path, headers);
  const calls: Record<string, () => Promise<Response>> = {
    'an answer': () => get('/charge'),
    'a charge': () => send('POST', '/charge/card', {}, CHARGE),
    'a refusal': () => get('/charge/0'),
    'a refusal of the gate': () => get('/charge', { host: 'evil.com' }),
    'a refusal of a page': () => get('/_sandbox/journal', { origin: 'https://evil.com' }),
    'a refusal of the admin token': () => get('/_sandbox/world'),
    'a bad key': () => get('/charge', { 'x-secretkey': 'nothing' }),
    'an unknown path': () => get('/nowhere'),
    'a wrong method': () => send('PATCH', '/charge'),
    'a preflight': () => send('OPTIONS', '/charge/card'),
    'the dashboard': () => get('/_sandbox'),
    'the reference': () => get('/_sandbox/reference'),
    'a style sheet': () => get('/_sandbox/page.css'),
    'a script of our own pages': () => get('/_sandbox/dashboard.js'),
    'the description': () => get('/_sandbox/openapi.json'),
    health: () => get('/_sandbox/health'),
    'a status by fault': () => get('/charge', { 'x-sandbox-fault': 'status=503' }),
    'an empty answer by fault': () => get('/charge', { 'x-sandbox-fault': 'status=204' }),
    'an answer that is not JSON, by fault': () => get('/charge', { 'x-sandbox-fault': 'malformed' }),
  };

  test.each(Object.entries(calls))('%s', async (_, call) => {
    expect(protectionOf((await call()).headers)).toEqual(['nosniff', 'same-origin']);
  });

  test.each(['/_sandbox/sdk.js', '/v2.0.0/js/payfurl.js'])(
    '%s is a script that shops load: pages of any origin may',
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(protectionOf(headers)).toEqual(['nosniff', 'cross-origin']);
      const again = await get(path, { 'if-none-match': headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
      expect(protectionOf(again.headers)).toEqual(['nosniff', 'cross-origin']);
    },
  );
});

describe('a call of another site that has no Origin', () => {
  const send = sending();
  const get = (path: string, headers: Record<string, string>) => send('GET', path, headers);

  test.each([
    ['POST', '/charge/card'],
    ['DELETE', '/vault/e0000000000000000000000000000001'],
    ['PUT', '/customer/c0000000000000000000000000000001'],
    ['POST', '/_sandbox/reset'],
    ['POST', '/_sandbox/sdk.js'],
    ['GET', '/_sandbox/journal'],
    ['GET', '/_sandbox/health'],
    ['GET', '/_sandbox/dashboard.js'],
    ['GET', '/_sandbox/page/providers'],
  ])('%s %s is refused', async (method, path) => {
    const answer = await send(method, path, CROSS_SITE);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      Code: 90,
      Message: expect.stringContaining('Sec-Fetch-Site: cross-site, without an Origin'),
    });
  });

  test.each([
    ['POST', '/charge/card'],
    ['POST', '/_sandbox/reset'],
    ['GET', '/_sandbox/journal'],
    ['GET', '/_sandbox/page/providers'],
  ])('%s %s is refused as a navigation too', async (method, path) => {
    const { status } = await send(method, path, NAVIGATION);
    expect(status).toBe(403);
  });

  test.each(['', '/checkout', '/reference', '/errors', '/openapi.json', '/pay/0', '/3ds/0'])(
    'a link to the page /_sandbox%s is followed',
    async (path) => {
      expect((await get(`/_sandbox${path}`, NAVIGATION)).status).not.toBe(403);
    },
  );

  test.each(['/charge', '/_sandbox/sdk.js', '/v2.0.0/js/payfurl.js'])(
    'GET %s is answered: it changes nothing, and its page cannot read what is not for it',
    async (path) => {
      expect((await get(path, CROSS_SITE)).status).toBe(200);
    },
  );

  test.each(['same-origin', 'same-site', 'none'])(
    'is one only if the browser says so, not %s',
    async (site) => {
      const headers = { 'sec-fetch-site': site };
      expect((await get('/_sandbox/world', headers)).status).toBe(200);
      expect((await send('POST', '/_sandbox/reset', headers)).status).toBe(200);
    },
  );

  test('is judged by its Origin if it has one', async () => {
    const trusted = { ...CROSS_SITE, origin: 'http://localhost:3000' };
    expect((await send('POST', '/_sandbox/reset', trusted)).status).toBe(200);
    const other = { ...NAVIGATION, origin: 'https://evil.com' };
    expect((await get('/_sandbox', other)).status).toBe(403);
  });

  test('is reported, since the browser hides the reason', async () => {
    const reasons: string[] = [];
    const api = client(testSandbox({ onTurnedAway: (detail) => reasons.push(detail) }));
    await api.get('/_sandbox/journal', CROSS_SITE);
    expect(reasons).toEqual([expect.stringContaining('--allowed-origin')]);
  });
});
