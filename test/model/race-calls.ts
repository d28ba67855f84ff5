import fc from 'fast-check';

import { type Body, type Call, del, get, post, put, textIn } from './calls.js';
import { PROVIDER } from './spec.js';
import { batchOf } from '../support/bodies.js';

/** What calls race for: one of each kind of record, of which each can be used up or changed once. */
export interface Prize {
  readonly authorised: string;
  readonly captured: string;
  readonly customer: string;
  readonly method: string;
  readonly other: string;
  readonly entry: string;
  readonly token: string;
}

const card = { CardNumber: '4242424242424242', ExpiryDate: '10/40', Ccv: '123' };
const ProviderId = PROVIDER.steady;
const stored = { ProviderId, PaymentInformation: card };

/** How long the calls on the way to a charge's change wait before they are looked at. */
const DELAYED = ['charge.capture', 'charge.void', 'charge.refund'];

/** Makes the same records in any fresh world. */
export async function prepare(ask: (call: Call) => Promise<Body>): Promise<Prize> {
  const make = (path: string, body: object, headers = {}) => ask({ method: 'POST', path, body, headers });
  const authorised = await make('/charge/card', { ...stored, Amount: 100, Capture: false });
  const captured = await make('/charge/card', { ...stored, Amount: 100 });
  const owner = await make('/customer/card', { ...stored, VaultCard: true, VaultExpireSeconds: 900 });
  const customer = textIn(owner, 'CustomerId');
  const other = await make(`/customer/${customer}/payment_method/card`, stored);
  const token = await make('/token/card', { PaymentInformation: card }, { providerid: ProviderId });
  for (const Operation of DELAYED) {
    await make('/_sandbox/outcomes', {
      Operation,
      Outcomes: Array.from({ length: 6 }, () => ({ Delay: '1s' })),
    });
  }
  return {
    authorised: textIn(authorised, 'ChargeId'),
    captured: textIn(captured, 'ChargeId'),
    customer,
    method: textIn(owner, 'DefaultPaymentMethod', 'PaymentMethodId'),
    other: textIn(other, 'PaymentMethodId'),
    entry: textIn(owner, 'DefaultPaymentMethod', 'VaultId'),
    token: textIn(token, 'TokenId'),
  };
}

const LATE = 'approve, delay=1s';

const transferOf = (ChargeId: string, GroupReference: string, Amount: number): object => ({
  GroupReference,
  ProviderId,
  ChargeId,
  Transfers: [{ Account: 'a-1', Amount, Currency: 'AUD' }],
});

/** The calls that may meet. */
const RACES: readonly ((prize: Prize) => Call)[] = [
  ({ authorised }) => post(`/charge/${authorised}`, { Amount: 100 }),
  ({ authorised }) => post(`/charge/${authorised}`, { Amount: 40 }, LATE),
  ({ authorised }) => del(`/charge/${authorised}/void`),
  ({ captured }) => ({ ...del(`/refund/${captured}`), body: { Amount: 60 } }),
  ({ captured }) => del(`/refund/${captured}?Amount=60`),
  ({ captured }) => del(`/charge/${captured}`),
  ({ captured }) => post('/transfer', transferOf(captured, 'g1', 60)),
  ({ captured }) => post('/transfer', transferOf(captured, 'g2', 100)),
  ({ token }) => post('/charge/token', { Amount: 5, Token: token }),
  ({ token }) => post('/payment_method/token', { Token: token }),
  ({ customer }) => post('/charge/customer', { Amount: 6, ProviderId, CustomerId: customer }),
  ({ method }) =>
    post('/charge/payment_method', { Amount: 7, Currency: 'AUD', PaymentMethodId: method }, LATE),
  ({ method }) => post('/payment_method/vault', { ProviderId, PaymentMethodId: method }),
  ({ method }) => del(`/payment_method/${method}`),
  ({ customer }) => del(`/customer/${customer}`),
  ({ entry }) => del(`/vault/${entry}`),
  ({ customer, other }) => put(`/customer/${customer}`, { DefaultPaymentMethodId: other }),
  ({ customer }) => post(`/customer/${customer}/payment_method/card`, { ...stored, SetDefault: true }),
  ({ method }) => post('/batch/transaction/payment_method', batchOf([`${method},8,AUD,b`])),
  ({ customer }) => get(`/charge?CustomerId=${customer}`),
  ({ authorised }) => get(`/charge/${authorised}`),
  () => post('/_sandbox/clock/advance', { By: '15m' }),
];

/** Some calls that meet, as numbers of the table; the clock is moved by one of them at most: a second one is refused. */
export const races = (): fc.Arbitrary<number[]> =>
  fc
    .array(fc.nat({ max: RACES.length - 1 }), { minLength: 2, maxLength: 6 })
    .filter((list) => list.filter((n) => n === RACES.length - 1).length <= 1);

export function callOf(n: number, prize: Prize): Call {
  const race = RACES[n];
  if (!race) throw new Error(`There is no race ${n}`);
  return race(prize);
}
