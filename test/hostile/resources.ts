import {
  bad,
  charging,
  CLOSE,
  CLOSED,
  get,
  HOST,
  JSON_TYPE,
  KEEP,
  refused,
  type Row,
  row,
  SECRET,
  taken,
  times,
} from './row.js';
import { requestText } from '../node/http/support.js';

const LORIS = times(200, () => 'GET /charge HTTP/1.1\r\nHost: localhost\r\nx-a:');
const HUNG = requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, 'Content-Length: 1000']);

/** Clients that take what they can get. */
export const RESOURCES: readonly Row[] = [
  row(
    'two hundred clients that begin a request and leave',
    LORIS,
    LORIS.map(() => bad()),
    { ends: true },
  ),
  row(
    'a hundred bodies that never come',
    times(100, () => HUNG),
    times(100, () => bad()),
    { ends: true },
  ),
  row(
    'two hundred worlds',
    times(200, (i) => get('/charge', `x-secretkey: sk_test_flood_${i}`)),
    times(200, () => taken('"Count":2')),
  ),
  row('five hundred requests on one connection', `${get('/charge/x', KEEP).repeat(499)}${get('/charge')}`, [
    ...times(499, () => refused(404, 84)),
    taken(),
  ]),
  row('more entries than a journal keeps', get('/_sandbox/journal?Limit=1'), taken('"Count":1000'), {
    after: [get('/charge/x', KEEP).repeat(1000) + get('/charge')],
  }),
  row(
    'connections that say nothing',
    times(200, () => ''),
    CLOSED,
    { ends: true },
  ),
  row('a charge beside them', charging(), taken()),
];
