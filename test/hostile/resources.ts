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
  type Rows,
  row,
  SECRET,
  taken,
  times,
} from './row.js';
import { requestText } from '../node/http/support.js';

const LORIS = times(200, () => 'GET /charge HTTP/1.1\r\nHost: localhost\r\nx-a:');
const HUNG = requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, CLOSE, 'Content-Length: 1000']);

/** Clients that take what they can get. */
export const RESOURCES: Rows = {
  'two hundred clients that begin a request and leave': row(
    LORIS,
    LORIS.map(() => bad()),
    { ends: true },
  ),
  'a hundred bodies that never come': row(
    times(100, () => HUNG),
    times(100, () => bad()),
    { ends: true },
  ),
  'two hundred worlds': row(
    times(200, (i) => get('/charge', `x-secretkey: sk_test_flood_${i}`)),
    times(200, () => taken('"Count":2')),
  ),
  'five hundred requests on one connection': row(`${get('/charge/x', KEEP).repeat(499)}${get('/charge')}`, [
    ...times(499, () => refused(404, 84)),
    taken(),
  ]),
  'connections that say nothing': row(
    times(200, () => ''),
    CLOSED,
    { ends: true },
  ),
  'a charge beside them': row(charging(), taken()),
};
