import { expect } from 'vitest';

import { AMOUNTS, OTHER, STEADY, VISA } from '../support/bodies.js';
import { type Client, good } from '../support/sandbox.js';
import { textIn } from '../support/stored.js';
import { endedBatch } from './batch-calls.js';
import {
  answers,
  BOTH_ENDS,
  CALL_NAMES,
  type CallName,
  chargeOf,
  customerOf,
  entryOf,
  isNeeded,
  made,
  PERSON,
  prepared,
  refuses,
  takes,
} from './calls.js';
import type { Proofs, Statements } from './proof.js';
import { hasItsMethod, isRefusedWithoutKey, isRefusedWithoutType } from './requests.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** What a row of the table states besides its purpose: its method, and its body with what is optional in it. */
function row(
  name: CallName,
  needed: readonly string[] = [],
  optional: Readonly<Record<string, unknown>> = {},
): Statements {
  const options = Object.entries(optional);
  return {
    'the method, and no other': hasItsMethod(name),
    'what the row names is enough': async ({ api }) => {
      const { body = {}, send } = await prepared(api, name);
      expect(Object.keys(body).toSorted()).toEqual(needed.toSorted());
      await good(send());
    },
    ...Object.fromEntries(needed.map((field) => [`${field} is needed`, isNeeded(name, field)])),
    ...Object.fromEntries(
      options.map(([field, value]) => [`${field} may be given`, takes(name, { [field]: value })]),
    ),
  };
}

const twoCustomers = async (api: Client): Promise<{ CustomerId: string }> => {
  const CustomerId = await customerOf(api, { ...PERSON, Email: 'jo@example.com' });
  await customerOf(api, { FirstName: 'Li', Email: 'li@example.com' });
  return { CustomerId };
};

const CHARGED = { Status: 'SUCCESS', Amount: 15.5 };

/** The table of endpoints, and what is said before it. */
export const ENDPOINTS: Proofs = {
  'All requests carry the header `Content-Type: application/json`': {
    'with both headers, every call is answered': async ({ api }) => {
      for (const name of CALL_NAMES) await good((await prepared(api, name)).send(JSON_TYPE));
    },
    'without the type, a body is refused': isRefusedWithoutType,
    'Content-Type without a body': 'need not be there: "Authentication" asks for it with bodies',
    'without the authentication header, every call is refused': isRefusedWithoutKey,
    'paths are relative to the address of the service': async ({ api }) => {
      expect((await api.get('/charge')).status).toBe(200);
      expect((await api.get('/api/charge')).status).toBe(404);
    },
    'placeholders stand for identifiers': async ({ api }) => {
      for (const name of CALL_NAMES.filter((one) => one.includes('{'))) {
        const [method, pattern = ''] = name.split(' ');
        const path = pattern.replace(/\{\w+\}/, OTHER);
        const { del, get, post } = api;
        const answer = await (method === 'POST'
          ? post(path, { Amount: 5 })
          : (method === 'GET' ? get : del)(path));
        expect(answer.status, name).toBe(404);
      }
    },
  },
  '| POST | /charge/card |': {
    ...row('POST /charge/card', ['Amount', 'ProviderId', 'PaymentInformation'], { Capture: false }),
    'it charges a card': answers(
      'POST /charge/card',
      {},
      { ...CHARGED, PaymentInformation: { Type: 'CARD' } },
    ),
  },
  '| POST | /charge/token |': {
    ...row('POST /charge/token', ['Amount', 'Token']),
    'it charges a payment token': answers(
      'POST /charge/token',
      {},
      { ...CHARGED, PaymentTokenId: expect.any(String) },
    ),
  },
  '| POST | /charge/customer |': {
    ...row('POST /charge/customer', ['Amount', 'ProviderId', 'CustomerId'], {
      Currency: 'NZD',
      Capture: false,
    }),
    'it charges a customer': answers(
      'POST /charge/customer',
      {},
      { ...CHARGED, CustomerId: expect.any(String) },
    ),
  },
  '| POST | /charge/payment_method |': {
    ...row('POST /charge/payment_method', ['Amount', 'PaymentMethodId', 'Currency']),
    'it charges a payment method': answers(
      'POST /charge/payment_method',
      {},
      { ...CHARGED, PaymentInformation: { PaymentMethodId: expect.any(String) } },
    ),
  },
  '| POST | /charge/{charge_id} |': {
    ...row('POST /charge/{charge_id}', ['Amount']),
    'it captures an authorised charge': answers(
      'POST /charge/{charge_id}',
      {},
      { ...CHARGED, AuthorisationAmount: 15.5 },
    ),
  },
  '| DELETE | /charge/{charge_id}/void |': {
    ...row('DELETE /charge/{charge_id}/void'),
    'it voids an authorised charge': answers(
      'DELETE /charge/{charge_id}/void',
      {},
      { SuccessDate: null, VoidDate: expect.any(String) },
    ),
  },
  '| DELETE | /refund/{charge_id} |': {
    ...row('DELETE /refund/{charge_id}'),
    'it refunds a charge': answers('DELETE /refund/{charge_id}', {}, { RefundedAmount: 15.5 }),
  },
  '| GET | /charge | query: reference': {
    ...row('GET /charge'),
    'it searches charges by reference': async ({ api }) => {
      const ChargeId = await chargeOf(api, { Reference: 'r' });
      await chargeOf(api, { Reference: 'other' });
      await chargeOf(api);
      expect((await made(api, 'GET /charge')).body).toMatchObject({ Count: 1, Charges: [{ ChargeId }] });
    },
  },
  '| POST | /customer/token |': {
    ...row('POST /customer/token', ['FirstName', 'LastName', 'Reference', 'Token']),
    'it creates a customer from a token': answers(
      'POST /customer/token',
      {},
      { CustomerId: expect.any(String), ...PERSON },
    ),
  },
  '| POST | /customer/card |': {
    ...row('POST /customer/card', ['ProviderId', 'PaymentInformation'], { VaultCard: false }),
    'it creates a customer from a card': answers(
      'POST /customer/card',
      {},
      { CustomerId: expect.any(String) },
    ),
    'when VaultCard is true, the card is also stored in the vault': async ({ api }) => {
      const answer = await made(api, 'POST /customer/card', { VaultCard: true });
      const VaultId = textIn(answer, 'DefaultPaymentMethod', 'VaultId');
      expect(await api.read(`/vault/${VaultId}`)).toMatchObject({ CardNumber: VISA });
    },
  },
  '| GET | /customer | query: email': {
    ...row('GET /customer'),
    'it searches customers by email': async ({ api }) => {
      const { CustomerId } = await twoCustomers(api);
      expect((await made(api, 'GET /customer')).body).toMatchObject({
        Count: 1,
        Customers: [{ CustomerId }],
      });
    },
    'and by name': async ({ api }) => {
      const { CustomerId } = await twoCustomers(api);
      expect(await api.read('/customer?name=Smith')).toMatchObject({ Count: 1, Customers: [{ CustomerId }] });
    },
  },
  '| POST | /payment_method/card |': {
    ...row('POST /payment_method/card', ['ProviderId', 'PaymentInformation']),
    'it creates a payment method from a card': answers(
      'POST /payment_method/card',
      {},
      { PaymentMethodId: expect.any(String), ProviderId: STEADY },
    ),
  },
  '| POST | /payment_method/vault |': {
    ...row('POST /payment_method/vault', ['ProviderId', 'PaymentMethodId'], { Ccv: '123' }),
    'it creates a payment method from a stored card': answers(
      'POST /payment_method/vault',
      { ProviderId: AMOUNTS },
      { ProviderId: AMOUNTS, Card: { CardNumber: '4111********1111' } },
    ),
  },
  '| POST | /vault | CardNumber;': {
    ...row('POST /vault', ['CardNumber'], { Ccv: '123', ...BOTH_ENDS }),
    'one of ExpireDate or ExpireSeconds': refuses('POST /vault', BOTH_ENDS),
    'it creates a vault entry': answers('POST /vault', {}, { VaultId: expect.any(String) }),
  },
  '| GET | /vault/{vault_id} |': {
    ...row('GET /vault/{vault_id}'),
    'it reads a vault entry': answers('GET /vault/{vault_id}', {}, { CardNumber: VISA }),
  },
  '| DELETE | /vault/{vault_id} |': {
    ...row('DELETE /vault/{vault_id}'),
    'it removes a vault entry before its expiry': async ({ api }) => {
      const path = `/vault/${await entryOf(api, { ExpireSeconds: 60 })}`;
      await good(api.del(path));
      expect((await api.get(path)).status).toBe(404);
    },
  },
  '| POST | /batch/transaction/payment_method |': {
    ...row('POST /batch/transaction/payment_method', ['Count', 'Description', 'Batch'], {
      Webhook: { Url: 'https://example.com', Authorization: 'Basic x' },
    }),
    'it creates a batch of payment method transactions': async ({ api }) => {
      const { BatchId } = await api.read(await endedBatch(api));
      const query = `/charge?batchid=${String(BatchId)}&status=SUCCESS`;
      expect(await api.read(query)).toMatchObject({ Count: 1, Charges: [{ Reference: 'r0' }] });
    },
  },
  '| GET | /batch/{batch_id}/status |': {
    ...row('GET /batch/{batch_id}/status'),
    'it reads Status and Progress': answers(
      'GET /batch/{batch_id}/status',
      {},
      { Status: 'RECEIVED', Progress: 0 },
    ),
  },
  '| GET | /batch/{batch_id} |': {
    ...row('GET /batch/{batch_id}'),
    'it reads the metadata': answers('GET /batch/{batch_id}', {}, { Description: 'rent', Count: 2 }),
    'it reads the Results': answers('GET /batch/{batch_id}', {}, { Results: expect.any(String) }),
  },
};
