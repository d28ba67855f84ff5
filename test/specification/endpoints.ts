import { expect } from 'vitest';

import { AMOUNTS, OTHER, STEADY, VISA } from '../support/bodies.js';
import { client, good } from '../support/sandbox.js';
import { textIn } from '../support/stored.js';
import { endedBatch } from './batches.js';
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
import type { Proof, Proofs, Statements } from './proof.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** That no method but those of its own reach a path. */
const hasItsMethod =
  (name: CallName): Proof =>
  async ({ api, sandbox }) => {
    const { path } = await prepared(api, name);
    const before = await api.counts();
    const headers = { 'x-secretkey': 'sk_test_a' };
    for (const method of ['PUT', 'PATCH']) {
      const answer = await sandbox.fetch(new Request(`http://localhost${path}`, { method, headers }));
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.headers.get('allow')?.split(', ')).toContain(name.split(' ')[0]);
    }
    expect(await api.counts()).toEqual(before);
  };

/** What a row of the table states: its method, its body with what is optional in it, and its purpose. */
function row(
  name: CallName,
  needed: readonly string[],
  optional: Readonly<Record<string, unknown>>,
  purpose: Proof,
): Statements {
  return {
    'the method, and no other': hasItsMethod(name),
    'what the row names is enough': async ({ api }) => {
      const { body = {}, send } = await prepared(api, name);
      expect(Object.keys(body).toSorted()).toEqual(needed.toSorted());
      await good(send());
    },
    ...Object.fromEntries(needed.map((field) => [`${field} is needed`, isNeeded(name, field)])),
    ...Object.fromEntries(
      Object.entries(optional).map(([field, value]) => [
        `${field} may be given`,
        takes(name, { [field]: value }),
      ]),
    ),
    'the purpose': purpose,
  };
}

/** That every call is refused with another key than that of an account, and changes nothing. */
export const isRefusedWithoutKey: Proof = async ({ api, sandbox }) => {
  for (const name of CALL_NAMES) {
    const { send } = await prepared(api, name);
    const before = await api.counts();
    for (const key of [null, '', 'secret']) {
      expect((await send({}, client(sandbox, key))).status, name).toBe(401);
    }
    expect(await api.counts()).toEqual(before);
  }
};

/** That a request with a body must say that it is JSON. */
export const isRefusedWithoutType: Proof = async ({ api }) => {
  for (const name of CALL_NAMES.filter((one) => one.startsWith('POST'))) {
    for (const type of ['text/plain', '']) {
      expect((await (await prepared(api, name)).send({ 'content-type': type })).status, name).toBe(415);
    }
  }
};

const CHARGED = { Status: 'SUCCESS', Amount: 15.5 };

/** The table of endpoints, and what is said before it. */
export const ENDPOINTS: Proofs = {
  'All requests carry the header `Content-Type: application/json`': {
    'with both headers, every call is answered': async ({ api }) => {
      for (const name of CALL_NAMES) await good((await prepared(api, name)).send(JSON_TYPE));
    },
    'without the type, a body is refused': isRefusedWithoutType,
    'without the type, no body': 'is answered, as "Requests with bodies carry" it below',
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
  '| POST | /charge/card |': row(
    'POST /charge/card',
    ['Amount', 'ProviderId', 'PaymentInformation'],
    { Capture: false },
    answers('POST /charge/card', {}, { ...CHARGED, PaymentInformation: { Type: 'CARD' } }),
  ),
  '| POST | /charge/token |': row(
    'POST /charge/token',
    ['Amount', 'Token'],
    {},
    answers('POST /charge/token', {}, { ...CHARGED, PaymentTokenId: expect.any(String) }),
  ),
  '| POST | /charge/customer |': row(
    'POST /charge/customer',
    ['Amount', 'ProviderId', 'CustomerId'],
    { Currency: 'NZD', Capture: false },
    answers('POST /charge/customer', {}, { ...CHARGED, CustomerId: expect.any(String) }),
  ),
  '| POST | /charge/payment_method |': row(
    'POST /charge/payment_method',
    ['Amount', 'PaymentMethodId', 'Currency'],
    {},
    answers('POST /charge/payment_method', {}, CHARGED),
  ),
  '| POST | /charge/{charge_id} |': row(
    'POST /charge/{charge_id}',
    ['Amount'],
    {},
    answers('POST /charge/{charge_id}', {}, { ...CHARGED, AuthorisationAmount: 15.5 }),
  ),
  '| DELETE | /charge/{charge_id}/void |': row(
    'DELETE /charge/{charge_id}/void',
    [],
    {},
    answers('DELETE /charge/{charge_id}/void', {}, { SuccessDate: null, VoidDate: expect.any(String) }),
  ),
  '| DELETE | /refund/{charge_id} |': row(
    'DELETE /refund/{charge_id}',
    [],
    {},
    answers('DELETE /refund/{charge_id}', {}, { RefundedAmount: 15.5 }),
  ),
  '| GET | /charge | query: reference': row('GET /charge', [], {}, async ({ api }) => {
    const ChargeId = await chargeOf(api, { Reference: 'r' });
    await chargeOf(api, { Reference: 'other' });
    await chargeOf(api);
    expect((await made(api, 'GET /charge')).body).toMatchObject({ Count: 1, Charges: [{ ChargeId }] });
  }),
  '| POST | /customer/token |': row(
    'POST /customer/token',
    ['FirstName', 'LastName', 'Reference', 'Token'],
    {},
    answers('POST /customer/token', {}, { CustomerId: expect.any(String), ...PERSON }),
  ),
  '| POST | /customer/card |': {
    ...row(
      'POST /customer/card',
      ['ProviderId', 'PaymentInformation'],
      { VaultCard: false },
      answers('POST /customer/card', {}, { CustomerId: expect.any(String) }),
    ),
    'when VaultCard is true, the card is also stored in the vault': async ({ api }) => {
      const answer = await made(api, 'POST /customer/card', { VaultCard: true });
      const VaultId = textIn(answer, 'DefaultPaymentMethod', 'VaultId');
      expect(await api.read(`/vault/${VaultId}`)).toMatchObject({ CardNumber: VISA });
    },
  },
  '| GET | /customer | query: email': row('GET /customer', [], {}, async ({ api }) => {
    const CustomerId = await customerOf(api, { ...PERSON, Email: 'jo@example.com' });
    await customerOf(api, { FirstName: 'Li', Email: 'li@example.com' });
    const found = { Count: 1, Customers: [{ CustomerId }] };
    expect((await made(api, 'GET /customer')).body).toMatchObject(found);
    expect(await api.read('/customer?name=Smith')).toMatchObject(found);
  }),
  '| POST | /payment_method/card |': row(
    'POST /payment_method/card',
    ['ProviderId', 'PaymentInformation'],
    {},
    answers('POST /payment_method/card', {}, { PaymentMethodId: expect.any(String), ProviderId: STEADY }),
  ),
  '| POST | /payment_method/vault |': row(
    'POST /payment_method/vault',
    ['ProviderId', 'PaymentMethodId'],
    { Ccv: '123' },
    answers('POST /payment_method/vault', { ProviderId: AMOUNTS }, { ProviderId: AMOUNTS, Type: 'CARD' }),
  ),
  '| POST | /vault | CardNumber;': {
    ...row(
      'POST /vault',
      ['CardNumber'],
      { Ccv: '123', ExpireDate: '2026-01-02T00:00:00Z', ExpireSeconds: 60 },
      answers('POST /vault', {}, { VaultId: expect.any(String) }),
    ),
    'one of ExpireDate or ExpireSeconds': refuses('POST /vault', BOTH_ENDS),
  },
  '| GET | /vault/{vault_id} |': row(
    'GET /vault/{vault_id}',
    [],
    {},
    answers('GET /vault/{vault_id}', {}, { CardNumber: VISA }),
  ),
  '| DELETE | /vault/{vault_id} |': row('DELETE /vault/{vault_id}', [], {}, async ({ api }) => {
    const path = `/vault/${await entryOf(api, { ExpireSeconds: 60 })}`;
    await good(api.del(path));
    expect((await api.get(path)).status).toBe(404);
  }),
  '| POST | /batch/transaction/payment_method |': {
    ...row(
      'POST /batch/transaction/payment_method',
      ['Count', 'Description', 'Batch'],
      { Webhook: { Url: 'https://example.com', Authorization: 'Basic x' } },
      async ({ api }) =>
        expect(await api.read(await endedBatch(api))).toMatchObject({ Count: 2, Success: 1 }),
    ),
    'its payment methods are charged': async ({ api }) => {
      await endedBatch(api);
      expect(await api.read('/charge?status=SUCCESS')).toMatchObject({ Count: 1 });
    },
  },
  '| GET | /batch/{batch_id}/status |': row(
    'GET /batch/{batch_id}/status',
    [],
    {},
    answers('GET /batch/{batch_id}/status', {}, { Status: 'RECEIVED', Progress: 0 }),
  ),
  '| GET | /batch/{batch_id} |': row(
    'GET /batch/{batch_id}',
    [],
    {},
    answers('GET /batch/{batch_id}', {}, { Description: 'rent', Count: 2, Results: expect.any(String) }),
  ),
};
