import {
  AUTHORISED,
  CAPTURED,
  CLOSE,
  charging,
  charge,
  chunk,
  CUSTOMER,
  del,
  FULL,
  get,
  HOST,
  JSON_TYPE,
  METHOD,
  post,
  put,
  refused,
  row,
  type Rows,
  SECRET,
  send,
  taken,
} from './row.js';
import { requestText } from '../node/http/support.js';

const NO_ROOM = refused(503, 37, '--memory-max');
/** A key without a world. The first call of a full server notices that it is full. */
const NEW = 'x-secretkey: sk_test_memory';
const CSV = 'PaymentMethodId,Amount,Currency,Reference\n';
const CHUNKED = 'Transfer-Encoding: chunked';

/** A call that would add to a world. */
const added = (sends: string) => row([get('/charge', NEW), sends], [NO_ROOM, NO_ROOM], FULL);
/** A call that adds nothing. */
const answered = (sends: string, ...says: string[]) => row(sends, taken(...says), FULL);

/** Clients that fill the memory, and those that come to a server without any. */
export const MEMORY: Rows = {
  'the world of a new key': row(get('/charge', NEW), NO_ROOM, FULL),
  'the world of a new key, reset': row(post('/_sandbox/reset', {}, NEW), NO_ROOM, FULL),
  'a charge': added(charging()),
  'a charge in chunks': added(
    `${requestText('POST /charge/card', [HOST, SECRET, CLOSE, JSON_TYPE, CHUNKED])}${chunk(JSON.stringify(charge()))}0\r\n\r\n`,
  ),
  'a capture': added(post(`/charge/${AUTHORISED}`, { Amount: '1.00' })),
  'a refund': added(send('DELETE', `/refund/${CAPTURED}`, { Amount: '1.00' })),
  'a refund without a body': added(del(`/refund/${CAPTURED}`)),
  'a customer': added(post('/customer/card', charge())),
  'a token': added(post('/token/card', charge())),
  'a vault entry': added(post('/vault', { CardNumber: '4111111111111111' })),
  'a batch': added(
    post('/batch/transaction/payment_method', { Count: 1, Description: 'b', Batch: `${CSV}x,5,AUD,r\n` }),
  ),
  'a receiver of webhooks': added(post('/webhook/subscription', { Url: 'http://127.0.0.1:9/' })),
  'a scenario': added(put('/_sandbox/scenario', { Definition: { name: 'a' } })),
  'queued outcomes': added(post('/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: ['approve'] })),
  'a snapshot': added(requestText('PUT /_sandbox/snapshots/a', [HOST, SECRET, CLOSE])),
  'a state document': added(put('/_sandbox/state', { Format: 'playmoney-state', Version: 1 })),
  'a change of a customer': added(put(`/customer/${CUSTOMER}`, { FirstName: 'B' })),
  'a configured provider': added(post('/provider', { Name: 'p', Type: 'dummy' })),
  'a search': answered(get('/charge'), '"Count":2'),
  'one charge': answered(get(`/charge/${CAPTURED}`), CAPTURED),
  'the state of the world': answered(get('/_sandbox/state'), 'playmoney-state'),
  'the journal': answered(get('/_sandbox/journal')),
  'a count of calls': answered(post('/_sandbox/journal/count', { Match: {} }), '"Count":'),
  'the health check': answered(get('/_sandbox/health'), '"Status":"ok"'),
  'the list of worlds': answered(get('/_sandbox/worlds'), '"Worlds"'),
  'a settle': answered(post('/_sandbox/settle', {})),
  'an advance': answered(post('/_sandbox/clock/advance', { By: '1s' })),
  'a voided charge': answered(del(`/charge/${AUTHORISED}/void`)),
  'a deleted customer': answered(del(`/customer/${CUSTOMER}`)),
  'a deleted payment method': answered(del(`/payment_method/${METHOD}`)),
  'a cleared journal': answered(del('/_sandbox/journal')),
  'a scenario that ends': answered(del('/_sandbox/scenario')),
  'a reset': answered(post('/_sandbox/reset', {})),
};
