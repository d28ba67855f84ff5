import { requestText } from '../node/http/support.js';
import {
  bad,
  charge,
  charging,
  chunk,
  CLOSE,
  CLOSED,
  get,
  HOST,
  JSON_TYPE,
  KEEP,
  post,
  refused,
  type Rows,
  row,
  SECRET,
  taken,
  times,
} from './row.js';

const BODY = JSON.stringify(charge());
const chunked = (line: string, ...headers: string[]): string =>
  requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, 'Transfer-Encoding: chunked', ...headers]) +
  line;
const sized = (length: string, body = BODY): string =>
  requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, `Content-Length:${length}`], body);
const coded = (coding: string): string =>
  requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, coding], `${chunk(BODY)}0\r\n\r\n`);
const request = (...headers: string[]): string =>
  `${['GET /charge HTTP/1.1', ...headers].join('\r\n')}\r\n\r\n`;
/** What must never be read as a request of its own. */
const SMUGGLED = post('/vault', { CardNumber: '4111111111111111' });

const ENDS = { ends: true };
const fillers = (count: number): string[] => times(count, (i) => `x-filler-${i}: a`);
const tooMany = refused(431, 90, 'The request has too many headers; the maximum is 100.');
const tooLarge = refused(431, 90, 'The headers are too large; the maximum is 32 KiB.');
const uncoded = bad('The header Transfer-Encoding must be chunked, in HTTP/1.1.');
const noTunnel = refused(501, 90, 'This server does not open tunnels (CONNECT)');
const wrongVersion = refused(505, 90, 'The request line must end in HTTP/1.1 or HTTP/1.0.');
const malformed = bad('The request is not well-formed HTTP/1.1.');

/** Requests that two readers could part differently, and such as are no HTTP. */
export const FRAMING: Rows = {
  'a length with a plus sign': row(sized(' +5'), malformed),
  'a length in exponents': row(sized(' 1e2', SMUGGLED), malformed),
  'a negative length': row(sized(' -1', SMUGGLED), malformed),
  'an empty length': row(sized(''), malformed),
  'a length above 2^64': row(sized(' 18446744073709551617'), malformed),
  'the same length twice': row(sized(` ${BODY.length}\r\nContent-Length: ${BODY.length}`), malformed),
  'two lengths': row(sized(` 0\r\nContent-Length: ${SMUGGLED.length}`, SMUGGLED), malformed),
  'a length before chunks': row(coded('Content-Length: 4\r\nTransfer-Encoding: chunked'), malformed),
  'a length after chunks': row(coded('Transfer-Encoding: chunked\r\nContent-Length: 4'), malformed),
  'a length after a vertical tab': row(sized(`\v${BODY.length}`), malformed),
  'a length shorter than the body, whose rest is no request': row(sized(' 10'), bad('not valid JSON')),
  'a length longer than the body, and the end of the connection': row(
    sized(` ${BODY.length + 1}`),
    malformed,
    ENDS,
  ),
  'two transfer codings in two headers': row(
    coded('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
    malformed,
  ),
  'chunked and a second transfer coding before it': row(coded('Transfer-Encoding: gzip, chunked'), uncoded),
  'a transfer coding after chunked': row(coded('Transfer-Encoding: chunked, identity'), malformed),
  'a transfer coding that nobody knows': row(coded('Transfer-Encoding: xchunked'), uncoded),
  'chunked in quotes': row(coded('Transfer-Encoding: "chunked"'), uncoded),
  'chunked after a vertical tab': row(coded('Transfer-Encoding:\vchunked'), malformed),
  'chunked under a name with a blank before the colon': row(coded('Transfer-Encoding : chunked'), malformed),
  'chunked under a name with an underscore, which is another header': row(
    coded('Transfer_Encoding: chunked'),
    bad(),
  ),
  // From Node 22 on the parser refuses it, before we do.
  'an empty transfer coding': row(coded('Transfer-Encoding:'), bad()),
  'a request of HTTP/1.0 in chunks': row(
    requestText(
      'POST /charge/card',
      [HOST, SECRET, JSON_TYPE, 'Transfer-Encoding: chunked'],
      `${chunk(BODY)}0\r\n\r\n`,
    ).replace('HTTP/1.1', 'HTTP/1.0'),
    uncoded,
  ),
  'a chunk size in letters': row(chunked(`zz\r\n${SMUGGLED}`), malformed),
  'a chunk longer than it says': row(chunked(`1\r\nabc\r\n0\r\n\r\n${SMUGGLED}`), malformed),
  'chunk extensions without an end': row(
    chunked(`2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    refused(413, 90, 'The chunk extensions are too large; the maximum is 16 KiB.'),
  ),
  'a chunk size with a sign': row(chunked(`+2\r\n{}\r\n0\r\n\r\n`), malformed),
  'a chunk size above 2^64': row(chunked(`10000000000000002\r\n{}\r\n0\r\n\r\n`), malformed),
  'a chunk size that ends in a bare line feed': row(chunked(`2\n{}\r\n0\r\n\r\n`), malformed),
  'a chunk that ends in a bare line feed': row(chunked(`2\r\n{}\n0\r\n\r\n`), malformed),
  'a chunk extension with a bare line feed': row(chunked(`2;a\nb\r\n{}\r\n0\r\n\r\n`), malformed),
  'a chunk shorter than it says': row(chunked(`ff\r\n{}\r\n0\r\n\r\n`), malformed, ENDS),
  'chunks without a last one': row(chunked(chunk(BODY)), malformed, ENDS),
  'a request after chunks that have none': row(chunked(`0\r\nX: y\r\n${SMUGGLED}`), malformed),
  'a trailer that names another length': row(
    chunked(`${chunk(BODY)}0\r\nContent-Length: 5\r\n\r\n`),
    malformed,
  ),
  'trailers that name another host and key': row(
    requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, 'Transfer-Encoding: chunked']) +
      `${chunk(BODY)}0\r\nHost: evil.com\r\nx-secretkey: sk_test_other\r\n\r\n`,
    taken('"Status":"SUCCESS"'),
  ),
  'a header folded over two lines': row(request(HOST, 'x-secretkey: sk_test_', ' folded'), malformed),
  'a header folded with a tab': row(request('Host: localhost', '\tevil.com', SECRET), malformed),
  'a first header that is folded': row(request(' x: y', HOST, SECRET), malformed),
  'lines that end in bare line feeds': row(`GET /charge HTTP/1.1\n${HOST}\n${SECRET}\n\n`, malformed),
  'one bare line feed among the headers': row(
    `GET /charge HTTP/1.1\r\n${HOST}\nX-Other: a\r\n${SECRET}\r\n\r\n`,
    malformed,
  ),
  'a bare carriage return that ends a line': row(
    `GET /charge HTTP/1.1\r${HOST}\r\n${SECRET}\r\n\r\n`,
    malformed,
  ),
  'two blanks in the request line, which have one meaning': row(
    get('/charge').replace(' ', '  '),
    taken('"Count":2'),
  ),
  'a tab in the request line': row(`GET\t/charge HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  'a blank before the request line': row(` GET /charge HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  'a method in lower case': row(`get /charge HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  'a version with two digits': row(`GET /charge HTTP/1.10\r\n${HOST}\r\n\r\n`, malformed),
  'HTTP/0.9': row('GET /charge\r\n\r\n', wrongVersion),
  'the preface of HTTP/2': row('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', wrongVersion),
  'the hello of TLS': row('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', malformed),
  'a method that nobody knows': row(get('/charge').replace('GET', 'FOO'), malformed),
  'a blank in the path': row(get('/charge card'), malformed),
  'no path': row(`GET HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  'a path without a slash': row(get('charge'), malformed),
  'an empty header name': row(request(HOST, ': value'), malformed),
  'a header without a colon': row(request(HOST, 'nonsense'), malformed),
  'a header name with a blank': row(request(HOST, 'x secretkey: sk_test_a'), malformed),
  'a header name with a blank before the colon': row(request(HOST, 'x-secretkey : sk_test_a'), malformed),
  'a NUL in a header': row(request(HOST, 'x-secretkey: sk_test_a\0b'), malformed),
  'a bare carriage return in a header': row(request(HOST, 'x-secretkey: sk_test_a\rb'), malformed),
  'a header name in UTF-8': row(request(HOST, 'x-\xc3\xa9: a'), malformed),
  'a DEL in a header': row(request(HOST, SECRET, 'x-other: \x7f'), malformed),
  'the beginning of a request, and the end of the connection': row('GET /char', malformed, ENDS),
  'nothing but empty lines': row('\r\n\r\n\r\n', CLOSED, ENDS),
  'empty lines before a request': row(`\r\n\r\n${get('/charge')}`, taken('"Count":2')),
  'nothing, and the end of the connection': row('', CLOSED, ENDS),
  'a hundred requests at once, the last of which is none': row(
    times(99, () => get('/charge/x', KEEP)).join('') + 'nonsense\r\n\r\n',
    [...times(99, () => refused(404, 84)), malformed],
  ),
  'a charge in the same bytes as nonsense': row(charging({}, KEEP) + 'nonsense\r\n\r\n', [
    taken('"Status":"SUCCESS"'),
    malformed,
  ]),
  'a charge in the same bytes as a body that breaks': row(charging({}, KEEP) + chunked('zz\r\n'), [
    taken('"Status":"SUCCESS"'),
    malformed,
  ]),
  'a request after one that closes the connection': row(get('/charge') + SMUGGLED, taken('"Count":2')),
  'a request in the body of a GET': row(
    requestText('GET /charge', [HOST, SECRET, CLOSE], SMUGGLED),
    taken('"Count":2'),
  ),
  'a body of a GET without a length, which is the next request': row(
    get('/charge/x', KEEP) + get('/charge'),
    [refused(404, 84), taken('"Count":2')],
  ),
  'a hundred headers, which are taken': row(get('/charge', ...fillers(97)), taken('"Count":2')),
  '101 headers': row(get('/charge', ...fillers(98)), tooMany),
  'a second Host behind a hundred headers': row(
    request(HOST, SECRET, CLOSE, ...fillers(100), 'Host: evil.com'),
    tooMany,
  ),
  'a header above 32 KiB': row(get('/charge', `x-filler: ${'x'.repeat(40_000)}`), tooLarge),
  'headers above 32 KiB': row(
    get('/charge', ...times(2000, (i) => `x-filler-${i}: ${'x'.repeat(20)}`)),
    tooLarge,
  ),
  'a path above 32 KiB': row(get(`/charge/${'x'.repeat(40_000)}`), tooLarge),
  '10,000 empty headers of one letter': row(request(HOST, ...times(10_000, () => 'a:')), tooMany),
  'an expectation that nobody meets': row(
    charging({}, 'Expect: 200-ok'),
    refused(417, 90, 'The header Expect must be 100-continue, not "200-ok".'),
  ),
  'an upgrade to HTTP/2 in the clear': row(
    get(
      '/charge',
      'Connection: Upgrade, HTTP2-Settings, close',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ),
    taken('"Count":2'),
  ),
  'TRACE, which would repeat the key': row(
    get('/charge').replace('GET', 'TRACE'),
    refused(405, 90, 'TRACE is not supported here'),
  ),
  CONNECT: row(request(HOST).replace('GET /charge', 'CONNECT evil.com:443'), noTunnel),
};
