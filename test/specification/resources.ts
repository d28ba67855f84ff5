import { expect } from 'vitest';

import { AMOUNTS, OTHER, UNKNOWN_ID, VISA } from '../support/bodies.js';
import { type Client, warningOf } from '../support/sandbox.js';
import { after, textIn } from '../support/stored.js';
import {
  answers,
  BROKEN_CARDS,
  type CallName,
  CARD,
  COMBINED,
  customerOf,
  each,
  entryOf,
  isNeeded,
  isString,
  made,
  PERSON,
  refuses,
  refusesIn,
  takes,
  vaultedOf,
} from './calls.js';
import type { Proof, Proofs } from './proof.js';

const IN_A_MINUTE = after(60_000);

/** That the entry which a call makes is there until a minute has gone, and no longer. */
const livesAMinute =
  (name: CallName, more: object): Proof =>
  async ({ api }) => {
    const answer = await made(api, name, more);
    const { DefaultPaymentMethod: method = answer.body } = answer.body;
    const path = `/vault/${String((method as Readonly<Record<string, unknown>>)['VaultId'])}`;
    await api.advance(59_999);
    expect((await api.get(path)).status).toBe(200);
    await api.advance(1);
    expect((await api.get(path)).status).toBe(404);
  };

/** The customers that a search finds, by their references. */
const found = async (api: Client, query: string) =>
  ((await api.read(`/customer${query}`))['Customers'] as { Reference: string }[]).map(
    ({ Reference }) => Reference,
  );

const twoCustomers = async (api: Client) => {
  await customerOf(api, { ...PERSON, Reference: 'jo', Email: 'jo@example.com' });
  await customerOf(api, { FirstName: 'Li', LastName: 'Wong', Reference: 'li', Email: 'li@example.com' });
};

const INTEGER = [1.5, 'two', '', true, {}, [1]];

const keeps = (field: string, value: string): Proof =>
  answers('POST /customer/token', { [field]: value }, { [field]: value });

/** The fields of customers, payment methods and vault entries. */
export const RESOURCES: Proofs = {
  '| FirstName | string | Given when creating from a token.': {
    'a string': isString('POST /customer/token', 'FirstName'),
    kept: keeps('FirstName', 'Zoë'),
  },
  '| LastName | string | Given when creating from a token.': {
    'a string': isString('POST /customer/token', 'LastName'),
    kept: keeps('LastName', 'O’Neil'),
  },
  "| Reference | string | Caller's reference. |": {
    'a string': isString('POST /customer/token', 'Reference'),
    kept: keeps('Reference', 'customer-7'),
  },
  '| Token | string | Payment token used to create the customer.': {
    'a string': isString('POST /customer/token', 'Token'),
    "its card becomes the customer's": answers(
      'POST /customer/token',
      {},
      { DefaultPaymentMethod: { Card: { CardNumber: '4111********1111' } } },
    ),
    'a token that nobody made is refused': refusesIn('POST /customer/token', 'Token', UNKNOWN_ID),
  },
  '| ProviderId | string | Used when creating a customer from card data.': {
    'a string': isString('POST /customer/card', 'ProviderId'),
    needed: isNeeded('POST /customer/card', 'ProviderId'),
    used: answers(
      'POST /customer/card',
      { ProviderId: AMOUNTS },
      { DefaultPaymentMethod: { ProviderId: AMOUNTS } },
    ),
  },
  '| PaymentInformation | object | As in Charge. Used when creating a customer': {
    'an object': refusesIn('POST /customer/card', 'PaymentInformation', VISA, [CARD], undefined),
    'as in Charge': refuses('POST /customer/card', ...BROKEN_CARDS),
    used: answers(
      'POST /customer/card',
      {},
      { DefaultPaymentMethod: { Card: { CardNumber: '4111********1111', ExpiryDate: '10/30' } } },
    ),
  },
  '| VaultCard | boolean |': {
    'a boolean': refusesIn('POST /customer/card', 'VaultCard', 'true', 1, {}),
    'when true, the card is in the vault': async ({ api }) => {
      const answer = await made(api, 'POST /customer/card', { VaultCard: true });
      const path = `/vault/${textIn(answer, 'DefaultPaymentMethod', 'VaultId')}`;
      expect(await api.read(path)).toMatchObject({ CardNumber: VISA });
    },
    'else it is not, whatever stores the card': async ({ api }) => {
      for (const name of COMBINED) {
        await made(api, name, { VaultCard: false });
        await made(api, name);
      }
      expect(await api.counts()).toMatchObject({ PaymentMethods: 6, VaultEntries: 0 });
    },
  },
  'Customers can be searched by email address and by name.': {
    'by email address': async ({ api }) => {
      await twoCustomers(api);
      expect(await found(api, '?email=li@example.com')).toEqual(['li']);
    },
    'by name': async ({ api }) => {
      await twoCustomers(api);
      expect(await found(api, '?name=Smith')).toEqual(['jo']);
      expect(await found(api, '?name=Nobody')).toEqual([]);
    },
  },
  '| ProviderId | string | Required on creation.': {
    'a string': isString('POST /payment_method/card', 'ProviderId'),
    'required on creation from a card': isNeeded('POST /payment_method/card', 'ProviderId'),
    'required on creation from a vault entry': isNeeded('POST /payment_method/vault', 'ProviderId'),
  },
  '| PaymentInformation | object | As in Charge. Used on creation from a card.': {
    'an object': refusesIn('POST /payment_method/card', 'PaymentInformation', VISA, [CARD], undefined),
    'as in Charge': refuses('POST /payment_method/card', ...BROKEN_CARDS),
    used: answers(
      'POST /payment_method/card',
      {},
      { Card: { CardNumber: '4111********1111', ExpiryDate: '10/30' } },
    ),
  },
  '| PaymentMethodId | string | Identifies an existing payment method.': {
    'a string': isString('POST /payment_method/vault', 'PaymentMethodId'),
    'it identifies an existing payment method': async ({ api }) => {
      const PaymentMethodId = await vaultedOf(api);
      expect((await api.get(`/payment_method/${PaymentMethodId}`)).body).toMatchObject({ PaymentMethodId });
    },
    'used when creating from a vault entry': async ({ api }) => {
      const PaymentMethodId = await vaultedOf(api);
      const { VaultId } = await api.read(`/payment_method/${PaymentMethodId}`);
      const { body } = await made(api, 'POST /payment_method/vault', { PaymentMethodId });
      expect(body).toMatchObject({ VaultId });
    },
    'what identifies none is refused': async ({ api }) => {
      const body = { ProviderId: AMOUNTS, PaymentMethodId: OTHER };
      expect((await api.post('/payment_method/vault', body)).status).toBe(404);
    },
  },
  '| Ccv | string | Optional. Used when creating a payment method': {
    'a string': isString('POST /payment_method/vault', 'Ccv'),
    optional: takes('POST /payment_method/vault'),
    used: async ({ api }) => {
      const { body } = await made(api, 'POST /payment_method/vault', { Ccv: '987' });
      expect(await api.read(`/vault/${String(body['VaultId'])}`)).toMatchObject({ Ccv: '987' });
    },
  },
  '| CardNumber | string | Standalone creation.': {
    'a string': isString('POST /vault', 'CardNumber'),
    used: answers('POST /vault', {}, { MaskedCardNumber: '4111********1111' }),
    needed: isNeeded('POST /vault', 'CardNumber'),
  },
  '| Ccv | string | Optional on creation.': {
    'a string': isString('POST /vault', 'Ccv'),
    'without it': answers('POST /vault', {}, { HasCvv: false }),
    'with it': answers('POST /vault', { Ccv: '123' }, { HasCvv: true }),
  },
  '| ExpireSeconds | integer, seconds |': {
    'an integer': refusesIn('POST /vault', 'ExpireSeconds', ...INTEGER),
    'seconds, counted from the creation': livesAMinute('POST /vault', { ExpireSeconds: 60 }),
  },
  '| ExpireDate | datetime |': {
    'a datetime': refusesIn('POST /vault', 'ExpireDate', 'soon', '01/01/2031', 1_900_000_000, {}, true),
    'an absolute one': livesAMinute('POST /vault', { ExpireDate: IN_A_MINUTE }),
  },
  '| VaultExpireSeconds | integer, seconds |': {
    'an integer': each(COMBINED, (name) => refusesIn(name, 'VaultExpireSeconds', ...INTEGER)),
    'the same as ExpireSeconds': each(COMBINED, (name) =>
      livesAMinute(name, { VaultCard: true, VaultExpireSeconds: 60 }),
    ),
    'by this name alone': async ({ api }) => {
      for (const name of COMBINED) {
        const answer = await made(api, name, { VaultCard: true, ExpireSeconds: 60 });
        expect(warningOf(answer), name).toContain('ExpireSeconds');
      }
    },
  },
  '| VaultExpireDate | datetime |': {
    'a datetime': each(COMBINED, (name) => refusesIn(name, 'VaultExpireDate', 'soon', '01/01/2031', true)),
    'the same as ExpireDate': each(COMBINED, (name) =>
      livesAMinute(name, { VaultCard: true, VaultExpireDate: IN_A_MINUTE }),
    ),
  },
  '| vault_id | string |': {
    'a string': answers('POST /vault', {}, { VaultId: expect.any(String) }),
    'used in paths': async ({ api }) => {
      const VaultId = await entryOf(api);
      expect(await api.read(`/vault/${VaultId}`)).toMatchObject({ VaultId });
      expect((await api.get(`/vault/${OTHER}`)).status).toBe(404);
    },
  },
};
