import {
  ask,
  bad,
  CAPTURED,
  charge,
  charging,
  chargingWith,
  CLOSE,
  del,
  type Expected,
  get,
  GUARDED,
  HOST,
  JSON_TYPE,
  post,
  refused,
  type Row,
  type Rows,
  row,
  SECRET,
  taken,
} from './row.js';
import { requestText } from '../node/http/support.js';

const inVersion = (version: string, text = get('/charge')): string => text.replace('HTTP/1.1', version);
const wrongVersion = refused(505, 90, 'The request line must end in HTTP/1.1 or HTTP/1.0.');
const head = (path: string, ...headers: string[]): string => ask('HEAD', path, ...headers);
const measured = (status = 200): Expected => ({ status, says: ['\r\ncontent-length: '] });
const coded = (coding: string): string => `Content-Encoding: ${coding}`;
const wrongCoding = refused(415, 90, 'was sent with the Content-Encoding ', 'send it uncompressed');
const wrongHost = bad('The Host header is malformed', 'a port up to 65535');
const withNul = bad('Found the escape of a NUL character, expected text without it');
const nulInQuery = bad('The query contains %00; a text must not contain the NUL character.');
const noUtf8 = (bytes: string): Expected => bad(`The query contains ${bytes}, which is not UTF-8`);
const find = (query: string, ...headers: string[]): string => get(`/charge?${query}`, ...headers);
/** JSON with the escape of a NUL in the place of `@`. */
const nul = (value: unknown): string => JSON.stringify(value).replaceAll('@', '\\u0000');
const SDK = 'x-sandbox-dialect: sdk';
const inSdk = (says: string): Expected => ({ status: 400, says: ['"code":90', says] });

/** Versions of HTTP in the request line. */
const VERSIONS: Rows = {
  'HTTP/2.0 as text': row(inVersion('HTTP/2.0'), wrongVersion),
  'HTTP/2.0 as text, with another length': row(
    inVersion('HTTP/2.0', get('/charge', 'Transfer-Encoding: gzip')),
    // The parser itself may refuse the coding.
    { status: 505, says: [] },
  ),
  'HTTP/1.2': row(inVersion('HTTP/1.2'), wrongVersion),
  'HTTP/1.0, which is taken': row(inVersion('HTTP/1.0'), taken('"Count":2')),
  'a second request of HTTP/2.0': row(get('/charge/x', 'Connection: keep-alive') + inVersion('HTTP/2.0'), [
    refused(404, 84),
    wrongVersion,
  ]),
};

/** HEAD, whose answer says how long that of a GET would be. */
const HEADS: Rows = {
  'HEAD of a search': row(head('/charge'), measured()),
  'HEAD of an unknown path': row(head('/nowhere'), measured(404)),
  'HEAD of a path for POST': row(head('/charge/card'), measured(405)),
  'HEAD without a key': row(head('/charge', 'x-secretkey'), measured(401)),
  'HEAD of a page': row(head('/_sandbox/reference'), measured()),
  'HEAD with a fault that sends no JSON': row(head('/charge', 'x-sandbox-fault: malformed'), measured()),
  'HEAD with a fault that sends a part': row(head('/charge', 'x-sandbox-fault: truncate; phase=after'), {
    status: 200,
    says: ['\r\ncontent-length: '],
  }),
};

/** Labels of a content coding, whether or not the body is coded. */
const CODINGS: Rows = Object.fromEntries([
  ...['gzip', 'GZIP', 'x-gzip', 'br', 'deflate', 'zstd', 'identity, gzip', 'gzip, identity', 'none'].map(
    (coding): [string, Row] => [
      `plain JSON that is labelled ${coding}`,
      row(charging({}, coded(coding)), wrongCoding),
    ],
  ),
  ...['identity', 'Identity', ''].map((coding): [string, Row] => [
    `plain JSON that is labelled "${coding}"`,
    row(charging({}, coded(coding)), taken('"Status":"SUCCESS"')),
  ]),
  [
    'a gzip label in the sdk dialect',
    row(charging({}, coded('gzip'), SDK), { status: 415, says: ['"code":90'] }),
  ],
  [
    'a gzip label on the body of a DELETE',
    row(
      requestText(
        `DELETE /refund/${CAPTURED}`,
        [HOST, SECRET, JSON_TYPE, CLOSE, coded('gzip')],
        '{"Amount":"1"}',
      ),
      wrongCoding,
    ),
  ],
  [
    'a gzip label on a chunked body',
    row(
      requestText(
        'POST /charge/card',
        [HOST, SECRET, JSON_TYPE, CLOSE, coded('gzip'), 'Transfer-Encoding: chunked'],
        '2\r\n{}\r\n0\r\n\r\n',
      ),
      wrongCoding,
    ),
  ],
  [
    'a gzip label on a batch',
    row(post('/batch/transaction/payment_method', { Count: 1 }, coded('gzip')), wrongCoding),
  ],
  [
    'a gzip label on another type',
    row(charging({}, coded('gzip'), 'Content-Type: text/plain'), refused(415, 90)),
  ],
  ['a gzip label without a body', row(get('/charge', coded('gzip')), taken('"Count":2'))],
  ['a gzip label on an empty body', row(del(`/refund/${CAPTURED}`, coded('gzip')), taken())],
] satisfies [string, Row][]);

/** Ports that no machine has. */
const HOSTS: Rows = {
  ...Object.fromEntries(
    ['a:99999', 'localhost:65536', '127.0.0.1:70000', '[::1]:99999', 'a:00000', 'a:65535'].map((host) => [
      `the host ${host}`,
      row(get('/charge', `Host: ${host}`), /:(?:00000|65535)$/.test(host) ? taken('"Count":2') : wrongHost),
    ]),
  ),
  'the host a:99999 on a preflight': row(ask('OPTIONS', '/charge', 'Host: a:99999'), wrongHost),
  'the origin http://localhost:99999': row(
    charging({}, 'Origin: http://localhost:99999'),
    refused(403, 90, 'The origin http://localhost:99999 may not call this server.'),
  ),
};

/** NUL, which is no character of a text. */
const NULS: Rows = {
  'a NUL in a reference': row(post('/charge/card', nul(charge({ Reference: 'a@b' }))), withNul),
  'a NUL in the value of metadata': row(post('/charge/card', nul(charge({ Metadata: { a: '@' } }))), withNul),
  'a NUL in the name of a field': row(chargingWith('"Refer\\u0000ence":"a"'), withNul),
  'a NUL in a field that nobody knows': row(chargingWith('"Unknown":["\\u0000"]'), withNul),
  'a NUL in the rows of a batch': row(
    post('/batch/transaction/payment_method', nul({ Count: 1, Description: 'a', Batch: 'PaymentMethodId@' })),
    withNul,
  ),
  'a NUL in a comment of a refund': row(
    requestText(`DELETE /refund/${CAPTURED}`, [HOST, SECRET, JSON_TYPE, CLOSE], nul({ Comment: '@' })),
    withNul,
  ),
  'a NUL in the sdk dialect': row(
    post('/charge/card', nul(charge({ Reference: '@' })), SDK),
    inSdk('Found the escape of a NUL character'),
  ),
  'a backslash before u0000, which is text': row(
    chargingWith('"Reference":"\\\\u0000"'),
    taken(String.raw`"Reference":"\\u0000"`),
  ),
  'another control character in an escape, which is text': row(
    chargingWith(String.raw`"Reference":"a\u0001b"`),
    taken(String.raw`"Reference":"a\u0001b"`),
  ),
};

/** Bytes of a query that are no text. */
const QUERY_BYTES: Rows = {
  'a byte that no text has': row(find('reference=%ff'), noUtf8('%ff')),
  'half of a character': row(find('reference=%c3'), noUtf8('%c3')),
  'half of a character before an escaped letter': row(find('reference=%c3%41'), noUtf8('%c3')),
  'an overlong slash': row(find('reference=%c0%af'), noUtf8('%c0%af')),
  'half of a surrogate pair': row(find('reference=%ed%a0%80'), noUtf8('%ed%a0%80')),
  'a character beyond Unicode': row(find('reference=%f4%90%80%80'), noUtf8('%f4%90%80%80')),
  'a hundred bytes that no text has': row(
    find(`reference=${'%ff'.repeat(100)}`),
    noUtf8(`${'%ff'.repeat(10)}…`),
  ),
  'a byte that no text has in a name': row(find('%ff=a'), noUtf8('%ff')),
  'a byte that no text has in the sdk dialect': row(find('reference=%ff', SDK), inSdk('which is not UTF-8')),
  'a byte that no text has in a refund': row(del(`/refund/${CAPTURED}?Comment=%ff`), noUtf8('%ff')),
  'a byte that no text has, to a strict server': row(find('reference=%ff'), noUtf8('%ff'), GUARDED),
  'a byte that no text has, in a HEAD': row(head('/charge?reference=%ff'), { status: 400, says: [] }),
  'a NUL in a filter': row(find('reference=a%00b'), nulInQuery),
  'a NUL in the comment of a refund': row(del(`/refund/${CAPTURED}?Comment=%00`), nulInQuery),
  'a character of four bytes, which is text': row(find('reference=%f0%9f%98%80'), taken('"Count":0')),
  'a percent sign that begins no escape, which is text': row(find('reference=100%'), taken('"Count":0')),
};

/** How a server with good manners answers what is nearly right. */
export const MANNERS: Rows = { ...VERSIONS, ...HEADS, ...CODINGS, ...HOSTS, ...NULS, ...QUERY_BYTES };
