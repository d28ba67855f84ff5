import { expect } from 'vitest';

import { account, batchOf, NO_FUNDS, STEADY, VISA } from '../support/bodies.js';
import { type Answer, type Client, good } from '../support/sandbox.js';
import { textIn } from '../support/stored.js';
import { setup } from '../support/tests.js';
import type { Proof } from './proof.js';

/** A card with the fields that the specification names, and no other. */
export const CARD = { CardNumber: VISA, ExpiryDate: '10/30', Ccv: '123' };
/** PaymentInformation of a card with some fields otherwise. */
export const cards = (...mores: object[]) =>
  mores.map((more) => ({ PaymentInformation: { ...CARD, ...more } }));

/** Cards that no call takes. */
export const BROKEN_CARDS = cards(
  { CardNumber: 4111111111111111 },
  { CardNumber: undefined },
  { ExpiryDate: '1/30' },
  { ExpiryDate: 1030 },
  { Ccv: 123 },
);

export const STORED = { ProviderId: STEADY, PaymentInformation: CARD };
export const PERSON = { FirstName: 'Jo', LastName: 'Smith', Reference: 'customer-1' };
/** Two ways to end a vault entry, which no call takes together. */
export const BOTH_ENDS = { ExpireSeconds: 60, ExpireDate: '2026-01-02T00:00:00Z' };
export const BOTH_VAULT_ENDS = { VaultExpireSeconds: 60, VaultExpireDate: '2026-01-02T00:00:00Z' };
/** What stores a card at a provider, and in the vault as well where it is asked to. */
export const COMBINED = ['POST /customer/card', 'POST /customer/token', 'POST /payment_method/card'] as const;
export const BATCH = '/batch/transaction/payment_method';

const idOf = async (sent: Promise<Answer>, ...path: string[]): Promise<string> =>
  textIn(await good(sent), ...path);

export const tokenOf = (api: Client) =>
  idOf(api.post('/token/card', { PaymentInformation: CARD }, { providerid: STEADY }), 'TokenId');
export const customerOf = (api: Client, more: object = {}) =>
  idOf(api.post('/customer/card', { ...STORED, ...more }), 'CustomerId');
export const methodOf = (api: Client, CardNumber = VISA, more: object = {}) =>
  idOf(
    api.post('/payment_method/card', { ...STORED, PaymentInformation: { ...CARD, CardNumber }, ...more }),
    'PaymentMethodId',
  );
/** A payment method whose card is in the vault as well. */
export const vaultedOf = (api: Client) => methodOf(api, VISA, { VaultCard: true });
export const entryOf = (api: Client, more: object = {}) =>
  idOf(api.post('/vault', { CardNumber: VISA, ...more }), 'VaultId');
export const chargeOf = (api: Client, more: object = {}) =>
  idOf(api.charge({ Amount: 15.5, ...STORED, ...more }), 'ChargeId');
const doneTo = async (api: Client, id: string, path: string) => {
  await good(api.del(path.replace('{id}', id)));
  return id;
};

/** A charge in each state; the specification names the first three, and bank accounts alone have the last. */
export const CHARGE_IN = {
  Authorised: (api: Client) => chargeOf(api, { Capture: false }),
  SUCCESS: (api: Client) => chargeOf(api),
  PARTIAL_REFUND: async (api: Client) => doneTo(api, await chargeOf(api), '/refund/{id}?Amount=5'),
  REFUND: async (api: Client) => doneTo(api, await chargeOf(api), '/refund/{id}'),
  AUTHORISE_CANCELLED: async (api: Client) =>
    doneTo(api, await chargeOf(api, { Capture: false }), '/charge/{id}/void'),
  FAILED: async (api: Client) => {
    const PaymentInformation = { ...CARD, CardNumber: NO_FUNDS };
    return textIn(await api.charge({ Amount: 15.5, ...STORED, PaymentInformation }), 'ChargeId');
  },
  PENDING: (api: Client) =>
    idOf(
      api.post('/charge/bank_account', {
        Amount: 15.5,
        ProviderId: STEADY,
        BankPaymentInformation: account(),
      }),
      'ChargeId',
    ),
};
export const statusOf = async (api: Client, id: string) => (await api.read(`/charge/${id}`))['Status'];

/** Sends a batch of rows, and returns the path at which it is read. */
export const batchPath = async (api: Client, rows: readonly string[], more: object = {}) =>
  `/batch/${await idOf(api.post(BATCH, batchOf(rows, more)), 'BatchId')}`;
/** A row for each card number. */
export const rowsOf = async (api: Client, ...pans: string[]) =>
  Promise.all(pans.map(async (pan, n) => `${await methodOf(api, pan)},12.50,AUD,r${n}`));
/** A batch of two rows that succeed. */
const twoRows = async (api: Client, more: object = {}) => batchPath(api, await rowsOf(api, VISA, VISA), more);

interface Sending {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The endpoints, each with a call that has what it needs and nothing else. */
export const CALLS = {
  'POST /charge/card': () => ({ path: '/charge/card', body: { Amount: 15.5, ...STORED } }),
  'POST /charge/token': async (api) => ({
    path: '/charge/token',
    body: { Amount: 15.5, Token: await tokenOf(api) },
  }),
  'POST /charge/customer': async (api) => ({
    path: '/charge/customer',
    body: { Amount: 15.5, ProviderId: STEADY, CustomerId: await customerOf(api) },
  }),
  'POST /charge/payment_method': async (api) => ({
    path: '/charge/payment_method',
    body: { Amount: 15.5, PaymentMethodId: await methodOf(api), Currency: 'AUD' },
  }),
  'POST /charge/{charge_id}': async (api) => ({
    path: `/charge/${await CHARGE_IN.Authorised(api)}`,
    body: { Amount: 15.5 },
  }),
  'DELETE /charge/{charge_id}/void': async (api) => ({
    path: `/charge/${await CHARGE_IN.Authorised(api)}/void`,
  }),
  'DELETE /refund/{charge_id}': async (api) => ({ path: `/refund/${await chargeOf(api)}` }),
  'GET /charge': () => ({ path: '/charge?reference=r' }),
  'POST /customer/token': async (api) => ({
    path: '/customer/token',
    body: { ...PERSON, Token: await tokenOf(api) },
  }),
  'POST /customer/card': () => ({ path: '/customer/card', body: STORED }),
  'GET /customer': () => ({ path: '/customer?email=jo@example.com' }),
  'POST /payment_method/card': () => ({ path: '/payment_method/card', body: STORED }),
  'POST /payment_method/vault': async (api) => ({
    path: '/payment_method/vault',
    body: { ProviderId: STEADY, PaymentMethodId: await vaultedOf(api) },
  }),
  'POST /vault': () => ({ path: '/vault', body: { CardNumber: VISA } }),
  'GET /vault/{vault_id}': async (api) => ({ path: `/vault/${await entryOf(api)}` }),
  'DELETE /vault/{vault_id}': async (api) => ({ path: `/vault/${await entryOf(api)}` }),
  'POST /batch/transaction/payment_method': async (api) => ({
    path: BATCH,
    body: { ...batchOf(await rowsOf(api, VISA)) },
  }),
  'GET /batch/{batch_id}/status': async (api) => ({ path: `${await twoRows(api)}/status` }),
  'GET /batch/{batch_id}': async (api) => ({ path: await twoRows(api) }),
} satisfies Readonly<Record<string, (api: Client) => Sending | Promise<Sending>>>;

export type CallName = keyof typeof CALLS;
export const CALL_NAMES = Object.keys(CALLS) as CallName[];

/** A call with some fields otherwise, ready to be sent. */
export async function prepared(api: Client, name: CallName, more: object = {}) {
  const { path, body }: Sending = await CALLS[name](api);
  const whole = body && { ...body, ...more };
  const send = (headers?: Record<string, string>, by: Client = api): Promise<Answer> => {
    if (name.startsWith('GET')) return by.get(path, headers);
    return name.startsWith('POST') ? by.post(path, whole, headers) : by.del(path, headers);
  };
  return { path, body: whole, send };
}

/** Makes a call with some fields otherwise; it must be answered well. */
export async function made(api: Client, name: CallName, more: object = {}): Promise<Answer> {
  return good((await prepared(api, name, more)).send());
}

/** That a call is answered well with each of these. */
export const takes =
  (name: CallName, ...mores: object[]): Proof =>
  async ({ api }) => {
    for (const more of mores.length === 0 ? [{}] : mores) await made(api, name, more);
  };

/** That a call is refused with each of these, and changes nothing; the refusal names a field of them. */
export const refuses =
  (name: CallName, ...mores: object[]): Proof =>
  async ({ api }) => {
    for (const more of mores) {
      const { send } = await prepared(api, name, more);
      const before = await api.counts();
      const { status, text } = await send();
      expect(status, `${JSON.stringify(more)} ${text}`).toBe(400);
      expect(text).toMatch(new RegExp(Object.keys(more).join('|'), 'i'));
      expect(await api.counts()).toEqual(before);
    }
  };

/** That a field of a call is refused with each of these values. */
export const refusesIn = (name: CallName, field: string, ...values: unknown[]): Proof =>
  refuses(name, ...values.map((value) => ({ [field]: value })));

/** That a field is a string: nothing else is taken for it. */
export const isString = (name: CallName, field: string): Proof =>
  refusesIn(name, field, 5, true, ['text'], { text: 'text' });

/** That a field must be there. */
export const isNeeded = (name: CallName, field: string): Proof => refusesIn(name, field, undefined);

/** Proves of each of these calls, in a world of its own, what is proved of one. */
export const each =
  (names: readonly CallName[], proofOf: (name: CallName) => Proof): Proof =>
  async () => {
    for (const name of names) await proofOf(name)(setup());
  };

/** That the answer of a call has these fields, after it was made with some fields otherwise. */
export const answers =
  (name: CallName, more: object, fields: object): Proof =>
  async ({ api }) =>
    expect((await made(api, name, more)).body).toMatchObject(fields);
