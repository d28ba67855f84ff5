import { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { Socket } from 'node:net';

import { describe, expect, test } from 'vitest';

import type { CallableApp } from '../../../src/node/http/request-steps.js';
import type { HttpListening, HttpServeOptions } from '../../../src/node/http/serve.js';
import { EventLoopTurns } from '../../../src/node/http/request-turns.js';
import { SEND_TIMEOUT_MS, UNSENT_BYTES_MAX } from '../../../src/node/http/unread-answers.js';
import { temporaryFolder } from '../../support/folder.js';
import { served } from '../../support/serving.js';
import { ask, openSession } from './secure-support.js';
import { CLOSE, HOST, KEY, openWire, requestText, talk } from './support.js';

const MIB = 2 ** 20;
/** More than the system itself keeps for a connection. */
const LARGE = 40 * MIB;
const dir = temporaryFolder();
const get = (path: string, ...headers: string[]): string =>
  requestText(`GET ${path}`, [HOST, KEY, ...headers]);

interface Noting extends HttpListening {
  /** The paths of all requests. */
  readonly asked: readonly string[];
  /** Resolves when the connection of a request has closed. */
  cutOff(path: string): Promise<void>;
}

/** Serves answers of as many bytes as the path says; `/streamed` is endless. */
async function start(options: Partial<HttpServeOptions>): Promise<Noting> {
  const asked: string[] = [];
  const cut = new Map<string, () => void>();
  const cutOff = (path: string): Promise<void> => new Promise((resolve) => cut.set(path, resolve));
  const answer: CallableApp['fetch'] = (request, env) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname !== '/streamed') return new Response('x'.repeat(Number(pathname.slice(1))));
    env.streamed = { answer: new Response(endless()), headers: {} };
    return env.streamed.answer;
  };
  const observe: HttpServeOptions['observe'] = ({ socket, url = '' }) => {
    const close = cut.get(url);
    if (close) socket.once('close', () => close());
  };
  return { asked, cutOff, ...(await served({ app: { fetch: answer } }, { observe, ...options })) };
}

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(MIB)) });
}

/** Sends requests on a connection of their own, and reads nothing. */
async function sendDeaf(port: number, text: string): Promise<void> {
  const { socket } = await openWire(port);
  socket.pause().write(text);
}

/** A session of HTTP/2 that lets the server send nothing but headers. */
async function openClosedWindow(url: string): Promise<ReturnType<typeof connect>> {
  const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } });
  session.on('error', () => {});
  await new Promise((resolve) => session.once('localSettings', resolve));
  return session;
}

describe('a client that does not read its answer', () => {
  test('is disconnected after a while, and its further requests are not handled', async () => {
    const server = await start({ sendTimeoutMs: 50 });
    const cut = server.cutOff(`/${LARGE}`);
    await sendDeaf(server.port, get(`/${LARGE}`) + get('/2'));
    await cut;
    await talk(server.port, get('/1', CLOSE));
    expect(server.asked).toEqual([`/${LARGE}`, '/1']);
  });

  test('is disconnected in the middle of a streamed answer', async () => {
    const server = await start({ sendTimeoutMs: 50 });
    const cut = server.cutOff('/streamed');
    await sendDeaf(server.port, get('/streamed'));
    await expect(cut).resolves.toBeUndefined();
  });

  test('is disconnected over HTTP/2', async () => {
    const server = await start({ sendTimeoutMs: 50, https: { dir } });
    const session = await openClosedWindow(server.url);
    const closed = new Promise<void>((resolve) => session.once('close', resolve));
    session.request({ ':path': '/1000' }).on('error', () => {});
    await expect(closed).resolves.toBeUndefined();
  });
});

describe('answers that nobody reads', () => {
  test('close the connections of the oldest when they are too many bytes', async () => {
    const server = await start({ unsentBytesMax: 2.5 * LARGE });
    const sizes = [LARGE, LARGE + 1, LARGE + 2, LARGE + 3];
    const [first, second] = sizes.map((size) => server.cutOff(`/${size}`));
    for (const size of sizes) {
      await sendDeaf(server.port, get(`/${size}`));
      await talk(server.port, get('/1', CLOSE));
      if (size === LARGE + 2) await first;
    }
    await second;
    expect(await talk(server.port, get('/1', CLOSE))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('close a connection of HTTP/2 with all that is on it', async () => {
    const server = await start({ unsentBytesMax: MIB, https: { dir } });
    const [greedy, other] = [await openClosedWindow(server.url), await openClosedWindow(server.url)];
    const closed = new Promise((resolve) => greedy.once('close', resolve));
    for (let i = 0; i < 10; i++) greedy.request({ ':path': `/${MIB / 10}` }).on('error', () => {});
    await closed;
    expect(other.closed).toBe(false);
    other.destroy();
  });

  test('leave alone a single client that reads, however large its answer is', async () => {
    const server = await start({ unsentBytesMax: MIB });
    expect((await talk(server.port, get(`/${16 * MIB}`, CLOSE))).length).toBeGreaterThan(16 * MIB);
  });

  test('are at most 64 MiB, and each is kept for at most 60 s', () => {
    expect([UNSENT_BYTES_MAX, SEND_TIMEOUT_MS]).toEqual([64 * MIB, 60_000]);
  });
});

describe('requests of one moment', () => {
  test('are not handled if their stream is reset before they begin, except those of the first turn', async () => {
    const server = await start({ https: { dir } });
    const session = await openSession(server.url, server.authority?.certificate ?? '');
    const streams = Array.from({ length: 50 }, () => session.request({ ':path': '/2' }));
    for (const stream of streams) stream.on('error', () => {}).close(8);
    await ask(session, '/1');
    expect(server.asked.length).toBeLessThanOrEqual(17);
    expect(server.asked.at(-1)).toBe('/1');
    session.destroy();
  });

  test('begin at once if they can have a body, which their clients may not wait for', async () => {
    const server = await start({});
    const wires = await Promise.all(Array.from({ length: 41 }, () => openWire(server.port)));
    for (const wire of wires) wire.send(get('/1'));
    await Promise.all(wires.map((wire) => wire.until('200 OK')));
    const last = wires.pop();
    for (const { socket } of wires) socket.write(get('/2', CLOSE));
    last?.socket.write(requestText('POST /3', [HOST, KEY, CLOSE]));
    await Promise.all(wires.map((wire) => wire.closed()));
    expect(server.asked).toHaveLength(82);
    expect(server.asked.at(-1)).toBe('/2');
  });

  test('begin in several turns of the event loop, except urgent ones', async () => {
    const begun: string[] = [];
    const begin = new EventLoopTurns().shareTurns(
      ({ url = '' }) => begun.push(url),
      ({ url }) => url === '/urgent',
    );
    const send = (url: string): void => {
      const request = new IncomingMessage(new Socket());
      request.url = url;
      begin(request, new ServerResponse(request));
    };
    for (let i = 0; i < 40; i++) send('/');
    send('/urgent');
    const counts = [begun.length];
    while (begun.length < 41) {
      await new Promise((resolve) => setImmediate(resolve));
      counts.push(begun.length);
    }
    expect(begun[16]).toBe('/urgent');
    expect(counts).toEqual([17, 33, 41]);
  });

  test('close a connection when more of them wait for earlier answers than the server may handle', async () => {
    const server = await start({ requestsMax: 10 });
    await talk(server.port, get('/1').repeat(12));
    expect((await talk(server.port, get('/1').repeat(10) + get('/1', CLOSE))).match(/200 OK/g)).toHaveLength(
      11,
    );
  });
});
