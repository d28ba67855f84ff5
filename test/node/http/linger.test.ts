import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { describe, expect, test } from 'vitest';

import { linger, LINGER_LIMITS, type LingerLimits, makeServerLinger } from '../../../src/node/http/linger.js';
import { temporaryFolder } from '../../support/folder.js';
import { portOf, sandboxServed } from '../../support/serving.js';
import { CHARGE } from '../cli/starting.js';
import { openTls } from './secure-support.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk } from './support.js';

/** More than the system takes from a client whose server does not read. */
const LARGE = 'x'.repeat(16 * 2 ** 20);
const folder = temporaryFolder();

/** Sends everything before it reads anything, as many HTTP clients do; returns what it then reads. */
async function sendThenRead(socket: Socket, text: string): Promise<string> {
  let came = '';
  socket.on('data', (bytes) => (came += bytes.toString('latin1')));
  socket.pause();
  const closed = once(socket, 'close');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(text, 'latin1', () => resolve());
  });
  socket.resume();
  await closed;
  return came;
}

const post = (path: string, ...headers: string[]): string =>
  requestText(`POST ${path}`, [...headers, CLOSE], LARGE);
const ALL = [HOST, KEY, JSON_TYPE];
const CHUNKED = `${LARGE.length.toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`;
const fillers = Array.from({ length: 120 }, (_, i) => `x-${i}: a`);

const REFUSALS: readonly (readonly [what: string, status: number, text: string])[] = [
  ['a body that is too large', 413, post('/charge/card', ...ALL)],
  ['one on a connection that should stay open', 413, requestText('POST /charge/card', ALL, LARGE)],
  ['one in a chunk', 413, requestText('POST /charge/card', [...ALL, 'Transfer-Encoding: chunked'], CHUNKED)],
  ['a body without a key', 401, post('/charge/card', HOST, JSON_TYPE)],
  ['a body of another type', 415, post('/batch/transaction/payment_method', HOST, KEY, 'Content-Type: a/b')],
  ['a body for another host', 403, post('/charge/card', 'Host: evil.com', KEY, JSON_TYPE)],
  ['a body from another origin', 403, post('/charge/card', ...ALL, 'Origin: http://evil.com')],
  ['a body for an unknown path', 404, post('/nowhere', ...ALL)],
  ['a body for another method', 405, post('/vault/x', ...ALL)],
  ['a body without a host', 400, post('/charge/card', KEY, JSON_TYPE)],
  ['a body behind a fragment', 400, post('/charge/card#a', ...ALL)],
  ['a body behind too many headers', 431, post('/charge/card', ...ALL, ...fillers)],
  ['a body behind large headers', 431, post('/charge/card', ...ALL, `x: ${'a'.repeat(40_000)}`)],
  ['a body behind a wrong expectation', 417, post('/charge/card', ...ALL, 'Expect: nothing')],
  ['a body of HTTP/2.0 as text', 505, post('/charge/card', ...ALL).replace('HTTP/1.1', 'HTTP/2.0')],
  ['a body of HTTP/3.0', 505, post('/charge/card', ...ALL).replace('HTTP/1.1', 'HTTP/3.0')],
  ['a body with a wrong header', 400, post('/charge/card', ...ALL, 'a b: c')],
];

describe('the early refusal of', () => {
  const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

  test.each(REFUSALS)('%s reaches a client that sends everything first', async (_, refused, text) => {
    const { port } = await sandboxServed({ batchBodyLimit: 2 ** 30 });
    const { socket } = await openWire(port);
    const answer = await sendThenRead(socket, text);
    expect(status(answer)).toBe(refused);
    expect(answer).toMatch(/\}$/);
  });

  test.each(REFUSALS.slice(0, 4))('%s reaches such a client over TLS', async (_, refused, text) => {
    const { port, authority } = await sandboxServed({}, { https: { dir: folder } });
    const socket = await openTls(port, authority?.certificate ?? '', { ALPNProtocols: ['http/1.1'] });
    expect(status(await sendThenRead(socket, text))).toBe(refused);
  });

  test('a body above the limit of requests or of connections reaches such a client', async () => {
    for (const limit of [{ requestsMax: 0 }, { connectionsMax: 0 }]) {
      const { port } = await sandboxServed({}, limit);
      const { socket } = await openWire(port);
      expect(status(await sendThenRead(socket, post('/charge/card', ...ALL)))).toBe(503);
    }
  });

  test.each([
    ['a body that is too large', requestText('POST /charge/card', ALL, LARGE)],
    ['what is no HTTP', 'nonsense\r\n\r\n'],
  ])('%s is the last answer: what follows is no request', async (_, text) => {
    const { port, sandbox } = await sandboxServed();
    const answers = await talk(port, text + requestText('POST /charge/card', [...ALL, CLOSE], CHARGE));
    expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(sandbox.worlds.find('sk_test_a')?.charges.size ?? 0).toBe(0);
  });
});

describe('a connection that is closed while its client sends', () => {
  const PATIENT: LingerLimits = { ms: 600_000, idleMs: 600_000, bytesMax: Infinity };

  /** Resolves when a server has closed a connection that it lingers on; returns how many bytes it read. */
  async function closedWith(limits: LingerLimits, isSending: boolean): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      linger(socket, 'bye', limits);
      server.emit('lingering', socket);
    });
    const client = connect({ port: await portOf(server), host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => {}).resume();
    const send = (error?: Error | null): void => {
      if (!error) client.write(LARGE.slice(0, 2 ** 16), (failed) => setImmediate(send, failed));
    };
    if (isSending) send();
    const [socket] = (await once(server, 'lingering')) as [Socket];
    await once(socket, 'close');
    client.destroy();
    return socket.bytesRead;
  }

  test('is cut off after a while', async () => {
    // On a busy machine, nothing may have come by then.
    await expect(closedWith({ ...PATIENT, ms: 50 }, true)).resolves.toBeGreaterThanOrEqual(0);
  });

  test('is cut off after so many bytes', async () => {
    const read = await closedWith({ ...PATIENT, bytesMax: 2 ** 20 }, true);
    expect([read > 2 ** 20, read < 2 ** 21]).toEqual([true, true]);
  });

  test('is cut off when the client has been silent for a while', async () => {
    expect(await closedWith({ ...PATIENT, idleMs: 50 }, false)).toBe(0);
  });

  test('is left alone on a host that has no such way to close it, such as Bun 1.3', () => {
    const server = createServer();
    makeServerLinger(server, 'connection');
    // Without the methods of a connection.
    expect(server.emit('connection', new EventEmitter())).toBe(true);
  });

  test('is cut off after 30 s, after 5 s without a byte, or after 256 MiB', () => {
    expect(LINGER_LIMITS).toEqual({ ms: 30_000, idleMs: 5_000, bytesMax: 268_435_456 });
  });
});
