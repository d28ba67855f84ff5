import { describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/index.js';
import { client, testHost, testSandbox } from '../support/sandbox.js';

const CHARGE = { Amount: 20, Token: 'tok_approve' };
const HEADERS = { 'x-secretkey': 'sk_test_mounted', 'content-type': 'application/json' };
const LINK = { Title: 'A chair' };

/** Makes a payment link by a request as a framework passes it on: its address need not be the one that the client called. */
async function linkBy(
  headers: Record<string, string>,
  trustProxy?: boolean,
  address = 'http://localhost:3000/payment_link',
) {
  const sandbox = testSandbox({
    allowedHosts: ['shop.example.com'],
    ...(trustProxy === undefined ? {} : { trustProxy }),
  });
  const init = { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(LINK) };
  const answer = await sandbox.fetch(new Request(address, init));
  const body = (await answer.json()) as { readonly Url?: string; readonly Message?: string };
  return { status: answer.status, home: body.Url?.replace(/\/_sandbox.*/, ''), said: body.Message };
}

describe('The address of a mounted sandbox', () => {
  test('is the Host that the client sent, not that of the Request', async () => {
    expect(await linkBy({ host: '127.0.0.1:8080' })).toMatchObject({ home: 'http://127.0.0.1:8080' });
    expect(await linkBy({ host: 'SHOP.example.com:80' })).toMatchObject({ home: 'http://shop.example.com' });
    expect(await linkBy({})).toMatchObject({ home: 'http://localhost:3000' });
  });

  test.each([
    ['Host', { host: 'evil.com' }, undefined],
    ['the address of the Request', { host: 'localhost:3000' }, 'http://evil.com/payment_link'],
    [
      'X-Forwarded-Host, where it is trusted',
      { host: 'localhost', 'x-forwarded-host': 'evil.com' },
      undefined,
    ],
    [
      'Host, also if a trusted header has another',
      { host: 'evil.com', 'x-forwarded-host': 'localhost' },
      undefined,
    ],
  ])('is refused if %s is a name that strangers can own', async (_, headers, address) => {
    const { status, said } = await linkBy(headers, true, address);
    expect([status, said]).toEqual([403, expect.stringContaining('the host evil.com')]);
    expect(said).toMatch(/--allowed-host evil\.com, in a program with the option allowedHosts\.$/);
  });

  test.each([['999.1.2.3'], ['xn--a'], ['a..b']])(
    'is refused if %s, which no link can have, is the Host',
    async (host) => {
      expect(await linkBy({ host })).toMatchObject({
        status: host === 'a..b' ? 403 : 400,
        home: undefined,
      });
    },
  );

  test('follows the headers of a proxy only with trustProxy', async () => {
    const headers = {
      host: '127.0.0.1:3000',
      'x-forwarded-host': 'shop.example.com, proxy.local',
      'x-forwarded-proto': 'https, http',
    };
    expect(await linkBy(headers)).toMatchObject({ home: 'http://127.0.0.1:3000' });
    expect(await linkBy(headers, true)).toMatchObject({ home: 'https://shop.example.com' });
    const odd = { host: 'localhost', 'x-forwarded-proto': 'javascript' };
    expect(await linkBy(odd, true)).toMatchObject({ home: 'http://localhost' });
  });

  test('stands in every link, and in its description', async () => {
    const sandbox = testSandbox({ basePath: '/pay' });
    const read = async (path: string) => {
      const request = new Request(`http://localhost:3000${path}`, {
        headers: { ...HEADERS, host: 'api.test:81' },
      });
      return (await sandbox.fetch(request)).json();
    };
    await client(sandbox, 'sk_test_mounted').post('/payment_link', LINK);
    expect(await read('/_sandbox/records/payment-links')).toMatchObject({
      Records: [{ Url: expect.stringMatching(/^http:\/\/api\.test:81\/pay\/_sandbox\/pay\//) }],
    });
    const { servers, paths } = await read('/_sandbox/openapi.json');
    expect(servers).toEqual([{ url: 'http://api.test:81/pay' }]);
    expect(Object.keys(paths as object)).toContain('/charge/token');
  });
});

describe('A basePath', () => {
  test.each(['/pay/charge/token', '/api/v2/charge/token'])(
    'that was forgotten is named by the answer to %s',
    async (path) => {
      const { status, body } = await client(testSandbox()).post(path, CHARGE);
      const at = path.slice(0, -'/charge/token'.length);
      expect(status).toBe(404);
      expect(body['Message']).toContain(
        `Did you mean /charge/token? If an app mounts the sandbox under ${at}, create it with basePath: "${at}".`,
      );
    },
  );

  test('that was forgotten is named to a visitor without a key', async () => {
    const { status, body } = await client(testSandbox(), null).get('/pay/_sandbox');
    expect([status, body['Message']]).toEqual([404, expect.stringContaining('basePath: "/pay"')]);
  });

  test.each([
    ['', { url: '/pay/charge' }, '/pay'],
    ['', { url: '/charge?Limit=5', originalUrl: '/pay/charge?Limit=5' }, '/pay'],
    ['/payments', { url: '/charge', originalUrl: '/pay/charge' }, '/pay'],
    ['/pay', { url: '/charge', originalUrl: '/pay/charge' }, null],
    ['/pay', { url: '/charge' }, null],
  ])('%j behind %j is reported once if it is wrong', async (basePath, incoming, at) => {
    const warned: string[] = [];
    const host = { ...testHost(), warn: (message: string) => warned.push(message) };
    const sandbox = createSandbox({ basePath, host });
    const request = () => new Request('http://localhost/charge', { headers: HEADERS });
    for (let n = 0; n < 2; n++) expect((await sandbox.fetch(request(), { incoming })).status).toBe(200);
    const report = `the sandbox is mounted under /pay, but its basePath is "${basePath}", so its links are wrong. Create it with basePath: "/pay".`;
    expect(warned).toEqual(at === null ? [] : [report]);
  });
});

const JSON_TYPE = 'application/json; charset=utf-8';

/** Charges by a request whose body a parser has read, with what the parser left. */
async function charged(text: string, left: object, type = JSON_TYPE, coding?: string) {
  const sandbox = createSandbox({ clock: 'manual' });
  const length =
    coding === undefined ? { 'content-length': String(new TextEncoder().encode(text).length) } : {};
  const headers = { ...HEADERS, ...length, 'content-type': type };
  const request = new Request('http://localhost/charge/token', { method: 'POST', headers, body: text });
  // Nothing is left of it.
  await request.text();
  const incoming = { headers: { ...headers, 'transfer-encoding': coding }, readableDidRead: true, ...left };
  const answer = await sandbox.fetch(request, { incoming });
  const { Message } = (await answer.json()) as { readonly Message?: string };
  const [call] = await sandbox.world('sk_test_mounted').journal.entries();
  return { status: answer.status, Message, sent: call?.requestBody };
}

describe('A body that a parser has read', () => {
  const text = JSON.stringify({ ...CHARGE, Reference: 'Käse' });
  const body: unknown = JSON.parse(text);

  test.each([
    ['its bytes', text, { rawBody: new TextEncoder().encode(text), body: 'other' }],
    ['bytes as the body', text, { body: new TextEncoder().encode(text) }],
    ['its text', text, { rawBody: text, body }],
    ['its text as the body', text, { body: text }],
    ['compact JSON', text, { body }],
    ['JSON with spaces', text.replaceAll(/([:,])"/g, '$1 "').replace(':20', ': 20'), { body }],
    ['indented JSON', JSON.stringify(body, null, 2), { body }],
  ])('is taken from %s', async (_, sent, left) => {
    expect(await charged(sent, left)).toMatchObject({ status: 201, sent: body });
  });

  const lost = (sent: string) => [sent, { body: JSON.parse(sent) as unknown }] as const;
  test.each([
    ['without what the parser left', text, {}],
    ['that was an amount with zeros', ...lost('{"Amount":20.10,"Token":"tok_approve"}')],
    ['that had a field twice', ...lost('{"Amount":20,"Amount":30,"Token":"tok_approve"}')],
    ['that had a number with too many digits', ...lost('{"Amount":9007199254740993,"Token":"tok_approve"}')],
    ['that had an infinite number', ...lost('{"Amount":1e999,"Token":"tok_approve"}')],
    ['that was nested too deeply', ...lost(`{"Metadata":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)],
  ])('and %s is refused with the way out', async (_, sent, left) => {
    const { status, Message } = await charged(sent, left);
    expect([status, Message]).toEqual([
      500,
      'Validation Error: A parser of application/json (express.json(), bodyParser() of Koa, or the own one of Fastify) read this body before the sandbox, and what it left cannot be turned back into the bytes that were sent. Mount the sandbox before the parser, or let it keep the bytes as rawBody of the request.',
    ]);
  });

  test('in pieces, without a length, is refused unless its bytes are there', async () => {
    expect((await charged(text, { body }, JSON_TYPE, 'chunked')).status).toBe(500);
    expect(
      (await charged(text, { rawBody: new TextEncoder().encode(text) }, JSON_TYPE, 'chunked')).status,
    ).toBe(201);
  });

  test.each([
    ['application/x-www-form-urlencoded', 'express.urlencoded()'],
    ['multipart/form-data; boundary=x', 'multer'],
    ['text/plain', 'express.text()'],
  ])('as %s names its parser', async (type, parser) => {
    expect((await charged('Amount=20', { body: { Amount: '20' } }, type)).Message).toContain(parser);
  });

  test('is refused as one, if only the Request shows it', async () => {
    const sandbox = createSandbox();
    const init = {
      method: 'POST',
      headers: { ...HEADERS, 'content-length': String(text.length + 1) },
      body: text,
    };
    const request = new Request('http://localhost/charge/token', init);
    await request.text();
    const answer = await sandbox.fetch(request);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('Mount the sandbox before the parser');
  });

  test('counts for the limit of a body', async () => {
    const sandbox = createSandbox({ bodyLimit: 10 });
    const request = new Request('http://localhost/charge/token', { method: 'POST', headers: HEADERS });
    const incoming = { headers: HEADERS, rawBody: new TextEncoder().encode(text) };
    expect((await sandbox.fetch(request, { incoming })).status).toBe(413);
  });
});

test.each([
  ['without a signal', undefined],
  ['with the signal of h3', AbortSignal.abort(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))],
])('A client that leaves while it sends is no internal error %s', async (_, aborted) => {
  const bugs: unknown[] = [];
  const gone = new AbortController();
  const sandbox = createSandbox({ host: { ...testHost(), reportBug: (error) => bugs.push(error) } });
  const pieces = [new TextEncoder().encode('{"Amount":')];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.pop();
      if (piece !== undefined) return controller.enqueue(piece);
      if (aborted !== undefined) gone.abort(aborted.reason);
      return controller.error(new Error('aborted'));
    },
  });
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: HEADERS,
    body,
    duplex: 'half',
    signal: gone.signal,
  };
  const answer = await sandbox.fetch('/charge/token', init);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('The connection ended before the whole body had arrived.');
  expect(bugs).toEqual([]);
});
