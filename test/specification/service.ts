import { expect } from 'vitest';

import { AMOUNTS, cardOf, OTHER, RESERVED, STEADY, VISA } from '../support/bodies.js';
import { asking, client, good } from '../support/sandbox.js';
import { EMPTY, textIn } from '../support/stored.js';
import {
  batchPath,
  CALL_NAMES,
  CALLS,
  CARD,
  entryOf,
  made,
  methodOf,
  prepared,
  refuses,
  refusesIn,
  rowsOf,
  STORED,
  takes,
  tokenOf,
  vaultedOf,
} from './calls.js';
import type { Proof, Proofs } from './proof.js';

const readsWholeCard: Proof = async ({ api }) => {
  const path = `/vault/${await entryOf(api, { Ccv: '123' })}`;
  expect(await api.read(path)).toMatchObject({ CardNumber: VISA, Ccv: '123' });
};

/** What the service does, and its vault. */
export const SERVICE: Proofs = {
  'This document covers the whole service:': {
    'all parts that are named work in one account': async ({ api }) => {
      for (const name of CALL_NAMES) await made(api, name);
      expect(Object.keys(CALLS)).toHaveLength(19);
    },
    'requests are JSON': async ({ api }) => {
      for (const body of ['Amount=5', '', '[]', '{"Amount":5']) {
        expect((await api.charge(body)).status, body).toBe(400);
      }
    },
    'responses are JSON, refusals too': async ({ api, sandbox }) => {
      for (const name of CALL_NAMES) {
        const { send } = await prepared(api, name);
        for (const { headers } of [await send({}, client(sandbox, null)), await send()]) {
          expect(headers.get('content-type'), name).toMatch(/^application\/json/);
        }
      }
    },
    'over HTTPS': async ({ sandbox }) => {
      const headers = { 'x-secretkey': 'sk_test_a' };
      const answer = await sandbox.fetch(new Request('https://localhost/charge', { headers }));
      expect(await answer.json()).toMatchObject({ Count: 0 });
    },
    'the address is that of the service, whichever it is': async ({ sandbox }) => {
      for (const base of ['http://127.0.0.1:4010', 'http://localhost:5001', 'https://[::1]:8443']) {
        const headers = { 'x-secretkey': 'sk_test_a' };
        expect((await sandbox.fetch(new Request(`${base}/charge`, { headers }))).status, base).toBe(200);
      }
    },
  },
  'The service accepts payments through payment providers': {
    'a ProviderId refers to each provider': async ({ api }) => {
      for (const ProviderId of [STEADY, AMOUNTS, OTHER]) {
        const { body } = await made(api, 'POST /charge/card', { Amount: 10, ProviderId });
        expect(body).toMatchObject({ ProviderId, Provider: { ProviderId } });
      }
    },
    'what refers to none is refused': refusesIn('POST /charge/card', 'ProviderId', 'main', '', RESERVED),
  },
  '- Charging a card,': {
    'a card': takes('POST /charge/card'),
    'a payment token': takes('POST /charge/token'),
    'a customer': takes('POST /charge/customer'),
    'a stored payment method': takes('POST /charge/payment_method'),
  },
  '- Creating customers and payment methods': {
    'a customer from card data': takes('POST /customer/card'),
    'a customer from a token': takes('POST /customer/token'),
    'a payment method from card data': takes('POST /payment_method/card'),
    'a payment method from a token': async ({ api }) => {
      const Token = await tokenOf(api);
      expect((await good(api.post('/payment_method/token', { Token }))).body).toHaveProperty(
        'PaymentMethodId',
      );
    },
  },
  '- Capturing, voiding and refunding charges.': {
    capturing: takes('POST /charge/{charge_id}'),
    voiding: takes('DELETE /charge/{charge_id}/void'),
    refunding: takes('DELETE /refund/{charge_id}'),
  },
  '- Searching charges and customers.': {
    charges: takes('GET /charge'),
    customers: takes('GET /customer'),
  },
  '- Storing card data in a secure card storage': {
    'card data is stored': readsWholeCard,
    'it is secure: other answers have a mask alone': async ({ api }) => {
      const answers = [
        await made(api, 'POST /vault', { Ccv: '987' }),
        await made(api, 'POST /payment_method/card', { VaultCard: true }),
        await made(api, 'DELETE /vault/{vault_id}'),
      ];
      for (const { text } of answers) expect(text).not.toMatch(/4111111111111111|987/);
    },
    'together with a provider': async ({ api }) => {
      await made(api, 'POST /payment_method/card', { VaultCard: true });
      expect(await api.counts()).toMatchObject({ VaultEntries: 1, PaymentMethods: 1 });
    },
    'on its own': async ({ api }) => {
      await made(api, 'POST /vault');
      expect(await api.counts()).toMatchObject({ VaultEntries: 1, PaymentMethods: 0 });
    },
  },
  '- Submitting many transactions in one batch call': {
    'many transactions in one call': async ({ api }) => {
      await batchPath(api, await rowsOf(api, ...new Array<string>(20).fill(VISA)));
      await api.advance('1m');
      expect(await api.read('/charge')).toMatchObject({ Count: 20 });
    },
    'its progress is read': takes('GET /batch/{batch_id}/status'),
    'the results of its transactions are read': takes('GET /batch/{batch_id}'),
  },
  'A payment token is produced by a client-side SDK': {
    'a page makes it, with a public key; the backend charges it': async ({ api, sandbox }) => {
      const page = client(sandbox, null);
      const headers = { 'x-publickey': 'pk_test_a', providerid: STEADY };
      const Token = textIn(await page.post('/token/card', { PaymentInformation: CARD }, headers), 'TokenId');
      const charge = { Amount: 5, Token };
      expect((await page.post('/charge/token', charge, headers)).status).toBe(401);
      expect((await good(api.post('/charge/token', charge))).body).toMatchObject({ Status: 'SUCCESS' });
    },
  },
  '1. With a provider, the card is stored in the vault': {
    'one call stores the card in the vault and at the provider': async ({ api }) => {
      const { body } = await made(api, 'POST /payment_method/card', { VaultCard: true });
      expect(await api.read(`/vault/${String(body['VaultId'])}`)).toMatchObject({ CardNumber: VISA });
      expect(body).toMatchObject({ ProviderId: STEADY, PaymentMethodId: expect.any(String) });
    },
    'at the same time: what the provider refuses is not in the vault either': async ({ api }) => {
      const { send } = await prepared(api, 'POST /payment_method/card', { VaultCard: true });
      expect((await send(asking('tokenise_error'))).status).toBe(400);
      expect(await api.counts()).toEqual(EMPTY);
    },
  },
  '2. Standalone, the card is only stored in the vault.': {
    'nothing but the entry is made': async ({ api }) => {
      await made(api, 'POST /vault', { Ccv: '123' });
      expect(await api.counts()).toEqual({ ...EMPTY, VaultEntries: 1 });
    },
  },
  '3. The vault holds only the card number and, optionally': {
    'the card number': readsWholeCard,
    'the Ccv is optional': async ({ api }) => {
      expect(await api.read(`/vault/${await entryOf(api)}`)).toMatchObject({ CardNumber: VISA, Ccv: null });
    },
    'nothing else of the card': async ({ api }) => {
      const PaymentInformation = cardOf(VISA, { ExpiryDate: '11/29', Cardholder: 'Li Wong' });
      const { body } = await made(api, 'POST /payment_method/card', { PaymentInformation, VaultCard: true });
      const { text } = await api.get(`/vault/${String(body['VaultId'])}`);
      expect(text).not.toMatch(/11\/29|Li Wong/);
    },
  },
  '4. Non-sensitive details, such as the expiry date': {
    'the payment method has the expiry date': async ({ api }) => {
      const Card = { ExpiryDate: '10/30', CardNumber: '4111********1111' };
      expect(await api.read(`/payment_method/${await vaultedOf(api)}`)).toMatchObject({ Card });
    },
    'it has no sensitive ones': async ({ api }) => {
      const PaymentInformation = { ...CARD, Ccv: '987' };
      const id = await methodOf(api, VISA, { PaymentInformation, VaultCard: true });
      expect((await api.get(`/payment_method/${id}`)).text).not.toMatch(/4111111111111111|987/);
    },
  },
  '5. A new payment method can be created from a stored card': {
    'at the provider that is given, with its own identifier': async ({ api }) => {
      const PaymentMethodId = await vaultedOf(api);
      const { body } = await made(api, 'POST /payment_method/vault', {
        ProviderId: AMOUNTS,
        PaymentMethodId,
      });
      expect(body).toMatchObject({ ProviderId: AMOUNTS, Card: { ExpiryDate: '10/30' } });
      expect(body['PaymentMethodId']).not.toBe(PaymentMethodId);
    },
    'by ProviderId and PaymentMethodId, both': refuses(
      'POST /payment_method/vault',
      { ProviderId: undefined },
      { PaymentMethodId: undefined },
    ),
    'optionally with a Ccv': takes('POST /payment_method/vault', {}, { Ccv: '123' }),
    'a card that is not stored is refused': async ({ api }) => {
      const { status } = await api.post('/payment_method/vault', {
        ProviderId: STEADY,
        PaymentMethodId: await methodOf(api),
      });
      expect(status).toBe(400);
      await good(api.post('/payment_method/card', STORED));
    },
  },
};
