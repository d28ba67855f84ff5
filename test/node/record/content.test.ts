import { createServer, get, type IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { scenarioFromTrace } from '../../../src/node/record/scenario-from-trace.js';
import { readTraceFile } from '../../../src/node/replay/recordings.js';
import { portOf } from '../../support/serving.js';
import { fileWith, replayed, server } from '../replay/support.js';
import { entriesIn, recorded } from './support.js';

const FIELDS = { Note: 'café – 20 €' };
const JSON_TEXT = JSON.stringify(FIELDS);
const JSON_TYPE = 'application/json';
const utf8 = (text: string): Buffer => Buffer.from(text);
const latin1 = Buffer.from('{"Note":"café"}', 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bomb = brotliCompressSync(Buffer.alloc(5_000_000));

interface Sent {
  readonly bytes: Uint8Array;
  readonly encoding?: string;
  readonly type?: string;
  readonly status?: number;
}

const READABLE: readonly (readonly [string, Sent, unknown])[] = [
  ['gzip', { bytes: gzipSync(JSON_TEXT), encoding: 'gzip' }, FIELDS],
  ['x-gzip, in upper case', { bytes: gzipSync(JSON_TEXT), encoding: 'X-GZIP' }, FIELDS],
  ['br', { bytes: brotliCompressSync(JSON_TEXT), encoding: 'br' }, FIELDS],
  ['deflate', { bytes: deflateSync(JSON_TEXT), encoding: 'deflate' }, FIELDS],
  ['deflate without a header', { bytes: deflateRawSync(JSON_TEXT), encoding: 'deflate' }, FIELDS],
  [
    'two encodings',
    { bytes: brotliCompressSync(gzipSync(JSON_TEXT)), encoding: 'gzip, identity ,Br' },
    FIELDS,
  ],
  ['a byte order mark', { bytes: utf8(`\uFEFF${JSON_TEXT}`) }, FIELDS],
  ['a byte order mark, compressed', { bytes: gzipSync(`\uFEFF${JSON_TEXT}`), encoding: 'gzip' }, FIELDS],
  ['Latin-1', { bytes: latin1, type: 'application/json; charset="ISO-8859-1"' }, { Note: 'café' }],
  ['UTF-16 without a word', { bytes: utf16(JSON_TEXT) }, FIELDS],
  ['UTF-16 with a mark', { bytes: utf16(`\uFEFF${JSON_TEXT}`), type: 'text/json; charset=utf-16' }, FIELDS],
  ['HTML', { bytes: utf8('<h1>502</h1>'), type: 'text/html', status: 502 }, '<h1>502</h1>'],
  ['compressed HTML', { bytes: gzipSync('<p>é</p>'), type: 'text/html', encoding: 'gzip' }, '<p>é</p>'],
  ['a text in JSON', { bytes: utf8('"paid"') }, '"paid"'],
  ['null in JSON', { bytes: utf8('null') }, 'null'],
  ['nothing', { bytes: utf8(''), encoding: 'gzip' }, null],
];

const UNREADABLE: readonly (readonly [string, Sent, string])[] = [
  ['zstd', { bytes: utf8('(/'), encoding: 'zstd' }, 'encoding zstd'],
  ['broken gzip', { bytes: utf8('no gzip'), encoding: 'gzip' }, 'broken gzip'],
  [
    'gzip without its end',
    { bytes: gzipSync(JSON_TEXT.repeat(99)).subarray(0, 40), encoding: 'gzip' },
    'broken gzip',
  ],
  ['broken deflate', { bytes: utf8('no deflate'), encoding: 'deflate' }, 'broken deflate'],
  ['Latin-1 without a word', { bytes: latin1 }, 'bytes that are not UTF-8'],
  ['an unknown charset', { bytes: latin1, type: 'text/plain; charset=klingon' }, 'charset "klingon"'],
  ['3 MB', { bytes: Buffer.alloc(3_000_000, 0x20) }, 'longer than 1 MiB'],
  ['a bomb', { bytes: bomb, encoding: 'br' }, 'longer than 1 MiB'],
  ['a bomb in gzip', { bytes: gzipSync(bomb), encoding: 'br, gzip' }, 'longer than 1 MiB'],
  ['many encodings', { bytes: utf8('{}'), encoding: 'identity,'.repeat(6) }, 'more than 5 encodings'],
];

function headersOf({ type = JSON_TYPE, encoding }: Sent): IncomingHttpHeaders {
  return { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) };
}

/** Records a call for each row, answered with its bytes. */
async function recordedAnswers(all: readonly Sent[]): Promise<{ file: string; err: string }> {
  const upstream = createServer((request, response) => {
    const sent = all[Number(request.headers['x-n'])] as Sent;
    response.writeHead(sent.status ?? 200, headersOf(sent)).end(sent.bytes);
  });
  return recorded(`http://127.0.0.1:${await portOf(upstream)}`, async (url) => {
    for (const n of all.keys()) {
      const headers = { 'x-n': String(n), 'x-secretkey': 'sk_test_a' };
      // Not fetch, which would decompress the answer.
      await new Promise((resolve) =>
        get(`${url}/charge`, { headers }, (answer) => answer.resume().on('end', resolve)),
      );
    }
  });
}

describe('an answer', () => {
  test('that can be decoded is recorded as it was meant', async () => {
    const { file, err } = await recordedAnswers(READABLE.map(([, sent]) => sent));
    expect(err).not.toContain('without');
    const found = entriesIn(file).map(({ Response, Lost }, n) => [READABLE[n]?.[0], Response, Lost]);
    expect(found).toEqual(READABLE.map(([name, , body]) => [name, body, undefined]));
  });

  test('that cannot is recorded with the reason, which the end of the recording and of from-trace repeat', async () => {
    const all = [...UNREADABLE, ...UNREADABLE.slice(0, 1), ...READABLE.slice(-1)];
    const { file, err } = await recordedAnswers(all.map(([, sent]) => sent));
    const found = entriesIn(file).map(({ Response, Lost }) => [Response, Lost]);
    expect(found).toEqual([
      ...all.slice(0, -1).map(([, , lost]) => [null, lost]),
      // Nothing is lost of an answer that was empty.
      [null, undefined],
    ]);
    expect(err).toContain('playmoney: 2 calls (1, 11): recorded without the answer (encoding zstd)\n');
    expect(err).toContain('playmoney: 3 calls (7, 8, 9): recorded without the answer (longer than 1 MiB)\n');
    let said = '';
    const { text } = await scenarioFromTrace(file, { out: null }, { err: (line) => (said += line) });
    expect(said).toContain(
      'No rule can answer 2 calls (1, 11): recorded without the answer (encoding zstd).\n',
    );
    expect(said.split('\n')).toHaveLength(8);
    expect(text?.match(/name: call \d+/g)).toEqual(['name: call 12']);
  });

  test('of HTML is played with its status, and compared by a replay', async () => {
    const { file } = await recordedAnswers([READABLE[11]?.[1] as Sent]);
    const { text } = await scenarioFromTrace(file, { out: null }, { err: () => {} });
    expect(text).toMatch(/respond:\s+status: 502\s+body: <h1>502<\/h1>/);
    const answering = (body: string) =>
      createServer((_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(body));
    const same = await replayed(file, { url: `http://127.0.0.1:${await portOf(answering('<h1>502</h1>'))}` });
    expect(same).toMatchObject({ code: 0 });
    const other = await replayed(file, {
      url: `http://127.0.0.1:${await portOf(answering('<h1>504</h1>'))}`,
    });
    expect(other.code).toBe(1);
    expect(other.out).toContain('body: "<h1>502</h1>" → "<h1>504</h1>"');
  });
});

describe('a request', () => {
  test('is decoded like an answer, and sent again as UTF-8', async () => {
    const upstream = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(201, { 'content-type': JSON_TYPE }).end('{"A":1}'));
    });
    const bodies: readonly Sent[] = [
      { bytes: gzipSync(JSON_TEXT), encoding: 'gzip' },
      { bytes: latin1, type: 'application/json;charset=latin1' },
      { bytes: utf8('(/'), encoding: 'zstd' },
      { bytes: latin1 },
    ];
    const { file, err } = await recorded(`http://127.0.0.1:${await portOf(upstream)}`, async (url) => {
      for (const sent of bodies) {
        const headers = headersOf(sent) as Record<string, string>;
        await fetch(`${url}/charge/card`, { method: 'POST', headers, body: new Uint8Array(sent.bytes) });
      }
    });
    const { entries } = await readTraceFile(file);
    expect(
      entries.map(({ body, headers, requestLost }) => [body, headers['content-type'], requestLost]),
    ).toEqual([
      [FIELDS, JSON_TYPE, null],
      [{ Note: 'café' }, 'application/json;charset=utf-8', null],
      [null, JSON_TYPE, 'encoding zstd'],
      [null, JSON_TYPE, 'bytes that are not UTF-8'],
    ]);
    expect(err).toContain('1 call (3): recorded without the body of the request (encoding zstd)\n');
    const { code, out } = await replayed(file, await server());
    expect(code).toBe(1);
    expect(out).toContain('not sent: its body was not recorded (encoding zstd)');
  });
});

test('a HAR has answers that are not JSON, and says which a browser left out', async () => {
  const request = {
    method: 'GET',
    url: 'http://shop.test/charge',
    headers: [{ name: 'x-secretkey', value: 'sk_test_a' }],
  };
  const answered = (content: object) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    request,
    response: { status: 502, content },
  });
  const entries = [
    answered({ text: '<h1>502</h1>', size: 12 }),
    answered({
      text: latin1.toString('base64'),
      encoding: 'base64',
      mimeType: 'a/json; charset=latin1',
      size: 15,
    }),
    answered({ size: 0 }),
    answered({ size: 4000 }),
  ];
  const read = await readTraceFile(fileWith({ log: { entries } }, 'page.har'));
  expect(read.entries.map(({ response, lost }) => [response, lost])).toEqual([
    ['<h1>502</h1>', null],
    [{ Note: 'café' }, null],
    [null, null],
    [null, 'not in the archive'],
  ]);
});
