import {
  charge,
  CLOSED,
  get,
  HOST,
  post,
  refused,
  type Row,
  row,
  taken,
  SECRET,
  JSON_TYPE,
  CLOSE,
} from './row.js';
import { requestText } from '../node/http/support.js';

const LORIS = Array.from({ length: 200 }, () => 'GET /charge HTTP/1.1\r\nHost: localhost\r\nx-a:');
const HUNG = requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, 'Content-Length: 1000']);

/** Clients that take what they can get. */
export const RESOURCES: readonly Row[] = [
  row(
    'two hundred clients that begin a request and leave',
    LORIS,
    LORIS.map(() => refused(400, 90)),
    { ends: true },
  ),
  row(
    'a hundred bodies that never come',
    Array.from({ length: 100 }, () => HUNG),
    Array.from({ length: 100 }, () => refused(400, 90)),
    { ends: true },
  ),
  row(
    'two hundred worlds',
    Array.from({ length: 200 }, (_, i) => get('/charge', `x-secretkey: sk_test_flood_${i}`)),
    Array.from({ length: 200 }, () => taken('"Count":2')),
  ),
  row(
    'five hundred requests on one connection',
    `${get('/charge/x', 'Connection: keep-alive').repeat(499)}${get('/charge')}`,
    [...Array.from({ length: 499 }, () => refused(404, 84)), taken()],
  ),
  row('more entries than a journal keeps', get('/_sandbox/journal?Limit=1'), taken('"Count":1000'), {
    after: [get('/charge/x', 'Connection: keep-alive').repeat(1000) + get('/charge')],
  }),
  row(
    'connections that say nothing',
    Array.from({ length: 200 }, () => ''),
    CLOSED,
    { ends: true },
  ),
  row('a charge beside them', post('/charge/card', charge()), taken()),
];
