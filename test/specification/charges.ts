import { expect } from 'vitest';

import { AMOUNTS, DOWN, UNKNOWN_ID, VISA } from '../support/bodies.js';
import { ID } from '../support/stored.js';
import {
  answers,
  CALL_NAMES,
  CARD,
  cards,
  CHARGE_IN,
  chargeOf,
  customerOf,
  each,
  isString,
  made,
  methodOf,
  prepared,
  refuses,
  refusesIn,
  statusOf,
  takes,
  tokenOf,
} from './calls.js';
import type { Proofs } from './proof.js';

const UUID = '0f0e0d0c-0b0a-4908-8706-050403020100';
const PROVIDERS = [{ ProviderId: UUID }, { ProviderId: UUID.replaceAll('-', '') }];
const NO_PROVIDERS = ['main', UUID.slice(1), UUID.replaceAll('-', '').slice(1), `${UUID}0`, '1', 1];

/** The calls that make a charge. */
const CHARGING = [
  'POST /charge/card',
  'POST /charge/token',
  'POST /charge/customer',
  'POST /charge/payment_method',
] as const;
const WITH_AMOUNT = [...CHARGING, 'POST /charge/{charge_id}'] as const;
const CAPTURED = { Status: 'SUCCESS', AuthorisationAmount: null };
const NO_AMOUNTS = ['', 'abc', '1,5', '1e2', '0x10', '-5', ' 5', '5.', true, {}, [5], -5, 0];
const NO_DATES = ['1/30', '10/2030', '2030-10', '1030', '13/30', '00/30', '10-30', 1030];

/** What gives out identifiers, and the field that has one. */
const IDENTIFIERS = {
  'POST /charge/card': 'ChargeId',
  'POST /customer/card': 'CustomerId',
  'POST /payment_method/card': 'PaymentMethodId',
  'POST /vault': 'VaultId',
  'POST /batch/transaction/payment_method': 'BatchId',
} as const;
/** The fields of charges. */
export const CHARGES: Proofs = {
  'Field names are case-sensitive': {
    'a field in another case is none': async (world) => {
      for (const name of CALL_NAMES) {
        const { body = {} } = await prepared(world.api, name);
        for (const [field, value] of Object.entries(body)) {
          const lower = field.charAt(0).toLowerCase() + field.slice(1);
          for (const other of [lower, field.toUpperCase()]) {
            await refuses(name, { [field]: undefined, [other]: value })(world);
          }
        }
      }
    },
    'so is one within an object': refuses(
      'POST /charge/card',
      ...cards({ CardNumber: undefined, cardNumber: VISA }, { ExpiryDate: undefined, expirydate: '10/30' }),
    ),
    'so is an optional one': answers('POST /charge/card', { capture: false }, { Status: 'SUCCESS' }),
    'answers have names as the interface spells them': async ({ api }) => {
      for (const name of CALL_NAMES) {
        const { body } = await made(api, name);
        expect(Object.keys(body).filter((field) => !/^[A-Z]/.test(field))).toEqual([]);
      }
    },
  },
  '| Amount | decimal number, sent as a string or a number |': {
    'a string': each(WITH_AMOUNT, (name) => answers(name, { Amount: '15.50' }, { Amount: 15.5 })),
    'a number': each(WITH_AMOUNT, (name) => answers(name, { Amount: 15.5 }, { Amount: 15.5 })),
    'a decimal number, and nothing else': refusesIn('POST /charge/card', 'Amount', ...NO_AMOUNTS),
    'decimals are allowed': answers('POST /charge/card', { Amount: '0.01' }, { Amount: 0.01 }),
    'what is charged': answers('POST /charge/payment_method', { Amount: 7 }, { Amount: 7 }),
    'what is captured': answers('POST /charge/{charge_id}', { Amount: '10.25' }, { Amount: 10.25 }),
  },
  '| ProviderId | string identifier |': {
    'a string': isString('POST /charge/card', 'ProviderId'),
    'it selects the provider': async ({ api }) => {
      await made(api, 'POST /charge/card');
      const { send } = await prepared(api, 'POST /charge/card', { ProviderId: DOWN });
      expect((await send()).body).toMatchObject({ Code: 34 });
    },
    'on card charges': answers('POST /charge/card', { ProviderId: AMOUNTS }, { ProviderId: AMOUNTS }),
    'on customer creation': answers(
      'POST /customer/card',
      { ProviderId: AMOUNTS },
      { DefaultPaymentMethod: { ProviderId: AMOUNTS } },
    ),
    'on payment method creation': answers(
      'POST /payment_method/card',
      { ProviderId: AMOUNTS },
      { ProviderId: AMOUNTS },
    ),
    'on customer charges': async ({ api }) => {
      const CustomerId = await customerOf(api, { VaultCard: true });
      const { body } = await made(api, 'POST /charge/customer', { CustomerId, ProviderId: AMOUNTS });
      expect(body).toMatchObject({ ProviderId: AMOUNTS });
    },
    '32 hex characters or a hyphenated UUID': takes('POST /charge/card', ...PROVIDERS),
    'nothing else': refusesIn('POST /charge/card', 'ProviderId', ...NO_PROVIDERS),
    'identifiers that are given out have this shape': async ({ api }) => {
      for (const [name, field] of Object.entries(IDENTIFIERS)) {
        expect((await made(api, name as keyof typeof IDENTIFIERS)).body[field], name).toMatch(ID);
      }
    },
  },
  '| PaymentInformation | object | Holds CardNumber': {
    'an object': refusesIn('POST /charge/card', 'PaymentInformation', VISA, [CARD], 5, true),
    'with a CardNumber': answers(
      'POST /charge/card',
      {},
      { PaymentInformation: { Card: { CardNumber: '4111********1111' } } },
    ),
    'a CardNumber is a string': refuses(
      'POST /charge/card',
      ...cards({ CardNumber: 4111111111111111 }, { CardNumber: true }, { CardNumber: undefined }),
    ),
    'with an ExpiryDate': answers(
      'POST /charge/card',
      { PaymentInformation: { ...CARD, ExpiryDate: '01/31' } },
      { PaymentInformation: { Card: { ExpiryDate: '01/31' } } },
    ),
    'an ExpiryDate is a string in the shape MM/YY': refuses(
      'POST /charge/card',
      ...cards(...NO_DATES.map((ExpiryDate) => ({ ExpiryDate }))),
    ),
    'with a Ccv': answers('POST /charge/card', {}, { PaymentInformation: { Card: { CcvCheck: true } } }),
    'a Ccv is a string': refuses('POST /charge/card', ...cards({ Ccv: 123 }, { Ccv: ['123'] })),
  },
  '| Token | string | Payment token from the client SDK.': {
    'a string': isString('POST /charge/token', 'Token'),
    'it pays': async ({ api }) => {
      const Token = await tokenOf(api);
      const { body } = await made(api, 'POST /charge/token', { Token });
      expect(body).toMatchObject({ PaymentTokenId: Token, Status: 'SUCCESS' });
    },
    'a token that nobody made does not': refusesIn('POST /charge/token', 'Token', UNKNOWN_ID, ''),
  },
  '| CustomerId | string identifier | Charges a customer.': {
    'a string': isString('POST /charge/customer', 'CustomerId'),
    'the customer is charged': async ({ api }) => {
      const CustomerId = await customerOf(api);
      const { body } = await made(api, 'POST /charge/customer', { CustomerId });
      expect(body).toMatchObject({ CustomerId, Status: 'SUCCESS' });
    },
  },
  '| PaymentMethodId | string identifier | Charges': {
    'a string': isString('POST /charge/payment_method', 'PaymentMethodId'),
    'the payment method is charged': async ({ api }) => {
      const PaymentMethodId = await methodOf(api);
      const { body } = await made(api, 'POST /charge/payment_method', { PaymentMethodId });
      expect(body).toMatchObject({ PaymentInformation: { PaymentMethodId }, Status: 'SUCCESS' });
    },
  },
  '| Currency | string, a currency code |': {
    'a string': isString('POST /charge/payment_method', 'Currency'),
    'a currency code': refusesIn('POST /charge/payment_method', 'Currency', 'XYZ', 'AU', '036', '$', ''),
    'on customer charges': answers('POST /charge/customer', { Currency: 'NZD' }, { Currency: 'NZD' }),
    'on payment method charges': answers(
      'POST /charge/payment_method',
      { Currency: 'USD' },
      { Currency: 'USD' },
    ),
  },
  '| Capture | boolean | Default true.': {
    'a boolean': each(CHARGING, (name) => refusesIn(name, 'Capture', 'false', 0, 'no', {})),
    'true by default': each(CHARGING, (name) => answers(name, {}, CAPTURED)),
    'true is the same': each(CHARGING, (name) => answers(name, { Capture: true }, CAPTURED)),
    'when false, the charge is only authorised': each(CHARGING, (name) =>
      answers(name, { Capture: false }, { Status: 'Authorised', SuccessDate: null }),
    ),
  },
  "| Reference | string | Caller's reference. It can": {
    'a string': isString('POST /charge/card', 'Reference'),
    "the caller's, as it was sent": each(CHARGING, (name) =>
      answers(name, { Reference: 'Order 1/é' }, { Reference: 'Order 1/é' }),
    ),
    'a search filter': async ({ api }) => {
      const ChargeId = await chargeOf(api, { Reference: 'order-1' });
      await chargeOf(api, { Reference: 'order-10' });
      expect(await api.read('/charge?reference=order-1')).toMatchObject({
        Count: 1,
        Charges: [{ ChargeId }],
      });
    },
  },
  '| Status | string | Values shown:': {
    SUCCESS: async ({ api }) => expect(await statusOf(api, await CHARGE_IN.SUCCESS(api))).toBe('SUCCESS'),
    PARTIAL_REFUND: async ({ api }) =>
      expect(await statusOf(api, await CHARGE_IN.PARTIAL_REFUND(api))).toBe('PARTIAL_REFUND'),
    Authorised: async ({ api }) =>
      expect(await statusOf(api, await CHARGE_IN.Authorised(api))).toBe('Authorised'),
  },
  'A charge identifier is a string': {
    'a string': answers('POST /charge/card', {}, { ChargeId: expect.any(String) }),
    'it appears in paths': async ({ api }) => {
      const id = await CHARGE_IN.Authorised(api);
      const { body } = await api.post(`/charge/${id}`, { Amount: 15.5 });
      expect(body).toMatchObject({ ChargeId: id });
    },
    'another one leads to no charge': async ({ api }) => {
      await CHARGE_IN.Authorised(api);
      expect((await api.post(`/charge/${UNKNOWN_ID}`, { Amount: 15.5 })).status).toBe(404);
    },
  },
};
