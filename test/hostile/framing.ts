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
  type Row,
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
const tooMany = refused(431, 90, 'At most 100 headers are taken');
const uncoded = bad('chunked is the one transfer coding that is taken, in HTTP/1.1.');
const malformed = bad('The request is not well-formed HTTP/1.1.');

/** Requests that two readers could part differently, and such as are no HTTP. */
export const FRAMING: readonly Row[] = [
  row('a length with a plus sign', sized(' +5'), malformed),
  row('a length in hexadecimal', sized(' 0x20'), malformed),
  row('a length with a fraction', sized(' 5.0'), malformed),
  row('a length with an underscore', sized(' 1_0'), malformed),
  row('a length with a blank within', sized(' 1 0'), malformed),
  row('an empty length', sized(''), malformed),
  row('a length above 2^64', sized(' 18446744073709551617'), malformed),
  row('a length of 100 digits', sized(` ${'9'.repeat(100)}`), malformed),
  row('the same length twice', sized(` ${BODY.length}\r\nContent-Length: ${BODY.length}`), malformed),
  row('the same length twice in one header', sized(` ${BODY.length}, ${BODY.length}`), malformed),
  row('a length after a vertical tab', sized(`\v${BODY.length}`), malformed),
  row('a length shorter than the body, whose rest is no request', sized(' 10'), bad('not acceptable JSON')),
  row(
    'a length longer than the body, and the end of the connection',
    sized(` ${BODY.length + 1}`),
    malformed,
    ENDS,
  ),
  row(
    'two transfer codings in two headers',
    coded('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
    malformed,
  ),
  row('chunked and a second transfer coding before it', coded('Transfer-Encoding: gzip, chunked'), uncoded),
  row('the transfer coding identity', coded('Transfer-Encoding: identity'), uncoded),
  row('chunked in quotes', coded('Transfer-Encoding: "chunked"'), uncoded),
  row('chunked after a vertical tab', coded('Transfer-Encoding:\vchunked'), malformed),
  row('chunked under a name with a blank before the colon', coded('Transfer-Encoding : chunked'), malformed),
  row(
    'chunked under a name with an underscore, which is another header',
    coded('Transfer_Encoding: chunked'),
    bad(),
  ),
  // From Node 22 on the parser refuses it, before we do.
  row('an empty transfer coding', coded('Transfer-Encoding:'), bad()),
  row(
    'a request of HTTP/1.0 in chunks',
    requestText(
      'POST /charge/card',
      [HOST, SECRET, JSON_TYPE, 'Transfer-Encoding: chunked'],
      `${chunk(BODY)}0\r\n\r\n`,
    ).replace('HTTP/1.1', 'HTTP/1.0'),
    uncoded,
  ),
  row('a chunk size with a sign', chunked(`+2\r\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk size in the notation of C', chunked(`0x2\r\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk size with a blank before it', chunked(` 2\r\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk size with a blank after it', chunked(`2 \r\n{}\r\n0\r\n\r\n`), malformed),
  row('a negative chunk size', chunked(`-1\r\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk size above 2^64', chunked(`10000000000000002\r\n{}\r\n0\r\n\r\n`), malformed),
  row('an empty chunk size', chunked(`\r\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk size that ends in a bare line feed', chunked(`2\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk that ends in a bare line feed', chunked(`2\r\n{}\n0\r\n\r\n`), malformed),
  row('a chunk extension with a bare line feed', chunked(`2;a\nb\r\n{}\r\n0\r\n\r\n`), malformed),
  row('a chunk shorter than it says', chunked(`ff\r\n{}\r\n0\r\n\r\n`), malformed, ENDS),
  row('chunks without a last one', chunked(chunk(BODY)), malformed, ENDS),
  row('a request after chunks that have none', chunked(`0\r\nX: y\r\n${SMUGGLED}`), malformed),
  row(
    'a trailer that names another length',
    chunked(`${chunk(BODY)}0\r\nContent-Length: 5\r\n\r\n`),
    malformed,
  ),
  row(
    'trailers that name another host and key',
    requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, 'Transfer-Encoding: chunked']) +
      `${chunk(BODY)}0\r\nHost: evil.com\r\nx-secretkey: sk_test_other\r\n\r\n`,
    taken('"Status":"SUCCESS"'),
  ),
  row('a header folded over two lines', request(HOST, 'x-secretkey: sk_test_', ' folded'), malformed),
  row('a header folded with a tab', request('Host: localhost', '\tevil.com', SECRET), malformed),
  row('a first header that is folded', request(' x: y', HOST, SECRET), malformed),
  row('lines that end in bare line feeds', `GET /charge HTTP/1.1\n${HOST}\n${SECRET}\n\n`, malformed),
  row(
    'one bare line feed among the headers',
    `GET /charge HTTP/1.1\r\n${HOST}\nX-Other: a\r\n${SECRET}\r\n\r\n`,
    malformed,
  ),
  row(
    'a bare line feed that ends the headers',
    `GET /charge HTTP/1.1\r\n${HOST}\r\n${SECRET}\r\n\n`,
    malformed,
  ),
  row(
    'a bare carriage return that ends a line',
    `GET /charge HTTP/1.1\r${HOST}\r\n${SECRET}\r\n\r\n`,
    malformed,
  ),
  row(
    'two blanks in the request line, which have one meaning',
    get('/charge').replace(' ', '  '),
    taken('"Count":2'),
  ),
  row('a tab in the request line', `GET\t/charge HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  row('a blank before the request line', ` GET /charge HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  row('a method in lower case', `get /charge HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  row('a version in lower case', `GET /charge http/1.1\r\n${HOST}\r\n\r\n`, malformed),
  row('a version with two digits', `GET /charge HTTP/1.10\r\n${HOST}\r\n\r\n`, malformed),
  row('no path', `GET HTTP/1.1\r\n${HOST}\r\n\r\n`, malformed),
  row('a path without a slash', get('charge'), malformed),
  row('an empty header name', request(HOST, ': value'), malformed),
  row('a header name in UTF-8', request(HOST, 'x-\xc3\xa9: a'), malformed),
  row('a DEL in a header', request(HOST, SECRET, 'x-other: \x7f'), malformed),
  row('the beginning of a request, and the end of the connection', 'GET /char', malformed, ENDS),
  row('nothing but empty lines', '\r\n\r\n\r\n', CLOSED, ENDS),
  row('empty lines before a request', `\r\n\r\n${get('/charge')}`, taken('"Count":2')),
  row('nothing, and the end of the connection', '', CLOSED, ENDS),
  row(
    'a hundred requests at once, the last of which is none',
    times(99, () => get('/charge/x', KEEP)).join('') + 'nonsense\r\n\r\n',
    [...times(99, () => refused(404, 84)), malformed],
  ),
  row('a charge in the same bytes as nonsense', charging({}, KEEP) + 'nonsense\r\n\r\n', [
    taken('"Status":"SUCCESS"'),
    malformed,
  ]),
  row('a charge in the same bytes as a body that breaks', charging({}, KEEP) + chunked('zz\r\n'), [
    taken('"Status":"SUCCESS"'),
    malformed,
  ]),
  row('a request after one that closes the connection', get('/charge') + SMUGGLED, taken('"Count":2')),
  row(
    'a request in the body of a GET',
    requestText('GET /charge', [HOST, SECRET, CLOSE], SMUGGLED),
    taken('"Count":2'),
  ),
  row(
    'a body of a GET without a length, which is the next request',
    get('/charge/x', KEEP) + get('/charge'),
    [refused(404, 84), taken('"Count":2')],
  ),
  row('a hundred headers, which are taken', get('/charge', ...fillers(97)), taken('"Count":2')),
  row('101 headers', get('/charge', ...fillers(98)), tooMany),
  row(
    'a second Host behind a hundred headers',
    request(HOST, SECRET, CLOSE, ...fillers(100), 'Host: evil.com'),
    tooMany,
  ),
  row('10,000 empty headers of one letter', request(HOST, ...times(10_000, () => 'a:')), tooMany),
  row(
    'an expectation that nobody meets',
    charging({}, 'Expect: 200-ok'),
    refused(417, 90, 'The expectation 200-ok is not met; 100-continue is.'),
  ),
  row(
    'an upgrade to HTTP/2 in the clear',
    get(
      '/charge',
      'Connection: Upgrade, HTTP2-Settings, close',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ),
    taken('"Count":2'),
  ),
  row(
    'TRACE, which would repeat the key',
    get('/charge').replace('GET', 'TRACE'),
    refused(405, 90, 'TRACE is not taken here'),
  ),
  row(
    'a method of WebDAV',
    get('/charge').replace('GET', 'PROPFIND'),
    refused(405, 90, 'PROPFIND is not taken here'),
  ),
  row('CONNECT with a path', get('/charge').replace('GET', 'CONNECT'), CLOSED),
];
