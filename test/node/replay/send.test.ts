import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

import { describe, expect, test } from 'vitest';

import { CommandError } from '../../../src/node/terminal/terminal.js';
import type { OutgoingCall, Reply } from '../../../src/control/opening/prepare-call.js';
import { ANSWER_BYTES_MAX, sendToTarget, type ReplayTarget } from '../../../src/node/replay/send.js';
import { portOf } from '../../support/serving.js';

async function listening(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(answer))}`;
}

function send(
  url: string,
  call: Partial<OutgoingCall> = {},
  target: Partial<ReplayTarget> = {},
): Promise<Reply> {
  return sendToTarget(
    { url, key: 'sk_test_a', ca: null, timeoutMs: 60_000, ...target },
    { method: 'GET', path: '/charge', headers: {}, body: null, ...call },
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

test('a call goes out with its key, its own headers and its body, below the base address', async () => {
  const seen: object[] = [];
  const url = await listening((request, response) => {
    void bodyOf(request).then((body) => {
      const { method, url: path, headers } = request;
      seen.push({ method, path, body, type: headers['content-type'], key: headers['x-secretkey'] });
      response.end('{"a":1}');
    });
  });
  const headers = { 'content-type': 'application/json' };
  const call = { method: 'POST', path: '/charge/é %2F?q=ü b', headers, body: '{"é":1}' };
  expect(await send(`${url}/base`, call)).toEqual({
    kind: 'whole',
    status: 200,
    text: '{"a":1}',
    world: null,
  });
  expect(seen).toEqual([
    {
      method: 'POST',
      path: '/base/charge/%C3%A9%20%2F?q=%C3%BC%20b',
      body: '{"é":1}',
      type: 'application/json',
      key: 'sk_test_a',
    },
  ]);
});

describe('what comes back', () => {
  test('is taken as it is: no redirect is followed', async () => {
    let calls = 0;
    const url = await listening((_, response) => {
      calls++;
      response.writeHead(302, { location: '/elsewhere' }).end('moved');
    });
    expect(await send(url)).toEqual({ kind: 'whole', status: 302, text: 'moved', world: null });
    expect(calls).toBe(1);
  });

  test('is not kept where it is larger than is read', async () => {
    const url = await listening((_, response) => {
      response.end(Buffer.alloc(ANSWER_BYTES_MAX + 1, 'x'));
    });
    expect(await send(url)).toEqual({ kind: 'whole', status: 200, text: null, world: null });
  });

  test('is broken where the connection ends before the answer does', async () => {
    const url = await listening((_, response) => {
      response.writeHead(201, { 'content-length': 100 }).write('half', () => response.destroy());
    });
    expect(await send(url)).toMatchObject({ kind: 'broken', status: 201 });
  });

  test('is broken where the rest does not come in time', async () => {
    const url = await listening((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
    });
    // Long enough for the first half to come where the machine is busy.
    expect(await send(url, {}, { timeoutMs: 500 })).toEqual({
      kind: 'broken',
      status: 200,
      reason: 'no answer within 500 ms',
    });
  });

  test('is no answer if the connection is closed, or nothing comes in time', async () => {
    const closing = await listening((request) => {
      request.socket.resetAndDestroy();
    });
    expect(await send(closing)).toMatchObject({ kind: 'none' });
    const silent = await listening(() => {});
    expect(await send(silent, {}, { timeoutMs: 60 })).toEqual({
      kind: 'none',
      reason: 'no answer within 60 ms',
    });
  });

  test('is an error where there is no connection at all', async () => {
    await expect(send('http://127.0.0.1:1')).rejects.toThrow(CommandError);
    await expect(send('http://127.0.0.1:1')).rejects.toThrow(
      /^cannot connect to http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)$/,
    );
    const plain = await listening(() => {});
    await expect(send(plain.replace('http:', 'https:'))).rejects.toThrow(CommandError);
  });
});

describe('behind https', () => {
  const fixture = (name: string): string =>
    readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
  const [cert, key] = [fixture('localhost-cert.pem'), fixture('localhost-key.pem')];

  test('an unknown certificate is refused, and trusted if it is passed', async () => {
    const server = createSecureServer({ cert, key }, (_, response) => void response.end('{}'));
    const url = `https://127.0.0.1:${await portOf(server)}`;
    await expect(send(url)).rejects.toThrow(CommandError);
    // Node 24 has a hint of its own between the two.
    await expect(send(url)).rejects.toThrow(
      /self-signed certificate;.* trust its certificate with --ca FILE/,
    );
    expect(await send(url, {}, { ca: cert })).toEqual({
      kind: 'whole',
      status: 200,
      text: '{}',
      world: null,
    });
  });
});
