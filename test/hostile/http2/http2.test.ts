import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { type HttpListening, serveHttp } from '../../../src/node/http/serve.js';
import { createInnerSandbox } from '../../../src/app/sandbox.js';
import { askHttp1, chargeText, openTls } from '../../node/http/secure-support.js';
import { temporaryFolder } from '../../support/folder.js';
import { type Frame, frame, framesIn, GOAWAY, HEADERS, PREFACE, RST_STREAM, SETTINGS } from './frames.js';
import { HTTP2_ROWS, type Http2Row } from './rows.js';

/** Statuses in the static table of HPACK, by their byte. */
const STATUSES: Readonly<Record<number, string>> = { 0x88: '200', 0x8c: '400', 0x8d: '404', 0x8e: '500' };
const dir = temporaryFolder();
const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' } });
let server: HttpListening;
let charges = '';

function request(path: string, body?: string): ReturnType<typeof askHttp1> {
  const headers = { 'x-secretkey': 'sk_test_http2', 'content-type': 'application/json' };
  const ca = server.authority?.certificate ?? '';
  return askHttp1(`${server.url}${path}`, ca, { headers, ...(body === undefined ? {} : { body }) });
}

beforeAll(async () => {
  server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1', https: { dir }, sendTimeoutMs: 300 });
  await request('/charge/card', chargeText());
  charges = (await request('/charge')).text;
});
afterAll(async () => {
  await server.close(0);
  sandbox.close();
});

/** What a frame means for the client; null for those of the connection itself. */
function meaningOf({ type, payload }: Frame): string | null {
  if (type === HEADERS) return STATUSES[payload[0] ?? 0] ?? 'another status';
  return type === RST_STREAM || type === GOAWAY ? 'refused' : null;
}

/** Sends a row, and returns what came, as soon as all that is expected did. */
async function play({ sends, gets, isDeaf = false }: Http2Row): Promise<string[]> {
  const ca = server.authority?.certificate ?? '';
  const socket = await openTls(server.port, ca, { ALPNProtocols: ['h2'] });
  const came = new Set<string>();
  let bytes: Buffer = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    const note = (meaning: string | null): void => {
      if (meaning !== null) came.add(meaning);
      if (gets.every((one) => came.has(one))) resolve();
    };
    socket.on('data', (piece: Buffer) => {
      if (isDeaf) return;
      const { frames, rest } = framesIn(Buffer.concat([bytes, piece]));
      bytes = rest;
      for (const one of frames) note(meaningOf(one));
    });
    socket.on('close', () => {
      came.add('refused');
      note('closed');
      resolve();
    });
    socket.write(Buffer.concat([PREFACE, frame(SETTINGS, 0, 0), ...sends]));
  });
  socket.destroy();
  return [...came];
}

describe('HTTP/2', () => {
  test.each(Object.entries(HTTP2_ROWS))('%s', async (_, row) => {
    const came = await play(row);
    const gets = row.isClosedByNewer && came.includes('closed') ? ['closed'] : row.gets;
    expect(came).toEqual(expect.arrayContaining([...gets]));
    // Nothing else is answered.
    expect(came.filter((one) => /\d|status/.test(one))).toEqual(gets.filter((one) => one === '200'));
    expect((await request('/_sandbox/health')).status).toBe(200);
    expect((await request('/charge')).text).toBe(charges);
  });
});
