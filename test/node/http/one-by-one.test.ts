import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { handleOneByOne } from '../../../src/node/http/request-turns.js';
import { STREAMS_MAX } from '../../../src/node/http/http2.js';
import type { HttpListening } from '../../../src/node/http/serve.js';
import {
  block,
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  PREFACE,
  setting,
  SETTINGS,
} from '../../hostile/http2/frames.js';
import { folder } from '../../support/folder.js';
import { CHARGE, startingPrograms } from '../cli/starting.js';
import { sandboxServed, served } from '../../support/serving.js';
import { askHttp1, openTls } from './secure-support.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk } from './support.js';

const get = (path: string, ...headers: string[]): string =>
  requestText(`GET ${path}`, [HOST, KEY, ...headers]);
const charge = (...headers: string[]): string =>
  requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, ...headers], CHARGE);

let server: HttpListening;

/** Serves an app that notes the paths that it was asked for. */
async function startNoting(answer: (path: string) => Response | Promise<Response>): Promise<string[]> {
  const asked: string[] = [];
  const answerTo = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/other') asked.push(pathname);
    return answer(pathname);
  };
  server = await served({ app: { fetch: answerTo } });
  return asked;
}

/** Gives the server time for whatever it can do without an answer being read. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await talk(server.port, get('/other', CLOSE));
}

describe('requests that are sent on one connection without waiting for their answers', () => {
  test('are handled one after the other, each when the answer before it is given', async () => {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const asked = await startNoting(async (path) => {
      if (path === '/first') await held;
      return new Response(path);
    });
    const wire = await openWire(server.port);
    wire.send(get('/first') + get('/second') + get('/third', CLOSE));
    await settled();
    expect(asked).toEqual(['/first']);
    goOn();
    const answers = await wire.closed();
    expect(answers.match(/\/\w+$|\/\w+(?=HTTP)/gm)).toEqual(['/first', '/second', '/third']);
    expect(asked).toEqual(['/first', '/second', '/third']);
  });

  test('are not handled while the client reads no answers', async () => {
    const body = 'x'.repeat(2 ** 20);
    const asked = await startNoting((path) => new Response(path === '/other' ? '' : body));
    const wire = await openWire(server.port);
    wire.socket.pause();
    const count = 100;
    for (let i = 1; i < count; i++) wire.send(get(`/${i}`));
    wire.send(get(`/${count}`, CLOSE));
    await settled();
    // What the system itself keeps for the connection is a few megabytes.
    expect(asked.length).toBeLessThan(count / 2);
    wire.socket.resume();
    expect((await wire.closed()).length).toBeGreaterThan(count * body.length);
    expect(asked).toEqual(Array.from({ length: count }, (_, i) => `/${i + 1}`));
  });

  test('are all answered, however many there are', async () => {
    const { port } = await sandboxServed();
    const answers = await talk(port, charge().repeat(999) + charge(CLOSE));
    expect(answers.match(/HTTP\/1\.1 201 /g)).toHaveLength(1000);
    expect(new Set(answers.match(/"ChargeId":"\w+"/g))).toHaveProperty('size', 1000);
  });

  test('are not handled behind one whose refusal closes the connection', async () => {
    const { port, sandbox } = await sandboxServed();
    expect(await talk(port, requestText('GET /charge', [KEY]) + charge())).toMatch(/^HTTP\/1\.1 400 /);
    expect(sandbox.worlds.find('sk_test_a')).toBeUndefined();
  });
});

test('those of a connection that was closed do not count any longer, even if its answer ends later', async () => {
  const handled: ServerResponse[] = [];
  const inTurnHere = handleOneByOne((_, response) => handled.push(response), 1);
  const plain = createServer(inTurnHere);
  onTestFinished(() => void plain.close());
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  const first = await openWire(port);
  first.send(get('/first') + get('/second'));
  await vi.waitFor(() => expect(handled).toHaveLength(1), 10_000);
  const [response] = handled;
  response?.writeHead(200, { 'content-length': 2 }).write('ok');
  const closed = once(response as ServerResponse, 'close');
  response?.socket?.destroy();
  await closed;
  response?.end();
  const second = await openWire(port);
  second.send(get('/first') + get('/second') + get('/third'));
  expect(await second.closed()).toBe('');
});

describe('the program', () => {
  const startProgram = startingPrograms();

  test('stays small and answers others while clients ask for much and read nothing', async () => {
    const { child, port } = await startProgram(['--port', '0', '--quiet']);
    const flood = get('/_sandbox/openapi.json').repeat(500);
    const wires = await Promise.all(Array.from({ length: 20 }, () => openWire(port)));
    for (const wire of wires) {
      wire.socket.pause();
      wire.send(flood);
    }
    for (let i = 0; i < 50; i++) {
      expect(await talk(port, get('/_sandbox/health', CLOSE))).toMatch(/^HTTP\/1\.1 200 /);
      expect(memoryOf(child.pid)).toBeLessThan(400);
    }
    for (const wire of wires) wire.socket.destroy();
  }, 120_000);

  test('stays small and answers others while clients of HTTP/2 open no window', async () => {
    const dir = folder();
    const { child, port } = await startProgram(['--port', '0', '--quiet', '--https', '--tls-dir', dir]);
    const ca = readFileSync(join(dir, 'ca.pem'), 'utf8');
    const streams = Array.from({ length: STREAMS_MAX }, (_, i) => openapiRequest(2 * i + 1));
    const flood = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, setting(4, 0)), ...streams]);
    const open = (): Promise<TLSSocket> => openTls(port, ca, { ALPNProtocols: ['h2'] });
    const sockets = await Promise.all(Array.from({ length: 10 }, open));
    for (const socket of sockets) socket.pause().write(flood);
    for (let i = 0; i < 15; i++) {
      const { status } = await askHttp1(`https://localhost:${port}/_sandbox/health`, ca);
      expect(status).toBe(200);
      expect(memoryOf(child.pid)).toBeLessThan(400);
    }
    for (const socket of sockets) socket.destroy();
  }, 120_000);
});

function openapiRequest(stream: number): Buffer {
  const headers = block([
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', '/_sandbox/openapi.json'],
  ]);
  return frame(HEADERS, END_STREAM | END_HEADERS, stream, headers);
}

/** The most memory that a process had, in MiB; 0 where the system does not show it. */
function memoryOf(pid = 0): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
