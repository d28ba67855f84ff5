import { type ClientHttp2Session, constants } from 'node:http2';
import { Agent } from 'node:https';
import { connect as connectTcp } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import * as library from '../../../src/index.js';
import type { Host } from '../../../src/core/host.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';
import { type HttpListening, serveHttp, type HttpServeOptions } from '../../../src/node/http/serve.js';
import { createInnerSandbox, type InnerSandbox } from '../../../src/app/sandbox.js';
import { ask, askHttp1, chargeText, ended, JSON_KEY, KEY, openSession, openTls } from './secure-support.js';
import { temporaryFolder } from '../../support/folder.js';
import { keepGlobals, openWire, requestText, talk } from './support.js';

const RESET_BY_US = 'Stream closed with error code NGHTTP2_INTERNAL_ERROR';
const PROTECTION = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};
const CLOSE = ['Host: localhost', 'x-secretkey: sk_test_a', 'Connection: close'];

const restoreGlobals = keepGlobals();
const dir = temporaryFolder();
let sandbox: InnerSandbox;
let server: HttpListening;
let ca = '';
const sessions: ClientHttp2Session[] = [];

function open(options: Partial<HttpServeOptions> = {}): Promise<HttpListening> {
  return serveHttp(sandbox, {
    port: 0,
    host: '127.0.0.1',
    https: { dir },
    overrideGlobalObjects: true,
    ...options,
  });
}

async function session(url = server.url): Promise<ClientHttp2Session> {
  const opened = await openSession(url, ca);
  sessions.push(opened);
  return opened;
}

/** A connection of TLS that trusts the authority of the folder alone; rejects as the client does. */
function secure(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return openTls(port, ca, options);
}

/** Sends bytes over TLS, and reads until the server closes the connection. */
async function talkSecurely(port: number, text: string): Promise<string> {
  const socket = await secure(port);
  let came = '';
  socket.on('data', (bytes: Buffer) => (came += bytes.toString('latin1')));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text, 'latin1');
  await closed;
  return came;
}

async function count(reference: string): Promise<unknown> {
  const { json } = await askHttp1(`${server.url}/charge?reference=${reference}`, ca);
  return json['Count'];
}

beforeAll(async () => {
  // An answer that dribbles takes a hundredth of its time.
  const host: Host = { ...NODE_HOST, sleep: (ms, signal) => NODE_HOST.sleep(ms / 100, signal) };
  sandbox = createInnerSandbox(host, { clock: { mode: 'manual' }, batchPace: 0 });
  server = await open();
  ca = server.authority?.certificate ?? '';
});

afterEach(async () => {
  vi.useRealTimers();
  for (const opened of sessions.splice(0)) opened.destroy();
  // Whatever a test sent, the server is alive.
  const { status } = await askHttp1(`${server.url}/_sandbox/health`, ca);
  if (status !== 200) throw new Error('the server is not well after this test');
});

afterAll(async () => {
  await server.close(0);
  sandbox.close();
  restoreGlobals();
});

test('a condition on a header in capitals matches over HTTP/1.1 and HTTP/2', async () => {
  const when = { operation: 'charge.create', header: { 'X-Shop': 'abc' } };
  const Definition = { name: 'x', rules: [{ name: 'shop', when, then: { outcome: 'lost_card' } }] };
  const key = { 'x-secretkey': 'sk_test_header', 'content-type': 'application/json' };
  const http2 = await session();
  const put = await ask(
    http2,
    '/_sandbox/scenario',
    { ...key, ':method': 'PUT' },
    JSON.stringify({ Definition }),
  );
  expect(put.status).toBe(200);
  const sent = { headers: { ...key, 'X-Shop': 'abc' }, body: chargeText() };
  const one = await askHttp1(`${server.url}/charge/card`, ca, sent);
  const two = await ask(http2, '/charge/card', { ...key, 'x-shop': 'abc' }, sent.body);
  expect([one.headers['x-sandbox-trigger'], two.headers['x-sandbox-trigger']]).toEqual([
    'rule:shop',
    'rule:shop',
  ]);
});

describe('the handshake', () => {
  test('the address begins with https, and names the file that clients have to trust', () => {
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    expect(server.authority?.file).toBe(`${dir}/ca.pem`);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken', async (version) => {
    const socket = await secure(server.port, { minVersion: version, maxVersion: version });
    expect([socket.authorized, socket.getProtocol()]).toEqual([true, version]);
    socket.destroy();
  });

  test('TLS 1.1 is not', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    await expect(secure(server.port, old)).rejects.toThrow(/protocol version/);
  });

  test.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [undefined, false],
  ])('a client that offers %j gets %s', async (ALPNProtocols, spoken) => {
    const socket = await secure(server.port, ALPNProtocols === undefined ? {} : { ALPNProtocols });
    expect(socket.alpnProtocol).toBe(spoken);
    socket.destroy();
  });

  test('a client that offers no version of HTTP that is spoken is refused', async () => {
    await expect(secure(server.port, { ALPNProtocols: ['spdy/3.1'] })).rejects.toThrow(
      /no application protocol/,
    );
  });

  test('the certificate is good for localhost, 127.0.0.1, ::1, the bound host and the names given', async () => {
    const named = await open({ https: { dir, names: ['Pay.test'] } });
    for (const servername of ['localhost', 'pay.test']) {
      (await secure(named.port, { servername })).destroy();
    }
    const { status } = await askHttp1(`https://localhost:${named.port}/charge`, ca);
    expect(status).toBe(200);
    await expect(secure(named.port, { servername: 'example.com' })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    await named.close(0);
  });

  test('after a restart from the same folder, also with other names, the same authority is good', async () => {
    const again = await open({ https: { dir, names: ['other.test'] } });
    expect(again.authority).toEqual(server.authority);
    (await secure(again.port, { servername: 'other.test' })).destroy();
    await again.close(0);
  });

  test('where the folder cannot be used, nothing listens', async () => {
    await expect(open({ https: { dir: `${dir}/ca.pem` } })).rejects.toMatchObject({ name: 'TlsFolderError' });
  });
});

describe('clients that cannot connect', () => {
  test('plain HTTP gets a message to use https', async () => {
    const answer = await talk(server.port, requestText('GET /charge', CLOSE));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(
      /^x-content-type-options: nosniff\r\ncross-origin-resource-policy: same-origin\r$/m,
    );
    expect(answer).toMatch(/"Code":90,.*This port serves HTTPS; use https:\/\/ instead of http:\/\/\./);
  });

  test.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['an endless record', `\x16\x03\x01\xff\xff${'x'.repeat(70_000)}`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s: the connection is closed', async (_, text) => {
    expect(await talk(server.port, text)).not.toContain('HTTP/1.1 200');
  });

  test('a handshake that does not go on is cut off', async () => {
    const impatient = await open({ headersTimeoutMs: 50 });
    expect(await talk(impatient.port, '\x16\x03\x01')).toBe('');
    await impatient.close(0);
  });

  test('a client that breaks off the handshake is reported once; one that trusts, or only connects, is not', async () => {
    const onDistrust = vi.fn<() => void>();
    const listening = await open({ https: { dir, onDistrust } });
    const knock = connectTcp(listening.port, '127.0.0.1').end();
    await new Promise((resolve) => knock.once('close', resolve));
    await talk(listening.port, requestText('GET /charge', CLOSE));
    await askHttp1(`${listening.url}/charge`, ca);
    const trusting = await session(listening.url);
    await ask(trusting, '/charge');
    expect(onDistrust).not.toHaveBeenCalled();
    await expect(secure(listening.port, { ca: [] })).rejects.toThrow(/certificate/);
    await vi.waitFor(() => expect(onDistrust).toHaveBeenCalledExactlyOnceWith(listening.authority));
    await expect(secure(listening.port, { ca: [] })).rejects.toThrow(/certificate/);
    await askHttp1(`${listening.url}/charge`, ca);
    expect(onDistrust).toHaveBeenCalledOnce();
    await listening.close(0);
  });

  test('a server that closes in the midst of a handshake blames no client', async () => {
    const onDistrust = vi.fn<() => void>();
    const listening = await open({ https: { dir, onDistrust } });
    const half = connectTcp(listening.port, '127.0.0.1');
    half.on('error', () => {});
    half.write('\x16\x03\x01');
    await askHttp1(`${listening.url}/charge`, ca);
    await listening.close(0);
    expect(onDistrust).not.toHaveBeenCalled();
  });
});

describe('HTTP/1.1 over TLS', () => {
  test('a connection is kept for the next charge', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = `${server.url}/charge/card`;
    const one = await askHttp1(url, ca, { headers: JSON_KEY, body: chargeText(), agent });
    const two = await askHttp1(url, ca, { headers: JSON_KEY, body: chargeText(), agent });
    expect([one.status, two.status, one.reused, two.reused]).toEqual([201, 201, false, true]);
    expect(two.json).toMatchObject({ Status: 'SUCCESS', Amount: 20 });
    agent.destroy();
  });

  test.each([
    ['two Host headers', ['Host: localhost', ...CLOSE], 400],
    ['no Host', CLOSE.slice(1), 400],
    ['a stranger as the Host', ['Host: evil.com', ...CLOSE.slice(1)], 403],
    ['two keys', ['x-secretkey: sk_test_b', ...CLOSE], 401],
    ['headers above 32 KiB', [...CLOSE, `x-filler: ${'x'.repeat(40_000)}`], 431],
    ['a length that is none', [...CLOSE, 'Content-Length: 1e2'], 400],
  ])('%s: refused as without TLS', async (_, headers, status) => {
    const answer = await talkSecurely(server.port, requestText('GET /charge', headers));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('headers that take too long are a 408', async () => {
    const impatient = await open({ headersTimeoutMs: 2_000 });
    const answer = await talkSecurely(impatient.port, 'GET /charge HTTP/1.1\r\nHost: local');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    await impatient.close(0);
  });

  test.each(['reset', 'empty', 'reset; phase=after'])('the fault %s: no answer', async (fault) => {
    const headers = { ...JSON_KEY, 'x-sandbox-fault': fault };
    const reference = `http1-${fault.replaceAll(/\W+/g, '-')}`;
    const body = chargeText('4242424242424242', reference);
    const { status, error } = await askHttp1(`${server.url}/charge/card`, ca, { headers, body });
    expect([status, error]).toEqual([0, 'ECONNRESET']);
    expect(await count(reference)).toBe(fault.includes('after') ? 1 : 0);
  });

  test('a reset breaks the connection, and an empty answer ends it in order', async () => {
    const seen: Record<string, string | null> = {};
    for (const fault of ['reset', 'empty']) {
      const socket = await secure(server.port);
      seen[fault] = null;
      socket.on('error', (error: NodeJS.ErrnoException) => (seen[fault] = error.code ?? ''));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume().write(requestText('GET /charge', [...CLOSE, `x-sandbox-fault: ${fault}`]));
      await closed;
    }
    expect(seen).toEqual({ reset: 'ECONNRESET', empty: null });
  });

  test('a truncated answer breaks off', async () => {
    const headers = { ...KEY, 'x-sandbox-fault': 'truncate; phase=after' };
    const { status, text, error } = await askHttp1(`${server.url}/charge`, ca, { headers });
    expect([status, error]).toEqual([200, 'ECONNRESET']);
    expect(text).toMatch(/^\{"Limit/);
  });
});

describe('HTTP/2', () => {
  test('charges are approved, declined and searched, many at a time on one connection', async () => {
    const asking = await session();
    const cards = ['4242424242424242', '4000000000009995', '4242424242424242'];
    const answers = await Promise.all(
      cards.map((card) => ask(asking, '/charge/card', JSON_KEY, chargeText(card, 'many'))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 201]);
    expect(answers[0]?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      'x-sandbox-world': expect.any(String),
    });
    expect(answers[1]?.json).toMatchObject({ HttpStatus: 400, Code: 15, GatewayCode: '51' });
    expect((await ask(asking, '/charge?reference=many')).json).toMatchObject({ Count: 3 });
  });

  test('the journal shows the call as one of HTTP/1.1: a Host, and no names with a colon', async () => {
    const asking = await session();
    await ask(asking, '/charge/card', JSON_KEY, chargeText('4242424242424242', 'journal'));
    const { json } = await ask(asking, '/_sandbox/journal?Reference=journal');
    const [entry] = json['Entries'] as { Path: string; RequestHeaders: Record<string, string> }[];
    expect(entry).toMatchObject({ Method: 'POST', Path: '/charge/card', Status: 201 });
    const headers = Object.entries(entry?.RequestHeaders ?? {}).map(([name]) => name.toLowerCase());
    expect(headers.filter((name) => name.startsWith(':'))).toEqual([]);
    expect(JSON.stringify(entry)).toContain(`127.0.0.1:${server.port}`);
    expect(JSON.stringify(json)).not.toContain('sk_test_a');
  });

  test('HEAD has no body, a preflight no content', async () => {
    const asking = await session();
    const head = await ask(asking, '/charge', { ...KEY, ':method': 'HEAD' });
    expect([head.status, head.text, head.error]).toEqual([200, '', null]);
    const preflight = await ask(asking, '/charge', { ':method': 'OPTIONS', origin: 'http://localhost:1' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('http://localhost:1');
  });

  test('a client that sends Expect: 100-continue may continue', async () => {
    const asking = await session();
    const headers = { ':path': '/charge/card', ':method': 'POST', expect: '100-continue', ...JSON_KEY };
    const stream = asking.request(headers);
    const over = ended(stream);
    await new Promise((resolve) => stream.once('continue', resolve));
    stream.end(chargeText());
    expect((await over).status).toBe(201);
  });

  test.each([
    ['one :authority', { ':authority': 'localhost' }, 200],
    ['a Host alone', { host: 'localhost' }, 200],
    ['both, and the same', { ':authority': 'localhost:1', host: 'localhost:1' }, 200],
    ['both, and they differ', { ':authority': 'localhost', host: 'evil.com' }, 400],
    ['a stranger', { ':authority': 'evil.com' }, 403],
    ['a Host that is a stranger', { host: 'evil.com' }, 403],
    ['a malformed one', { ':authority': 'localhost:x' }, 400],
  ])('%s: %j is answered with %i', async (_, headers, status) => {
    const asking = await session();
    const answer = await ask(asking, '/charge', { ...KEY, ...headers });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(PROTECTION);
    if (status !== 200) expect(answer.json).toMatchObject({ HttpStatus: status, Code: 90 });
    expect(answer.headers['connection']).toBeUndefined();
  });

  test.each([
    ['two keys', { 'x-secretkey': ['sk_test_a', 'sk_test_a'] }, 401],
    ['an asterisk', { ':path': '*', ':method': 'OPTIONS', ...KEY }, 400],
    ['an Expect that nobody meets', { expect: 'a miracle', ...KEY }, 417],
    ['CONNECT', { ':method': 'CONNECT', ':path': undefined, ':authority': 'evil.com:443' }, 501],
  ])('%s: %j is refused with %i', async (_, headers, status) => {
    const asking = await session();
    const stream = asking.request({ ':path': '/charge', ...headers });
    stream.end();
    const answer = await ended(stream);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(PROTECTION);
  });

  test.each([
    ['one header', { 'x-filler': 'x'.repeat(40_000) }],
    ['many headers', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-filler-${i}`, 'x']))],
  ])('%s above the limit: the request is refused, and the server goes on', async (_, fillers) => {
    const asking = await session();
    // The limit holds from the moment on that the client has agreed to it.
    await ask(asking, '/charge');
    const { status, error } = await ask(asking, '/charge', { ...KEY, ...fillers });
    expect(status).not.toBe(200);
    expect(error).not.toBeNull();
  });

  test('headers above 32 KiB are refused also before the client has read that they would be', async () => {
    const { status, json } = await ask(await session(), '/charge', {
      ...KEY,
      'x-filler': 'x'.repeat(40_000),
    });
    expect([status, json['Code']]).toEqual([431, 90]);
  });

  test('a bug that even the app does not catch is a 500 without a stack', async () => {
    const app = { fetch: () => Promise.reject(new Error('secret')) } as unknown as InnerSandbox['app'];
    const broken = await serveHttp({ app }, { port: 0, host: '127.0.0.1', https: { dir } });
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { status, json, text } = await ask(await session(broken.url), '/charge');
    expect(write).toHaveBeenCalledWith(
      expect.stringContaining('GET /charge. This is a bug, please report it: Error: secret'),
    );
    write.mockRestore();
    expect([status, json['Code']]).toEqual([500, 1]);
    expect(text).not.toContain('secret');
    await broken.close(0);
  });

  test("a sandbox is served with the platform's own Request and Response as well", async () => {
    restoreGlobals();
    const own = library.createSandbox({ clock: { mode: 'manual' } });
    const listening = await library.serve(own, { https: { dir } });
    const asking = await session(listening.url);
    const answer = await ask(asking, '/charge/card', JSON_KEY, chargeText());
    expect([answer.status, answer.json['Status']]).toEqual([201, 'SUCCESS']);
    await listening.close();
    own.close();
  });
});

describe('faults over HTTP/2', () => {
  async function chargeWith(fault: string, reference: string) {
    const asking = await session();
    const headers = { ...JSON_KEY, 'x-sandbox-fault': fault };
    const slow = { ...JSON_KEY, 'x-sandbox-outcome': 'approve, delay=50ms' };
    const other = ask(asking, '/charge/card', slow, chargeText());
    const answer = await ask(asking, '/charge/card', headers, chargeText('4242424242424242', reference));
    // The connection carries others, and goes on.
    expect((await other).status).toBe(201);
    expect((await ask(asking, '/charge')).status).toBe(200);
    return answer;
  }

  test.each(['reset', 'empty', 'reset; phase=after', 'empty; phase=after'])(
    '%s breaks the stream alone',
    async (fault) => {
      const reference = fault.replaceAll(/\W+/g, '-');
      expect(await chargeWith(fault, reference)).toMatchObject({ status: 0, text: '', error: RESET_BY_US });
      expect(await count(reference)).toBe(fault.includes('after') ? 1 : 0);
    },
  );

  test('the card 4087 commits its charge and gives no answer', async () => {
    const asking = await session();
    const answer = await ask(asking, '/charge/card', JSON_KEY, chargeText('4000000000004087', 'lost'));
    expect(answer).toMatchObject({ status: 0, error: RESET_BY_US });
    expect(await count('lost')).toBe(1);
  });

  test('a truncated answer has half of the body that its length promises', async () => {
    const { status, headers, text, error } = await chargeWith('truncate; phase=after', 'truncate');
    expect([status, error]).toEqual([201, RESET_BY_US]);
    expect(text).toHaveLength(Math.ceil(Number(headers['content-length']) / 2));
    expect(headers['x-sandbox-fault']).toBe('truncate');
  });

  test('a malformed answer is not JSON, and one with a requested status has it', async () => {
    expect(await chargeWith('status=503', 'status')).toMatchObject({ status: 503, error: null });
    const asking = await session();
    const stream = asking.request({ ':path': '/charge', ...KEY, 'x-sandbox-fault': 'malformed' });
    let text = '';
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    await new Promise((resolve) => stream.once('close', resolve));
    expect(text).toBe('<html><body>502 Bad Gateway</body></html>');
  });

  test('a dribbling answer comes whole', async () => {
    const { status, json, headers } = await chargeWith('dribble; phase=before', 'dribble');
    expect([status, json['Code']]).toEqual([503, 37]);
    expect(headers['x-sandbox-fault']).toBe('dribble');
  });

  test('a hanging call gives nothing, and may be left', async () => {
    const asking = await session();
    const stream = asking.request({ ':path': '/charge', ...KEY, 'x-sandbox-fault': 'hang' });
    const over = ended(stream);
    expect((await ask(asking, '/charge')).status).toBe(200);
    stream.close(constants.NGHTTP2_CANCEL);
    expect((await over).status).toBe(0);
  });
});

describe('clients of HTTP/2 that are slow or go away', () => {
  test('one that leaves in the midst of its body has charged nothing', async () => {
    const asking = await session();
    const whole = chargeText('4242424242424242', 'left');
    for (const sent of [0, 10, whole.length]) {
      const stream = asking.request({ ':path': '/charge/card', ':method': 'POST', ...JSON_KEY });
      const over = ended(stream);
      stream.write(whole.slice(0, sent));
      // What was sent has arrived before the end of it is told.
      await ask(asking, '/charge');
      // Unlike close(), this does not end the body first.
      stream.destroy();
      await over;
    }
    const rude = await session();
    rude
      .request({ ':path': '/charge/card', ':method': 'POST', ...JSON_KEY })
      .on('error', () => {})
      .write(whole);
    await ask(rude, '/charge');
    rude.destroy();
    await ask(asking, '/charge');
    expect(await count('left')).toBe(0);
  });

  test('one that leaves before its answer has its charge all the same', async () => {
    const asking = await session();
    const headers = { ...JSON_KEY, 'x-sandbox-outcome': 'approve, delay=50ms' };
    const stream = asking.request({ ':path': '/charge/card', ':method': 'POST', ...headers });
    const over = ended(stream);
    stream.end(chargeText('4242424242424242', 'impatient'));
    while ((await count('impatient')) !== 1);
    stream.close(constants.NGHTTP2_CANCEL);
    await over;
    expect(await count('impatient')).toBe(1);
  });

  test('one that leaves in the midst of a long answer costs nothing, and another gets it whole', async () => {
    const asking = await session();
    const rows = `${'0'.repeat(32)},1.00,AUD,x\n`.repeat(20_000);
    const batch = {
      Count: 20_000,
      Description: 'x',
      Batch: `PaymentMethodId,Amount,Currency,Reference\n${rows}`,
    };
    const made = await ask(asking, '/batch/transaction/payment_method', JSON_KEY, JSON.stringify(batch));
    const path = `/batch/${String(made.json['BatchId'])}`;
    for (let call = 0; call < 3; call++) {
      const stream = asking.request({ ':path': path, ...KEY });
      await new Promise((resolve) => stream.once('data', resolve));
      stream.close(constants.NGHTTP2_CANCEL);
    }
    const { json } = await ask(asking, path);
    expect(String(json['Results']).trimEnd().split('\n')).toHaveLength(20_001);
  });

  test('a body above the limit is a 413 before its end, and is not waited for', async () => {
    const asking = await session();
    const stated = { ...JSON_KEY, 'content-length': 99_999_999, ':method': 'POST', ':path': '/charge/card' };
    const [early, counted] = [
      asking.request(stated),
      asking.request({ ...stated, 'content-length': undefined }),
    ];
    const answers = [ended(early), ended(counted)];
    for (let i = 0; i < 40; i++) counted.write(' '.repeat(65_536));
    expect((await answers[0])?.status).toBe(413);
    expect((await answers[1])?.status).toBe(413);
    expect((await ask(asking, '/charge')).status).toBe(200);
  });

  test('a body that no route reads does not disturb the next request', async () => {
    const asking = await session();
    expect((await ask(asking, '/nowhere', JSON_KEY, 'x'.repeat(1_000_000))).status).toBe(404);
    expect((await ask(asking, '/charge')).status).toBe(200);
  });

  test('a body that does not come in two minutes is a 408, and nothing is done', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asking = await session();
    const stream = asking.request({ ':path': '/charge/card', ':method': 'POST', ...JSON_KEY });
    const over = ended(stream);
    stream.write(chargeText('4242424242424242', 'slow'));
    await ask(asking, '/charge');
    vi.advanceTimersByTime(120_000);
    const { status, text } = await over;
    expect(status).toBe(408);
    expect(JSON.parse(text)).toMatchObject({ HttpStatus: 408, Code: 90 });
    expect(await count('slow')).toBe(0);
  });

  test('a connection without a request is closed: after 20 s at first, after 65 s later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [silent, idle] = [await session(), await session()];
    const closed = (one: ClientHttp2Session): Promise<unknown> =>
      new Promise((resolve) => one.once('close', resolve));
    await ask(idle, '/charge');
    // The stream has closed on the server too once the next answer is there.
    await ask(idle, '/charge');
    const gone = closed(silent);
    vi.advanceTimersByTime(20_000);
    await gone;
    expect(idle.closed).toBe(false);
    const over = closed(idle);
    vi.advanceTimersByTime(65_000);
    await over;
  });

  test('at most 100 requests at a time are accepted on one connection', async () => {
    const asking = await session();
    await ask(asking, '/charge');
    expect(asking.remoteSettings.maxConcurrentStreams).toBe(100);
  });
});

describe('closing', () => {
  test('idle connections of both versions end at once', async () => {
    const listening = await open();
    const agent = new Agent({ keepAlive: true });
    await askHttp1(`${listening.url}/charge`, ca, { agent });
    const asking = await session(listening.url);
    await ask(asking, '/charge');
    await listening.close(60_000);
    await vi.waitFor(() => expect(asking.destroyed).toBe(true));
    agent.destroy();
  });

  test('an answer under way is given, and then the connection ends', async () => {
    const listening = await open();
    const asking = await session(listening.url);
    const stream = asking.request({ ':path': '/charge/card', ':method': 'POST', ...JSON_KEY });
    const over = ended(stream);
    await ask(asking, '/charge');
    const goaway = new Promise((resolve) => asking.once('goaway', resolve));
    const closed = listening.close(60_000);
    await goaway;
    stream.end(chargeText());
    expect((await over).status).toBe(201);
    await closed;
  });

  test('one that never comes is cut off after the grace, as is a handshake', async () => {
    const listening = await open();
    const asking = await session(listening.url);
    const over = ask(asking, '/charge', { ...KEY, 'x-sandbox-fault': 'hang' });
    await ask(asking, '/charge');
    const half = await openWire(listening.port);
    half.send('\x16\x03\x01');
    await ask(asking, '/charge');
    await listening.close(10);
    expect((await over).status).toBe(0);
    expect(await half.closed()).toBe('');
  });
});
