import { afterEach, describe, expect, test } from 'vitest';

import { CONNECTIONS_MAX, DEFAULT_REQUESTS_MAX, SURPLUS_MAX } from '../../../src/node/http/load.js';
import type { HttpListening, HttpServeOptions } from '../../../src/node/http/serve.js';
import { ERROR_MEMBERS } from '../../support/stored.js';
import { sandboxServed, served } from '../../support/serving.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk, type Wire } from './support.js';

const SEARCH = requestText('GET /charge', [HOST, KEY]);
const LAST = requestText('GET /charge', [HOST, KEY, CLOSE]);
const HEALTH = requestText('GET /_sandbox/health', [HOST, CLOSE]);
/** Its body never comes, so it stays under way. */
const HELD = requestText('POST /charge/card', [
  HOST,
  KEY,
  JSON_TYPE,
  'Expect: 100-continue',
  'Content-Length: 100',
]);

let server: HttpListening;
const wires: Wire[] = [];

async function start(options: Partial<HttpServeOptions>): Promise<void> {
  server = await sandboxServed({}, options);
}

async function open(text: string, until: string): Promise<Wire> {
  const wire = await openWire(server.port);
  wires.push(wire);
  wire.send(text);
  await wire.until(until);
  return wire;
}

const hold = (): Promise<Wire> => open(HELD, '100 Continue');

/** Asserts that a text is one answer that asks to come again later. */
function expectExcess(answer: string, detail: string): void {
  expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(answer).toMatch(/\r\nretry-after: 1\r\n/);
  expect(answer).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain(`content-length: ${body.length}`);
  const error = JSON.parse(body) as object;
  expect(Object.keys(error)).toEqual(ERROR_MEMBERS);
  expect(error).toMatchObject({ HttpStatus: 503, Code: 37, IsRetryable: true });
  expect(error).toHaveProperty('Message', `Retry later: ${detail}`);
}

afterEach(() => {
  for (const wire of wires.splice(0)) wire.socket.destroy();
});

describe('requests under way', () => {
  const FULL = 'The server is already handling 2 requests, the maximum.';

  test('above the limit are refused with Retry-After, on the same connection', async () => {
    await start({ requestsMax: 2 });
    const [first] = [await hold(), await hold()];
    expectExcess(await talk(server.port, LAST), FULL);
    const wire = await open(SEARCH, FULL);
    first.socket.resetAndDestroy();
    await first.closed();
    // The one that is gone is noticed within the turn in which its connection closes.
    await open(HEALTH, '200 OK');
    wire.send(LAST);
    expect((await wire.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200']);
  });

  test('above the limit have changed nothing, and their bodies disturb no other', async () => {
    await start({ requestsMax: 1 });
    const held = await hold();
    const body = JSON.stringify({ CardNumber: '4111111111111111', ExpireSeconds: 60 });
    const wire = await open(requestText('POST /vault', [HOST, KEY, JSON_TYPE], body), 'is already handling');
    held.socket.destroy();
    await held.closed();
    await open(HEALTH, '200 OK');
    wire.send(requestText('GET /_sandbox/world', [HOST, KEY, CLOSE]));
    expect(await wire.closed()).toContain('"VaultEntries":0');
  });

  test('do not keep the server from saying that it lives', async () => {
    await start({ requestsMax: 1 });
    await hold();
    expect(await talk(server.port, HEALTH)).toMatch(/^HTTP\/1\.1 200 /);
    expectExcess(
      await talk(server.port, requestText('GET /_sandbox/ready', [HOST, CLOSE])),
      'The server is already handling 1 request, the maximum.',
    );
  });

  test('are counted until their answers are given', async () => {
    await start({ requestsMax: 1 });
    for (let i = 0; i < 5; i++) expect(await talk(server.port, LAST)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('end where the client has gone before its body was asked for', async () => {
    let failed: Promise<unknown> = Promise.resolve();
    const answerLate = async (request: Request): Promise<Response> => {
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      return new Response(await request.arrayBuffer());
    };
    const answer = (request: Request): Response | Promise<Response> => {
      if (request.method === 'GET') return new Response('read');
      const answered = answerLate(request);
      failed = answered.catch((error: unknown) => error);
      return answered;
    };
    server = await served({ app: { fetch: answer } }, { requestsMax: 1 });
    const held = await hold();
    held.socket.resetAndDestroy();
    await held.closed();
    expect(await failed).toBeInstanceOf(Error);
    expect(await talk(server.port, LAST)).toContain('read');
  });
});

describe('connections', () => {
  const FULL = 'The server already has 2 connections, the maximum.';

  test('above the limit are refused with Retry-After, and closed', async () => {
    await start({ connectionsMax: 2 });
    const [first] = [await open(SEARCH, '"Charges"'), await open(SEARCH, '"Charges"')];
    expectExcess(await talk(server.port, SEARCH), FULL);
    expect(await talk(server.port, HEALTH)).toMatch(/^HTTP\/1\.1 200 /);
    first.socket.destroy();
    await first.closed();
    await open(HEALTH, '200 OK');
    expect(await talk(server.port, LAST)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('within the limit are served as ever meanwhile', async () => {
    await start({ connectionsMax: 2 });
    const [first] = [await open(SEARCH, '"Charges"'), await open(SEARCH, '"Charges"')];
    await open('', '').then(({ socket }) => expect(socket.destroyed).toBe(false));
    first.send(LAST);
    expect((await first.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });

  test('are by default as many as requests, and a few more to be refused', () => {
    expect([DEFAULT_REQUESTS_MAX, CONNECTIONS_MAX, SURPLUS_MAX]).toEqual([10_000, 10_000, 1_000]);
  });
});
