import {
  block,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  type Header,
  HEADERS,
  PADDED,
  PING,
  PRIORITY,
  RST_STREAM,
  setting,
  SETTINGS,
  uint32,
  WINDOW_UPDATE,
} from './frames.js';

/** What a client sends after its preface, and what comes of it. */
export interface Http2Row {
  readonly sends: readonly Buffer[];
  /**
   * `200`: an answer. `refused`: the stream is reset, or the connection ends, with a code that the version of Node chooses.
   * `closed`: the server closes the connection.
   */
  readonly gets: readonly ('200' | 'refused' | 'closed')[];
  /** Newer versions of nghttp2 close the connection instead. */
  readonly isClosedByNewer?: true;
  /** The client reads nothing until the server has closed the connection. */
  readonly isDeaf?: boolean;
}

const row = (sends: Buffer | readonly Buffer[], ...gets: Http2Row['gets']): Http2Row => ({
  sends: [sends].flat(),
  gets,
});

const BOTH = END_STREAM | END_HEADERS;
const KEY: Header = ['x-secretkey', 'sk_test_http2'];
const LINE: readonly Header[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'localhost'],
  [':path', '/charge'],
];
const request = (headers: readonly Header[], stream = 1): Buffer =>
  frame(HEADERS, BOTH, stream, block(headers));
const get = (stream = 1, path = '/charge'): Buffer =>
  request([...LINE.slice(0, 3), [':path', path], KEY], stream);
const without = (name: string): readonly Header[] => LINE.filter(([other]) => other !== name);
const HOST: Header = ['host', 'localhost'];
const post = (flags: number, more: readonly Header[] = []): Buffer => {
  const line: Header[] = [[':method', 'POST'], ...LINE.slice(1, 3), [':path', '/charge/card']];
  const type: Header = ['content-type', 'application/json'];
  return frame(HEADERS, flags, 1, block([...line, KEY, type, ...more]));
};
const flood = (one: Buffer, times = 50_000): Buffer => Buffer.concat(Array<Buffer>(times).fill(one));
const EIGHT = Buffer.alloc(8);
const odd = (count: number): number[] => Array.from({ length: count }, (_, i) => 2 * i + 1);

/** Floods, and frames that break the rules. After each of them the server answers others, and no world has changed. */
export const HTTP2_ROWS: Readonly<Record<string, Http2Row>> = {
  'a request': row(get(), '200'),
  'SETTINGS without an end': row(flood(frame(SETTINGS, 0, 0)), 'closed'),
  'SETTINGS without an end, whose answers nobody reads': {
    ...row(flood(frame(SETTINGS, 0, 0)), 'closed'),
    isDeaf: true,
  },
  'PING without an end': row(flood(frame(PING, 0, 0, EIGHT)), 'closed'),
  'PING without an end, whose answers nobody reads': {
    ...row(flood(frame(PING, 0, 0, EIGHT)), 'closed'),
    isDeaf: true,
  },
  'CONTINUATION without an end': row(
    [
      frame(HEADERS, END_STREAM, 1, block(LINE)),
      flood(frame(CONTINUATION, 0, 1, block([['x-a', 'b'.repeat(100)]]))),
    ],
    'closed',
  ),
  'empty CONTINUATION without an end': row(
    [frame(HEADERS, END_STREAM, 1, block(LINE)), flood(frame(CONTINUATION, 0, 1))],
    'closed',
  ),
  'empty DATA without an end': row([post(END_HEADERS), flood(frame(DATA, 0, 1))], 'closed'),
  'PRIORITY for 50,000 streams': {
    ...row([flood(frame(PRIORITY, 0, 3, Buffer.of(0, 0, 0, 1, 16))), get()], '200'),
    isClosedByNewer: true,
  },
  'frames of a type that nobody knows': {
    ...row([flood(frame(99, 0, 0, EIGHT)), get()], '200'),
    isClosedByNewer: true,
  },
  'requests that are reset at once': row(
    odd(5_000).flatMap((id) => [get(id, '/_sandbox/openapi.json'), frame(RST_STREAM, 0, id, uint32(8))]),
    'refused',
  ),
  'a hundred large answers without a window': row(
    [frame(SETTINGS, 0, 0, setting(4, 0)), ...odd(100).map((id) => get(id, '/_sandbox/openapi.json'))],
    '200',
    'closed',
  ),
  'a hundred large answers without a window, of which nothing is read': {
    ...row(
      [frame(SETTINGS, 0, 0, setting(4, 0)), ...odd(100).map((id) => get(id, '/_sandbox/openapi.json'))],
      'closed',
    ),
    isDeaf: true,
  },
  'more streams than are allowed': row(
    odd(110).map((id) => frame(HEADERS, END_HEADERS, id, block([...LINE, KEY]))),
    'refused',
  ),
  'a window that opens by nothing': row([get(), frame(WINDOW_UPDATE, 0, 0, uint32(0))], 'refused'),
  'a window above the maximum': row(frame(WINDOW_UPDATE, 0, 0, uint32(2 ** 31 - 1)), 'refused'),
  'a first window above the maximum': row(frame(SETTINGS, 0, 0, setting(4, 2 ** 31)), 'refused'),
  'a window of a stream that is not open': row(frame(WINDOW_UPDATE, 0, 1, uint32(1)), 'refused'),
  'a frame of 16,385 bytes': row(frame(DATA, 0, 1, Buffer.alloc(16_385)), 'refused'),
  'a frame that says it has 16 MiB': row(Buffer.of(255, 255, 255, 0, 0, 0, 0, 0, 1), 'refused'),
  'settings of a stream': row(frame(SETTINGS, 0, 1), 'refused'),
  'a setting that nobody knows': row([frame(SETTINGS, 0, 0, setting(99, 1)), get()], '200'),
  'a ping of a stream': row(frame(PING, 0, 1, EIGHT), 'refused'),
  'a reset of a stream that is not open': row(frame(RST_STREAM, 0, 1, uint32(8)), 'refused'),
  'a request on no stream': row(get(0), 'refused'),
  'a request on a stream of the server': row(get(2), 'refused'),
  'data of a stream that is not open': row(frame(DATA, END_STREAM, 1, EIGHT), 'refused'),
  'data with more padding than it has bytes': row(
    [post(END_HEADERS), frame(DATA, PADDED, 1, Buffer.of(9, 0))],
    'refused',
  ),
  'CONTINUATION without a beginning': row(frame(CONTINUATION, END_HEADERS, 1, block(LINE)), 'refused'),
  'a ping between HEADERS and CONTINUATION': row(
    [frame(HEADERS, END_STREAM, 1, block(LINE)), frame(PING, 0, 0, EIGHT)],
    'refused',
  ),
  'a CONTINUATION of another stream': row(
    [frame(HEADERS, END_STREAM, 1, block(LINE)), frame(CONTINUATION, END_HEADERS, 3, block([KEY]))],
    'refused',
  ),
  'a header from an entry that no table has': row(frame(HEADERS, BOTH, 1, Buffer.of(0xff, 0x20)), 'refused'),
  'a header that ends in its name': row(frame(HEADERS, BOTH, 1, Buffer.of(0, 9, 0x61)), 'refused'),
  'a header in capital letters': row(request([...LINE, ['X-SecretKey', 'sk_test_http2']]), 'refused'),
  'a header of the connection': row(request([...LINE, KEY, ['connection', 'close']]), 'refused'),
  'a transfer coding': row(request([...LINE, KEY, ['transfer-encoding', 'chunked']]), 'refused'),
  'te other than trailers': row(request([...LINE, KEY, ['te', 'gzip']]), 'refused'),
  'a line feed in a header, which is left out': row(request([...LINE, KEY, ['x-a', 'b\r\nx-c: d']]), '200'),
  'a NUL in a header, which is left out': row(request([...LINE, KEY, ['x-a', '\0']]), '200'),
  'no method': row(request([...without(':method'), KEY]), 'refused'),
  'no path': row(request([...without(':path'), KEY]), 'refused'),
  'no host at all': row(request([...without(':authority'), KEY]), 'refused'),
  'two Hosts': row(request([...without(':authority'), HOST, HOST, KEY]), 'refused'),
  'an :authority and two Hosts': row(request([...LINE, HOST, ['host', 'evil.com'], KEY]), 'refused'),
  'two paths': row(request([...LINE, [':path', '/vault'], KEY]), 'refused'),
  'a pseudo-header of answers': row(request([...LINE, [':status', '200'], KEY]), 'refused'),
  'a pseudo-header after a header': row(request([...LINE.slice(0, 3), KEY, [':path', '/charge']]), 'refused'),
  'a body shorter than its length': row(
    [post(END_HEADERS, [['content-length', '5']]), frame(DATA, END_STREAM, 1, Buffer.from('{}'))],
    'refused',
  ),
  'a body longer than its length': row(
    [post(END_HEADERS, [['content-length', '1']]), frame(DATA, END_STREAM, 1, Buffer.from('{}'))],
    'refused',
  ),
  'a length that is no number': row(post(BOTH, [['content-length', '-1']]), 'refused'),
  'headers of 60 KiB in CONTINUATION': row(
    [
      frame(HEADERS, END_STREAM, 1, block([...LINE, KEY])),
      ...Array.from({ length: 600 }, (_, i) =>
        frame(CONTINUATION, i === 599 ? END_HEADERS : 0, 1, block([['x-a', 'b'.repeat(100)]])),
      ),
    ],
    'closed',
  ),
};
