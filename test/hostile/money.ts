import {
  AUTHORISED,
  bad,
  CAPTURED,
  charging,
  CUSTOMER,
  del,
  get,
  post,
  PROVIDER,
  put,
  refused,
  type Rows,
  row,
  taken,
  times,
} from './row.js';

const transfer = (
  ChargeId: string,
  amounts: readonly unknown[],
  GroupReference = 'g',
  more: object = {},
): string =>
  post('/transfer', {
    GroupReference,
    ProviderId: PROVIDER,
    ChargeId,
    Transfers: amounts.map((Amount) => ({ Account: 'a', Amount, Currency: 'AUD', ...more })),
  });
const refund = (query = ''): string => del(`/refund/${CAPTURED}${query}`);
const undo = (query = ''): string => del(`/charge/${CAPTURED}${query}`);
const all = transfer(CAPTURED, [50]);
const tooMuchBack = refused(400, 76, 'Amount');
const tooMuchOut = refused(400, 68, 'Transfers must add up to at most');
const wrongState = refused(409, 54);

/** Money that should leave twice. The captured charge is of 50. */
export const MONEY: Rows = {
  'a refund of a charge that was transferred': row(refund(), tooMuchBack, { after: [all] }),
  'an undo of it': row(undo(), tooMuchBack, { after: [all] }),
  'a void of it': row(del(`/charge/${CAPTURED}/void`), wrongState, { after: [all] }),
  'a capture of it': row(post(`/charge/${CAPTURED}`, { Amount: 50 }), wrongState, { after: [all] }),
  'a second transfer of it': row(transfer(CAPTURED, [50], 'h'), tooMuchOut, { after: [all] }),
  'a transfer of a cent more': row(transfer(CAPTURED, [0.01], 'h'), tooMuchOut, { after: [all] }),
  'a cent more than transfers left': row(refund('?Amount=20.01'), tooMuchBack, {
    after: [transfer(CAPTURED, [10, 20])],
  }),
  'what transfers left, and then more': row(
    refund(),
    taken('"RefundedAmount":20', '"Status":"PARTIAL_REFUND"'),
    {
      after: [transfer(CAPTURED, [10, 20])],
      then: [[refund(), tooMuchBack]],
    },
  ),
  'a refund once the transfers have arrived': row(refund(), tooMuchBack, {
    after: [all, post('/_sandbox/clock/advance', { By: '3d' })],
  }),
  'a refund by a header that approves': row(
    del(`/refund/${CAPTURED}`, 'x-sandbox-outcome: approve'),
    tooMuchBack,
    { after: [all] },
  ),
  'a transfer of a charge that was refunded': row(all, wrongState, { after: [refund()] }),
  'a transfer of what was refunded in part': row(all, tooMuchOut, { after: [refund('?Amount=0.01')] }),
  'parts that are too much together': row(transfer(CAPTURED, [25, 25, 0.01]), tooMuchOut),
  'the largest amounts together': row(
    transfer(
      CAPTURED,
      times(1000, () => '999999999.99'),
    ),
    tooMuchOut,
  ),
  'a transfer of nothing': row(transfer(CAPTURED, [0]), refused(400, 60)),
  'a transfer of less than nothing': row(transfer(CAPTURED, [-50]), refused(400, 60)),
  'a negative part that makes room for another': row(transfer(CAPTURED, [100, -50]), refused(400, 60)),
  'a transfer in another currency': row(transfer(CAPTURED, [50], 'g', { Currency: 'JPY' }), refused(400, 29)),
  'a transfer of an authorisation': row(transfer(AUTHORISED, [1]), wrongState),
  'a transfer of a voided authorisation': row(transfer(AUTHORISED, [1]), wrongState, {
    after: [del(`/charge/${AUTHORISED}/void`)],
  }),
  'a transfer of more than was captured': row(transfer(AUTHORISED, [30.01]), tooMuchOut, {
    after: [post(`/charge/${AUTHORISED}`, { Amount: 30 })],
  }),
  'a transfer of a customer': row(transfer(CUSTOMER, [1]), refused(404, 84)),
  'two transfers that are too much together': row(
    [transfer(CAPTURED, [30], 'g'), transfer(CAPTURED, [30], 'h')],
    [taken(), tooMuchOut],
  ),
  'ten refunds and transfers of all of it': row(
    times(10, (i) => (i % 2 === 0 ? transfer(CAPTURED, [50], `g${i}`) : refund('?Amount=50'))),
    [taken(), ...times(9, (i) => (i % 2 === 0 ? tooMuchBack : tooMuchOut))],
  ),
  'a settlement of days that do not exist': row(get('/settlements?StartDate=2026-02-30'), bad('StartDate')),
};

const to = (Url: string): string => charging({ Webhook: { Url } });
const badPort = bad('Webhook.Url must have a port from 1 to 65535, or none for the default; the port is 0');
const HTTPS = 'https://example.com:0/';

/** Receivers at a port that is none. */
export const PORTS: Rows = {
  'port 0': row(to(HTTPS), badPort),
  'port 0 of this machine': row(to('http://127.0.0.1:0/'), badPort),
  'port 0 of this machine, by name': row(to('http://localhost:0/charge/card'), badPort),
  'port 0 of many digits': row(to('http://localhost:00000/'), badPort),
  'port 0 without a path': row(to('http://localhost:0'), badPort),
  'port 0 behind a password': row(to('http://user:sesame@localhost:0/'), badPort),
  'port 0 of a subscription to events': row(
    post('/webhook/subscription', { Url: HTTPS, Types: ['Transaction'] }),
    bad('Url must have a port from 1 to 65535'),
  ),
  'a document that is none': row(put('/_sandbox/state', { Charges: [{ AmountMinor: -1 }] }), bad()),
  'port 65536': row(
    to('http://localhost:65536/'),
    bad('Webhook.Url is "http://localhost:65536/"; it must be an absolute https URL'),
  ),
};
