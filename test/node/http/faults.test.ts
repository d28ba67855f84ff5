import type { Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type HttpListening, serveHttp } from '../../../src/node/http/serve.js';
import { client, type TestSandbox, testHost, testSandbox } from '../../support/sandbox.js';
import { chargeText } from './secure-support.js';
import { CLOSE, HOST, JSON_TYPE, keepGlobals, KEY, openWire, requestText } from './support.js';

const restoreGlobals = keepGlobals();

interface Seen {
  /** All bytes until the connection closed. */
  readonly bytes: string;
  /** The code of the socket's error, such as ECONNRESET; null where it just ended. */
  readonly error: string | null;
}

/** Charges over a raw socket with a fault asked for, and tells what was seen on it. */
async function chargeWith(port: number, fault: string, reference: string): Promise<Seen> {
  const wire = await openWire(port);
  let error: string | null = null;
  wire.socket.on('error', (reason: NodeJS.ErrnoException) => {
    error = reason.code ?? reason.message;
  });
  const headers = [HOST, KEY, JSON_TYPE, CLOSE, `x-sandbox-fault: ${fault}`];
  wire.send(requestText('POST /charge/card', headers, chargeText('4242424242424242', reference)));
  const bytes = await wire.closed();
  return { bytes, error };
}

function parts(bytes: string): { head: string; body: string } {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.slice(0, end).toLowerCase();
  const body = bytes.slice(end + 4);
  // One chunk holds all of these small bodies.
  const [, whole = ''] = /^[\da-f]+\r\n([\s\S]*)\r\n0\r\n\r\n$/.exec(body) ?? [];
  return { head, body: head.includes('transfer-encoding: chunked') ? whole : body };
}

describe.each([
  ["the platform's own Response", false],
  ['the lighter Response of the command line', true],
])('faults on the socket, with %s', (_, overrideGlobalObjects) => {
  let sandbox: TestSandbox;
  let server: HttpListening;

  beforeAll(async () => {
    sandbox = testSandbox({}, testHost());
    server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1', overrideGlobalObjects });
  });

  afterAll(async () => {
    await server.close();
    sandbox.close();
    restoreGlobals();
  });

  /** How many charges there are with a reference; asked over the socket, as any client would. */
  async function found(reference: string): Promise<unknown> {
    const answer = await fetch(`${server.url}/charge?reference=${reference}`, {
      headers: { 'x-secretkey': 'sk_test_a' },
    });
    return ((await answer.json()) as { Count: number }).Count;
  }

  test('a reset is a reset: no byte comes, and the connection is broken', async () => {
    const seen = await chargeWith(server.port, 'reset', 'reset');
    expect(seen).toEqual({ bytes: '', error: 'ECONNRESET' });
    expect(await found('reset')).toBe(0);
  });

  test('an empty answer ends in order without a byte', async () => {
    const seen = await chargeWith(server.port, 'empty', 'empty');
    expect(seen).toEqual({ bytes: '', error: null });
    expect(await found('empty')).toBe(0);
  });

  test('a fault after the commit leaves the charge to be found', async () => {
    expect(await chargeWith(server.port, 'reset; phase=after', 'lost')).toEqual({
      bytes: '',
      error: 'ECONNRESET',
    });
    expect(await found('lost')).toBe(1);
  });

  test('a hanging call gives no byte; here its hour passes at once', async () => {
    expect((await chargeWith(server.port, 'hang', 'hang')).bytes).toBe('');
    expect(sandbox.host.slept).toContain(3_600_000);
    expect(await found('hang')).toBe(0);
  });

  test('a truncated answer has half of the body that its length promises', async () => {
    const { bytes } = await chargeWith(server.port, 'truncate; phase=after', 'truncate');
    const { head, body } = parts(bytes);
    const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
    expect(head).toContain('http/1.1 201');
    expect(head).toContain('x-sandbox-fault: truncate');
    expect(body.length).toBe(Math.ceil(length / 2));
    expect(body).toContain('{"ChargeId":"');
    expect(await found('truncate')).toBe(1);
  });

  test('a malformed answer is a 200 that is not JSON', async () => {
    const { head, body } = parts((await chargeWith(server.port, 'malformed', 'malformed')).bytes);
    expect(head).toContain('http/1.1 200');
    expect(head).toContain('content-type: application/json');
    expect(body).toBe('<html><body>502 Bad Gateway</body></html>');
    expect(await found('malformed')).toBe(0);
  });

  test('a dribbling answer comes whole, with a wait before each further byte', async () => {
    sandbox.host.slept.length = 0;
    const { head, body } = parts((await chargeWith(server.port, 'dribble; phase=after', 'dribble')).bytes);
    expect(head).toContain('x-sandbox-fault: dribble');
    expect(JSON.parse(body)).toMatchObject({ Status: 'SUCCESS', Reference: 'dribble' });
    expect(sandbox.host.slept).toHaveLength(body.length - 1);
  });

  test.each([
    ['status=503', 503, 37],
    ['status=429', 429, 35],
    ['status=500; phase=after', 500, 37],
  ])('%s is answered as asked for', async (fault, status, code) => {
    const reference = `status-${status}`;
    const { head, body } = parts((await chargeWith(server.port, fault, reference)).bytes);
    expect(head).toContain(`http/1.1 ${status}`);
    expect(head).toContain('x-sandbox-fault: status');
    expect(JSON.parse(body)).toMatchObject({ HttpStatus: status, Code: code });
    expect(await found(reference)).toBe(fault.includes('after') ? 1 : 0);
  });
});

/** How Bun 1.2 and 1.3 differ from Node: they answer 200 when a response is destroyed, and cannot reset a connection. */
describe('on a host that ends a destroyed response in order', () => {
  test.each([
    ['empty', 'before'],
    ['empty', 'after'],
    ['reset', 'before'],
    ['reset', 'after'],
  ])('the fault %s %s the operation sends no answer', async (fault, phase) => {
    const sandbox = testSandbox();
    const server = await serveHttp(sandbox, {
      port: 0,
      host: '127.0.0.1',
      observe: (_, response) => {
        if (response.socket) response.socket.resetAndDestroy = () => response.socket as Socket;
        response.destroy = () => response.end();
      },
    });
    expect((await chargeWith(server.port, `${fault}; phase=${phase}`, 'lost')).bytes).toBe('');
    expect(sandbox.worlds.open('sk_test_a').charges.size).toBe(phase === 'after' ? 1 : 0);
    await server.close(0);
    sandbox.close();
  });
});

describe('faults in process', () => {
  test.each(['reset', 'empty', 'hang'])('%s is a network error', async (fault) => {
    const api = client(testSandbox());
    await expect(api.get('/charge', { 'x-sandbox-fault': fault })).rejects.toThrow(TypeError);
  });

  test('a truncated answer breaks off while it is read', async () => {
    const api = client(testSandbox());
    await expect(api.get('/charge', { 'x-sandbox-fault': 'truncate; phase=after' })).rejects.toThrow(
      TypeError,
    );
  });

  test.each([
    ['resett', 'Did you mean reset?'],
    ['status=99', 'status=503'],
    ['status=600', 'status=503'],
    ['reset; phase=later', 'phase=after'],
    ['', 'hang'],
  ])('%o is refused, and nothing is done', async (fault, hint) => {
    const { status, body } = await client(testSandbox()).get('/charge', { 'x-sandbox-fault': fault });
    expect([status, body['Code']]).toEqual([400, 90]);
    expect(body['Message']).toContain(hint);
  });
});
