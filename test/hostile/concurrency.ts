import { batchOf } from '../support/bodies.js';
import {
  ask,
  AUTHORISED,
  CAPTURED,
  charging,
  CUSTOMER,
  del,
  ENTRY,
  get,
  KEEP,
  METHOD,
  post,
  PROVIDER,
  put,
  refused,
  type Rows,
  row,
  taken,
  times,
} from './row.js';

const ADVANCE = post('/_sandbox/clock/advance', { By: '1h' });
const HELD = charging({ Webhook: { Url: 'http://held.test/' } });
const WHILE_HELD = { after: [HELD] };
const SETTLE = post('/_sandbox/settle', { Timeout: '10s' });
const RESET = post('/_sandbox/reset', {});
const BATCH = post('/batch/transaction/payment_method', batchOf(times(5000, (i) => `${METHOD},5,AUD,r${i}`)));
const capture = post(`/charge/${AUTHORISED}`, { Amount: 30 });
const voiding = del(`/charge/${AUTHORISED}/void`);
const refund = (amount: number): string => del(`/refund/${CAPTURED}?Amount=${amount}`);
const wrongState = refused(409, 54);

/** Requests that meet. */
export const CONCURRENCY: Rows = {
  'a capture and a void': row([capture, voiding], [taken(), wrongState]),
  'ten captures': row(
    times(10, () => capture),
    [taken(), ...times(9, () => wrongState)],
    { then: [[get(`/charge/${AUTHORISED}`), taken('"Amount":30')]] },
  ),
  'two refunds that are too much together': row([refund(30), refund(30)], [taken(), refused(400, 76)], {
    then: [[get(`/charge/${CAPTURED}`), taken('"RefundedAmount":30')]],
  }),
  'five refunds of a fifth, and one more': row(
    times(6, () => refund(10)),
    [...times(5, () => taken()), wrongState],
    { then: [[get(`/charge/${CAPTURED}`), taken('"Status":"REFUND"')]] },
  ),
  'two deletions of one vault entry': row(
    [del(`/vault/${ENTRY}`), del(`/vault/${ENTRY}`)],
    [taken(), refused(404, 62)],
  ),
  'one token for two charges': row(
    [
      post('/charge/token', { Amount: 5, Token: 'tok_used' }),
      post('/charge/token', { Amount: 5, Token: 'tok_used' }),
    ],
    [refused(400, 51), refused(400, 51)],
  ),
  'two captures on one connection': row(post(`/charge/${AUTHORISED}`, { Amount: 30 }, KEEP) + capture, [
    taken(),
    wrongState,
  ]),
  'two advances': row(
    [ADVANCE, ADVANCE],
    [taken(), refused(409, 37, 'Another call is advancing the clock of this world')],
    WHILE_HELD,
  ),
  'an advance and a change of the clock': row(
    [ADVANCE, put('/_sandbox/clock', { Mode: 'manual' })],
    [taken(), refused(409, 37)],
    WHILE_HELD,
  ),
  'a reset during an advance': row(
    [ADVANCE, RESET],
    [taken('"Charges":2'), refused(503, 37, 'The world was reset while this request waited. Send it again.')],
    { after: [BATCH] },
  ),
  'a reset during a settle': row(
    [SETTLE, RESET],
    [taken(), refused(503, 37, 'The world was reset while this request waited.')],
    WHILE_HELD,
  ),
  'a restore during a delivery': row(
    [SETTLE, post('/_sandbox/snapshots/a/restore', {})],
    [taken(), refused(503, 37, 'The world was restored while this request waited.')],
    { after: [ask('PUT', '/_sandbox/snapshots/a'), HELD] },
  ),
  'a reset during an await': row(
    [post('/_sandbox/journal/await', { Match: { Reference: 'never' }, Timeout: '10s' }), RESET],
    [taken(), refused(503, 37, 'The world was reset or restored while this request waited.')],
  ),
  'a reset of another world during a settle': row(
    [SETTLE, post('/_sandbox/reset', {}, 'x-secretkey: sk_test_third')],
    [taken(), taken()],
  ),
  'a clear of the journal during a charge': row(
    [charging(), ask('DELETE', '/_sandbox/journal')],
    [taken(), taken()],
  ),
  'twenty charges at a time': row(
    times(20, () => charging()),
    times(20, () => taken('"Status":"SUCCESS"')),
    { then: [[get('/charge'), taken('"Count":22')]] },
  ),
  'a scenario that changes during charges': row(
    [...times(5, () => charging()), ask('DELETE', '/_sandbox/scenario')],
    times(6, () => taken()),
  ),
  'a default method that is removed while it is charged': row(
    [
      post('/charge/customer', { Amount: 5, ProviderId: PROVIDER, CustomerId: CUSTOMER }),
      del(`/customer/${CUSTOMER}`),
    ],
    [taken(), taken()],
  ),
  'five calls and a sixth in a second of the key that is limited': row(
    times(6, () => get('/charge', 'x-secretkey: sk_test_limited')),
    [...times(5, () => taken()), refused(429, 35, 'allows 5 calls per second')],
  ),
};
