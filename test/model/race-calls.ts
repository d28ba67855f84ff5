import fc from 'fast-check';

import type { Body, Call } from './commands/kind.js';
import { textIn } from './commands/kind.js';
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
const stored = { ProviderId: PROVIDER.steady, PaymentInformation: card };

/** How long the calls on the way to a charge's change wait before they are looked at. */
const DELAYED = ['charge.capture', 'charge.void', 'charge.refund'];

/** Makes the same records in any fresh world. */
export async function prepare(ask: (call: Call) => Promise<Body>): Promise<Prize> {
  const post = (path: string, body: object, headers = {}) => ask({ method: 'POST', path, body, headers });
  const authorised = await post('/charge/card', { ...stored, Amount: 100, Capture: false });
  const captured = await post('/charge/card', { ...stored, Amount: 100 });
  const owner = await post('/customer/card', { ...stored, VaultCard: true, VaultExpireSeconds: 900 });
  const customer = textIn(owner, 'CustomerId');
  const other = await post(`/customer/${customer}/payment_method/card`, stored);
  const token = await post('/token/card', { PaymentInformation: card }, { providerid: PROVIDER.steady });
  for (const Operation of DELAYED) {
    await post('/_sandbox/outcomes', {
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

type Race = (prize: Prize) => Call;

const post =
  (pathOf: (prize: Prize) => string, bodyOf: (prize: Prize) => object, headers = {}): Race =>
  (prize) => ({ method: 'POST', path: pathOf(prize), body: bodyOf(prize), headers });
const remove =
  (pathOf: (prize: Prize) => string, body?: object): Race =>
  (prize) => ({ method: 'DELETE', path: pathOf(prize), ...(body === undefined ? {} : { body }) });

const LATE = { 'x-sandbox-outcome': 'approve, delay=1s' };

/** The calls that may meet. */
const RACES: readonly Race[] = [
  post(
    ({ authorised }) => `/charge/${authorised}`,
    () => ({ Amount: 100 }),
  ),
  post(
    ({ authorised }) => `/charge/${authorised}`,
    () => ({ Amount: 40 }),
    LATE,
  ),
  remove(({ authorised }) => `/charge/${authorised}/void`),
  remove(({ captured }) => `/refund/${captured}`, { Amount: 60 }),
  remove(({ captured }) => `/refund/${captured}?Amount=60`),
  remove(({ captured }) => `/charge/${captured}`),
  post(
    () => '/charge/token',
    ({ token }) => ({ Amount: 5, Token: token }),
  ),
  post(
    () => '/payment_method/token',
    ({ token }) => ({ Token: token }),
  ),
  post(
    () => '/charge/customer',
    ({ customer }) => ({ Amount: 6, ProviderId: PROVIDER.steady, CustomerId: customer }),
  ),
  post(
    () => '/charge/payment_method',
    ({ method }) => ({ Amount: 7, Currency: 'AUD', PaymentMethodId: method }),
    LATE,
  ),
  post(
    () => '/payment_method/vault',
    ({ method }) => ({ ProviderId: PROVIDER.steady, PaymentMethodId: method }),
  ),
  remove(({ method }) => `/payment_method/${method}`),
  remove(({ customer }) => `/customer/${customer}`),
  remove(({ entry }) => `/vault/${entry}`),
  (prize) => ({
    method: 'PUT',
    path: `/customer/${prize.customer}`,
    body: { DefaultPaymentMethodId: prize.other },
  }),
  post(
    ({ customer }) => `/customer/${customer}/payment_method/card`,
    () => ({ ...stored, SetDefault: true }),
  ),
  post(
    () => '/batch/transaction/payment_method',
    ({ method }) => batchOf([`${method},8,AUD,b`]),
  ),
  ({ customer }) => ({ method: 'GET', path: `/charge?CustomerId=${customer}` }),
  ({ authorised }) => ({ method: 'GET', path: `/charge/${authorised}` }),
  post(
    () => '/_sandbox/clock/advance',
    () => ({ By: '15m' }),
  ),
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
