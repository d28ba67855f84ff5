import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import * as library from '../../../src/index.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';
import { type HttpListening, serveHttp } from '../../../src/node/http/serve.js';
import { createInnerSandbox, type InnerSandbox } from '../../../src/app/sandbox.js';
import { chargeText } from './secure-support.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk } from './support.js';
import { words } from '../../support/tables.js';

/** The JSON body of the one answer in a text. */
function bodyOf(answer: string): Record<string, unknown> {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

let sandbox: InnerSandbox;
let server: HttpListening;

async function start(): Promise<void> {
  sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' } });
  server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1', overrideGlobalObjects: true });
}

async function countCharges(): Promise<unknown> {
  const answer = await fetch(`${server.url}/charge`, { headers: { 'x-secretkey': 'sk_test_a' } });
  return ((await answer.json()) as { Count: number }).Count;
}

describe("as a library, with the platform's own Request and Response", () => {
  test('serving replaces no global of its process', async () => {
    const names = Object.getOwnPropertyNames(globalThis);
    const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const own = library.createSandbox();
    const listening = await library.serve(own);
    expect((await fetch(`${listening.url}/_sandbox/health`)).status).toBe(200);
    expect(Object.getOwnPropertyNames(globalThis)).toEqual(names);
    const after = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    expect(
      names.filter(
        (_, i) => !Object.is(after[i]?.value, before[i]?.value) || after[i]?.get !== before[i]?.get,
      ),
    ).toEqual([]);
    await listening.close();
    own.close();
  });

  test('a connection waits 5 s for its next request, so that a client that did not read its answer can end', async () => {
    const own = library.createSandbox();
    const listening = await library.serve(own);
    const answer = await fetch(`${listening.url}/_sandbox/health`);
    expect(answer.headers.get('keep-alive')).toBe('timeout=5');
    await listening.close();
    own.close();
  });

  test('a sandbox answers within the process, and over a port of its own', async () => {
    const own = library.createSandbox({ clock: { mode: 'manual' } });
    const init = {
      method: 'POST',
      headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' },
    };
    const inside = await own.fetch(
      new Request('http://localhost/charge/card', { ...init, body: chargeText() }),
    );
    expect(inside.status).toBe(201);

    const listening = await library.serve(own);
    expect(listening.url).toBe(`http://127.0.0.1:${listening.port}`);
    const outside = await fetch(`${listening.url}/charge/card`, { ...init, body: chargeText() });
    expect(outside.status).toBe(201);
    expect(outside.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const headers = { 'x-secretkey': 'sk_test_a', origin: 'http://localhost:5173' };
    const list = await fetch(`${listening.url}/charge`, { headers });
    expect(await list.json()).toMatchObject({ Count: 2 });
    expect((await fetch(`${listening.url}/charge`, { method: 'OPTIONS', headers })).status).toBe(204);
    expect((await fetch(`${listening.url}/charge`, { method: 'HEAD', headers })).status).toBe(200);
    await listening.close();
    own.close();
  });

  test('another host may be passed in', async () => {
    const host = { ...NODE_HOST, now: () => Date.UTC(2030, 0, 1) };
    const own = library.createSandbox({ host });
    const request = new Request('http://localhost/_sandbox/clock', {
      headers: { 'x-secretkey': 'sk_test_a' },
    });
    expect(await (await own.fetch(request)).json()).toMatchObject({
      Now: '2030-01-01T00:00:00.000Z',
      Mode: 'real',
    });
    own.close();
  });
});

describe('over a socket', () => {
  beforeAll(async () => {
    await start();
  });
  afterEach(async () => {
    // Whatever a test sent, the server is alive.
    const { ok } = await fetch(`${server.url}/_sandbox/health`);
    if (!ok) throw new Error('the server is not well after this test');
  });
  afterAll(async () => {
    await server.close(0);
    sandbox.close();
  });

  test('an answer has our headers and those of the connection, no others', async () => {
    const answer = await talk(server.port, requestText('GET /charge', [HOST, KEY, CLOSE]));
    const [line, ...headers] = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n');
    expect(line).toBe('HTTP/1.1 200 OK');
    expect(headers.map((header) => header.split(':')[0]?.toLowerCase()).sort()).toEqual(words`
      connection content-length content-type cross-origin-resource-policy date
      x-content-type-options x-request-id x-sandbox-world
    `);
  });

  test('a body is accepted with a stated length and in chunks', async () => {
    const before = (await countCharges()) as number;
    const stated = requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, CLOSE], chargeText());
    expect(await talk(server.port, stated)).toMatch(/^HTTP\/1\.1 201 /);
    const headers = [HOST, KEY, JSON_TYPE, CLOSE, 'Transfer-Encoding: chunked'];
    const body = `${chunked(chargeText().slice(0, 10))}${chunked(chargeText().slice(10))}0\r\n\r\n`;
    expect(await talk(server.port, requestText('POST /charge/card', headers, body))).toMatch(
      /^HTTP\/1\.1 201 /,
    );
    expect(await countCharges()).toBe(before + 2);
  });

  test('a body that comes byte by byte is accepted', async () => {
    const wire = await openWire(server.port);
    wire.socket.setNoDelay(true);
    for (const byte of requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, CLOSE], chargeText()))
      wire.send(byte);
    expect(await wire.closed()).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('requests on one connection are answered in their order', async () => {
    const texts = ['/charge/1', '/charge/2', '/charge/3'].map((path) =>
      requestText(`GET ${path}`, [HOST, KEY]),
    );
    const last = requestText('GET /charge/4', [HOST, KEY, CLOSE]);
    const answers = await talk(server.port, [...texts, last].join(''));
    expect([...answers.matchAll(/"Resource":"([^"]*)"/g)].map(([, path]) => path)).toEqual([
      '/charge/1',
      '/charge/2',
      '/charge/3',
      '/charge/4',
    ]);
  });

  test('a client that sends Expect: 100-continue may continue', async () => {
    const wire = await openWire(server.port);
    const headers = [
      HOST,
      KEY,
      JSON_TYPE,
      CLOSE,
      'Expect: 100-continue',
      `Content-Length: ${chargeText().length}`,
    ];
    wire.send(requestText('POST /charge/card', headers));
    expect(await wire.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 Continue/);
    wire.send(chargeText());
    expect(await wire.closed()).toContain('HTTP/1.1 201 Created');
  });

  test('an upgrade to another protocol is not offered: the request is answered as it is', async () => {
    const headers = [HOST, KEY, 'Connection: upgrade, close', 'Upgrade: websocket'];
    expect(await talk(server.port, requestText('GET /charge', headers))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('HEAD and the answer to a preflight have no body', async () => {
    const head = await talk(server.port, requestText('HEAD /charge', [HOST, KEY, CLOSE]));
    expect(head).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
    const whole = await talk(server.port, requestText('GET /charge', [HOST, KEY, CLOSE]));
    const headersOf = (answer: string): string[] =>
      answer
        .slice(0, answer.indexOf('\r\n\r\n'))
        .split('\r\n')
        .map((line) => line.toLowerCase())
        .filter((line) => !/^(?:date|x-request-id):/.test(line))
        .sort();
    expect(headersOf(head)).toEqual(headersOf(whole));
    const options = await talk(
      server.port,
      requestText('OPTIONS /charge', [HOST, CLOSE, 'Origin: http://localhost:1']),
    );
    expect(options).toMatch(/^HTTP\/1\.1 204 [^]*\r\n\r\n$/);
    expect(options).toContain('access-control-allow-origin: http://localhost:1');
  });

  /** `test/hostile` has all that is no HTTP, and what each is told. */
  test('a request that is not HTTP is a 400 with its own id, and the connection is closed', async () => {
    const ids = new Set();
    for (const text of ['nonsense', 'GET charge HTTP/1.1', 'get /charge HTTP/1.1']) {
      const answer = await talk(server.port, `${text}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(bodyOf(answer)).toMatchObject({ HttpStatus: 400, Code: 90, Resource: null });
      ids.add(/\r\nx-request-id: ([0-9a-f]{32})\r\n/.exec(answer)?.[1]);
    }
    expect([ids.size, ids.has(undefined)]).toEqual([3, false]);
  });

  describe('clients that are slow or go away', () => {
    test('headers that take too long are a 408', async () => {
      const impatient = await serveHttp(sandbox, { port: 0, host: '127.0.0.1', headersTimeoutMs: 50 });
      const wire = await openWire(impatient.port);
      wire.send('GET /charge HTTP/1.1\r\nHost: local');
      const answer = await wire.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(bodyOf(answer)).toMatchObject({ HttpStatus: 408, Code: 90 });
      await impatient.close(0);
    });

    test('one that leaves in the midst of its headers or its body leaves nothing behind', async () => {
      const before = await countCharges();
      const whole = requestText('POST /charge/card', [HOST, KEY, JSON_TYPE], chargeText());
      for (const sent of [10, whole.length - 100, whole.length - 1]) {
        const wire = await openWire(server.port);
        wire.send(whole.slice(0, sent));
        wire.socket.end();
        await wire.closed();
        const rude = await openWire(server.port);
        rude.send(whole.slice(0, sent));
        rude.socket.resetAndDestroy();
        await rude.closed();
      }
      expect(await countCharges()).toBe(before);
    });

    test('one that leaves before its answer has its charge all the same', async () => {
      const before = (await countCharges()) as number;
      const wire = await openWire(server.port);
      wire.send(
        requestText(
          'POST /charge/card',
          [HOST, KEY, JSON_TYPE, 'x-sandbox-outcome: approve, delay=50ms'],
          chargeText(),
        ),
      );
      while ((await countCharges()) !== before + 1);
      wire.socket.resetAndDestroy();
      await wire.closed();
      expect(await countCharges()).toBe(before + 1);
    });
  });

  test('a body that no route reads does not disturb the next request', async () => {
    const first = requestText('POST /nowhere', [HOST, KEY, JSON_TYPE], 'x'.repeat(100_000));
    const answers = await talk(server.port, first + requestText('GET /charge', [HOST, KEY, CLOSE]));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('the card 4087 commits its charge and closes the connection without a byte', async () => {
    const text = requestText(
      'POST /charge/card',
      [HOST, KEY, JSON_TYPE],
      chargeText('4000000000004087', 'lost'),
    );
    expect(await talk(server.port, text)).toBe('');
    const found = await fetch(`${server.url}/charge?reference=lost`, {
      headers: { 'x-secretkey': 'sk_test_a' },
    });
    expect(await found.json()).toMatchObject({ Count: 1, Charges: [{ Status: 'SUCCESS', Amount: 20 }] });
  });

  test('a bug that even the app does not catch is a 500 without a stack, which stderr has with its secrets masked', async () => {
    const BUG = 'secret 4111111111111111 sk_test_4f9a8b7c {"Ccv":"847","Authorization":"Bearer abc"}';
    const app = {
      fetch: () => Promise.reject(new Error(BUG)),
    } as unknown as InnerSandbox['app'];
    const broken = await serveHttp({ app }, { port: 0, host: '127.0.0.1' });
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const answer = await talk(broken.port, requestText('GET /charge?Reference=a', [HOST, KEY]));
    const [[printed] = []] = write.mock.calls;
    write.mockRestore();
    expect(printed).toMatch(
      /^playmoney: internal error in GET \/charge\. This is a bug, please report it: Error: secret 4111\*{8}1111 sk_\*{3} \{"Ccv":"\*{3}","Authorization":"\*{3}"\}\n +at /,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 500 /);
    expect(bodyOf(answer)).toMatchObject({ HttpStatus: 500, Code: 1 });
    expect(answer).not.toContain('secret');
    await broken.close(0);
  });
});

describe('opening and closing', () => {
  test('a port in use rejects with EADDRINUSE', async () => {
    const first = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
    await expect(serveHttp(sandbox, { port: first.port, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.close();
  });

  test('an IPv6 address is in brackets', async () => {
    const listening = await serveHttp(sandbox, { port: 0, host: '::1' }).catch(
      (error: NodeJS.ErrnoException) => {
        // A machine without IPv6 has nothing to show.
        if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
        return null;
      },
    );
    if (listening === null) return;
    expect(listening.url).toBe(`http://[::1]:${listening.port}`);
    expect((await fetch(`${listening.url}/_sandbox/health`)).status).toBe(200);
    await listening.close();
  });

  test('idle connections end at once', async () => {
    const listening = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
    const wire = await openWire(listening.port);
    wire.send(requestText('GET /charge', [HOST, KEY]));
    await wire.until('"Charges"');
    await listening.close(60_000);
    expect(await wire.closed()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('an answer under way is given, and then its connection ends', async () => {
    const listening = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
    const wire = await openWire(listening.port);
    const headers = [HOST, KEY, JSON_TYPE, 'Expect: 100-continue', `Content-Length: ${chargeText().length}`];
    wire.send(requestText('POST /charge/card', headers));
    await wire.until('100 Continue');
    const closed = listening.close(60_000);
    wire.send(chargeText());
    const answers = await wire.closed();
    expect(answers).toContain('HTTP/1.1 201 Created');
    expect(answers).toMatch(/\r\nConnection: close\r\n/i);
    await closed;
  });

  test.each([
    ['an answer', requestText('GET /charge/x', [HOST, KEY]), 404],
    ['a refusal because of the load', requestText('GET /charge', [HOST, KEY]), 503],
  ])('%s to a request that a closing server still receives is the last one', async (_, text, status) => {
    const listening = await serveHttp(sandbox, {
      port: 0,
      host: '127.0.0.1',
      ...(status === 503 && { requestsMax: 0 }),
    });
    const wire = await openWire(listening.port);
    // Half of a request keeps the connection open.
    wire.send(text.slice(0, 5));
    const health = requestText('GET /_sandbox/health', [HOST, CLOSE]);
    await talk(listening.port, health);
    const closed = listening.close(60_000);
    wire.send(text.slice(5));
    const answer = await wire.closed();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    await closed;
  });

  test('a request that waits behind another is not handled by a closing server', async () => {
    const listening = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
    const wire = await openWire(listening.port);
    const hanging = requestText('GET /charge', [HOST, KEY, 'x-sandbox-fault: hang']);
    wire.send(hanging + requestText('POST /charge/card', [HOST, KEY, JSON_TYPE], chargeText()));
    const { waits } = sandbox.worlds.open('sk_test_a');
    while (waits.size === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = listening.close(60_000);
    sandbox.worlds.reset('sk_test_a');
    const answers = await wire.closed();
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503']);
    expect(answers).toMatch(/\r\nConnection: close\r\n/i);
    expect(sandbox.worlds.open('sk_test_a').charges.size).toBe(0);
    await closed;
  });

  test('one that never comes is cut off after the grace', async () => {
    const listening = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
    const wire = await openWire(listening.port);
    wire.send(
      requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, 'Expect: 100-continue', 'Content-Length: 100']),
    );
    await wire.until('100 Continue');
    await listening.close(10);
    expect(await wire.closed()).not.toContain('HTTP/1.1 200');
  });
});
