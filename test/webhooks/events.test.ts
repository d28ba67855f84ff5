import { describe, expect, test } from 'vitest';

import { bankCharge, storedAgreement, UNDECIDED } from '../support/instruments.js';
import { AN_ID, cardOf, NO_FUNDS, NOW, OTHER, STEADY, storing, textIn } from '../support/stored.js';
import { charge, events, HOOK, sendBatch, sent, settle, setup, subscribe } from './support.js';
import { asking, good, warningOf } from '../support/sandbox.js';
import { words, cells } from '../support/tables.js';

const META = {
  messageId: AN_ID,
  timestamp: NOW,
  type: 'transaction',
  eventType: 'transaction.status.changed',
};

describe('a charge with a Webhook', () => {
  test('sends it with its Authorization as given, in the form of the service', async () => {
    const { api, receiver } = setup();
    const made = await good(
      api.charge(charge({ Reference: 'a', Webhook: { Url: HOOK, Authorization: 'Basic user:password' } })),
    );
    await settle(api);
    expect(receiver.got).toHaveLength(1);
    const [got] = receiver.got;
    expect(got?.url).toBe(HOOK);
    expect(got?.headers).toEqual({
      authorization: 'Basic user:password',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': expect.stringMatching(/^playmoney\/\d/) as string,
      'x-payfurl-version': '1.17.1.0',
    });
    expect(got?.message).toMatchObject({ meta: META, data: sent(made.body) as object });
    expect(Object.keys(got?.message ?? {})).toEqual(['meta', 'data']);
    expect(got?.body).toBe(JSON.stringify(got?.message));
  });

  test('sends it at each change of its status', async () => {
    const { api, receiver } = setup();
    const id = textIn(await api.charge(charge({ Capture: false })), 'ChargeId');
    await api.post(`/charge/${id}`, { Amount: 10 });
    await api.del(`/refund/${id}?Amount=4`);
    await api.del(`/refund/${id}?Amount=1`);
    await api.del(`/refund/${id}`);
    await settle(api);
    const status = (word: string): string => `transaction.status.changed ${word}`;
    expect(events(receiver)).toEqual(
      ['Authorised', 'SUCCESS', 'PARTIAL_REFUND', 'PARTIAL_REFUND', 'REFUND'].map(status),
    );
    expect(new Set(receiver.got.map(({ message }) => message.meta.messageId)).size).toBe(5);
  });

  test('sends it when it is declined, voided, and when its authorisation expires', async () => {
    const { api, receiver } = setup();
    await api.charge(charge({ PaymentInformation: cardOf(NO_FUNDS) }));
    const id = textIn(await api.charge(charge({ Capture: false })), 'ChargeId');
    await api.del(`/charge/${id}/void`);
    await api.charge(charge({ Capture: false }));
    await api.advance('7d');
    expect(events(receiver).map((event) => event.split(' ')[1])).toEqual(words`
      FAILED Authorised AUTHORISE_CANCELLED Authorised AUTHORISE_CANCELLED
    `);
    expect(receiver.got.at(-1)?.message.meta.timestamp).toBe('2026-01-08T00:00:00.000Z');
  });

  test('sends it when its bank settles it, days later', async () => {
    const { api, receiver } = setup();
    await api.post('/charge/bank_account', bankCharge({ Webhook: { Url: HOOK } }));
    await api.advance('7d');
    expect(events(receiver).map((event) => event.split(' ')[1])).toEqual(['PENDING', 'SUCCESS']);
  });

  test('does not send it when its request is refused, or a change of it is declined or refused', async () => {
    const { api, receiver } = setup();
    expect((await api.charge(charge({ Amount: 0 }))).status).toBe(400);
    const id = textIn(await api.charge(charge()), 'ChargeId');
    expect((await api.del(`/charge/${id}/void`)).status).toBe(409);
    expect((await api.del(`/refund/${id}`, asking('unable_to_refund'))).status).toBe(400);
    await settle(api);
    expect(events(receiver)).toEqual(['transaction.status.changed SUCCESS']);
  });

  test('sends it even if the answer is lost, so that a client learns of the charge', async () => {
    const { api, receiver } = setup();
    const lost = api.charge(charge(), { 'x-sandbox-fault': 'reset; phase=after' });
    await expect(lost).rejects.toThrow(TypeError);
    await settle(api);
    expect(events(receiver)).toEqual(['transaction.status.changed SUCCESS']);
  });

  test('sends it when the cheapest provider made the charge', async () => {
    const { api, receiver } = setup();
    await good(api.post('/charge/card/least_cost', { ...charge(), ProviderId: undefined }));
    await settle(api);
    expect(events(receiver)).toEqual(['transaction.status.changed SUCCESS']);
  });

  test.each(['token', 'customer', 'payment_method'])(
    'sends it when the charge is made by %s',
    async (way) => {
      const { api, receiver } = setup();
      const customer = await api.post('/customer/card', storing());
      const named = {
        token: { Token: 'tok_approve' },
        customer: { CustomerId: textIn(customer, 'CustomerId'), ProviderId: STEADY },
        payment_method: {
          PaymentMethodId: textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId'),
          Currency: 'AUD',
        },
      }[way];
      const made = await good(api.post(`/charge/${way}`, { Amount: 5, Webhook: { Url: HOOK }, ...named }));
      await settle(api);
      expect(receiver.got.map(({ message }) => message.data)).toMatchObject([sent(made.body)]);
    },
  );

  test('warns of an address without TLS, which the service does not take', async () => {
    const { api } = setup();
    const made = await api.charge(charge());
    expect(warningOf(made)).toContain('Webhook.Url uses http');
    const safe = await api.charge(charge({ Webhook: { Url: 'https://example.com' } }));
    expect(warningOf(safe)).toBeNull();
  });

  test('warns of it once in a world, however many calls name such an address', async () => {
    const { api } = setup();
    const warned = async (): Promise<boolean> => warningOf(await good(api.charge(charge()))) !== null;
    expect([await warned(), await warned(), await warned()]).toEqual([true, false, false]);
    await api.post('/_sandbox/reset');
    expect([await warned(), await warned()]).toEqual([true, false]);
  });
});

describe('a batch with a Webhook', () => {
  const OF_A_BATCH = words`CREATED IN_PROGRESS SUCCESS`.map((status) => `batch.status.changed ${status}`);

  test('sends it at each change of its status, at its instant, without its rows', async () => {
    const { api, receiver } = setup();
    const made = await sendBatch(api, 2);
    expect(made.status).toBe(201);
    expect((await api.advance('1m')).body).toMatchObject({ Deliveries: 3 });
    expect(events(receiver)).toEqual(OF_A_BATCH);
    expect(receiver.got.map(({ message }) => message.meta.timestamp)).toEqual([
      '2026-01-01T00:00:01.000Z',
      '2026-01-01T00:00:02.000Z',
      '2026-01-01T00:00:02.200Z',
    ]);
    expect(receiver.got[2]?.message.meta.type).toBe('batch');
    const read = await api.read(`/batch/${textIn(made, 'BatchId')}/status`);
    expect(receiver.got[2]?.message.data).toEqual(sent(read));
  });

  test('sends it when it fails', async () => {
    const { api, receiver } = setup();
    const id = textIn(await sendBatch(api, 2), 'BatchId');
    await api.post('/_sandbox/simulate', { Action: 'batch.fail', Ref: id });
    await settle(api);
    expect(events(receiver)).toEqual(['batch.status.changed FAILED']);
  });

  test('does not send it for its charges', async () => {
    const { api, receiver } = setup();
    await sendBatch(api, 3);
    await api.advance('1m');
    expect(receiver.got.map(({ message }) => message.meta.type)).toEqual(['batch', 'batch', 'batch']);
  });

  test('at the immediate pace sends it after the answer, without another request', async () => {
    const { api, receiver, host } = setup({ batchPace: 0 });
    await sendBatch(api, 2);
    expect(receiver.got).toEqual([]);
    host.timers.findLast(({ cancelled }) => !cancelled)?.fire();
    await settle(api);
    expect(events(receiver)).toEqual(OF_A_BATCH);
  });
});

describe('a subscription', () => {
  test('to transactions gets every charge, those of a batch too', async () => {
    const { api, receiver } = setup();
    await subscribe(api, 'Transaction');
    await api.charge(charge({ Webhook: undefined }));
    await sendBatch(api, 2, { Webhook: undefined });
    await api.advance('1m');
    expect(
      receiver.got.map(({ message, headers }) => [message.data['reference'], headers['authorization']]),
    ).toEqual([
      [undefined, 'Bearer s'],
      ['r0', 'Bearer s'],
      ['r1', 'Bearer s'],
    ]);
  });

  test('to batches, customers and payment methods gets these', async () => {
    const { api, receiver } = setup();
    await subscribe(api, 'Batch', 'Customer', 'PaymentMethod');
    const customer = await api.post('/customer/card', storing());
    const batch = await sendBatch(api, 1, { Webhook: undefined });
    await api.advance('1m');
    expect(events(receiver)).toEqual(cells`
      paymentMethod.created|customer.created|paymentMethod.created|batch.status.changed CREATED|
      batch.status.changed IN_PROGRESS|batch.status.changed SUCCESS
    `);
    const [method, made] = receiver.got;
    expect(made?.message.meta.type).toBe('customer');
    expect(made?.message.data).toMatchObject(sent(customer.body) as object);
    expect(method?.message.data).toMatchObject({ customerId: customer.body['CustomerId'] });
    expect(batch.status).toBe(201);
  });

  test('gets changes of customers and payment methods', async () => {
    const { api, receiver } = setup();
    const customer = await api.post('/customer/card', storing());
    const id = textIn(customer, 'CustomerId');
    const first = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
    await subscribe(api, 'Customer', 'PaymentMethod');
    await api.put(`/customer/${id}`, { Email: 'jo@example.com' });
    await api.put(`/payment_method/${first}`, { Card: { Cardholder: 'Jo' } });
    await api.post(`/customer/${id}/payment_method/card`, storing());
    await api.del(`/payment_method/${first}`);
    await api.del(`/customer/${id}`);
    await settle(api);
    expect(events(receiver)).toEqual(words`
      customer.updated paymentMethod.updated paymentMethod.created paymentMethod.removed paymentMethod.removed
      customer.removed
    `);
    expect(receiver.got.at(-1)?.message.data).toMatchObject({ customerId: id, email: 'deleted' });
  });

  test('gets a webhook when a PayTo agreement becomes active', async () => {
    const { api, receiver } = setup();
    const Ref = await storedAgreement(api, { PayerPayIdDetails: UNDECIDED });
    await subscribe(api, 'PaymentMethod');
    await api.post('/_sandbox/simulate', { Action: 'payto.activate', Ref });
    await settle(api);
    expect(events(receiver)).toEqual(['paymentMethod.updated']);
    expect(receiver.got[0]?.message.data).toMatchObject({ paymentMethodId: Ref, payToStatus: 'ACTIVE' });
  });

  test('and a Webhook both get a message, with one MessageId', async () => {
    const { api, receiver } = setup();
    await subscribe(api, 'Transaction');
    await api.charge(charge({ Webhook: { Url: HOOK, Authorization: 'own' } }));
    await settle(api);
    expect(receiver.got.map(({ headers }) => headers['authorization'])).toEqual(['own', 'Bearer s']);
    expect(new Set(receiver.got.map(({ message }) => message.meta.messageId)).size).toBe(1);
  });

  test('that is removed gets nothing more', async () => {
    const { api, receiver } = setup();
    const id = textIn(await subscribe(api, 'Transaction'), 'WebhookSubscriptionId');
    await api.del(`/webhook/subscription/${id}`);
    await api.charge(charge({ Webhook: undefined }));
    await settle(api);
    expect(receiver.got).toEqual([]);
  });
});

describe('a message', () => {
  const SDK = { 'x-sandbox-dialect': 'sdk' };
  const statuses = words`Authorised AUTHORISE`;

  test.each([
    ['documented', 'Authorised'],
    ['sdk', 'AUTHORISE'],
  ])(
    'in the %s dialect is camelCase, leaves out fields without a value, and says %s',
    async (dialect, status) => {
      const { api, receiver } = setup();
      const asked = charge({ Capture: false, Metadata: { MerchantId: '1' } });
      const made = await good(api.charge(asked, { 'x-sandbox-dialect': dialect }));
      await settle(api);
      const [got] = receiver.got;
      expect(got?.message.meta).toEqual(META);
      expect(got?.message.data).toMatchObject({
        chargeId: made.body['chargeId'] ?? made.body['ChargeId'],
        amount: 15.5,
        status,
        refunds: [],
        metadata: { MerchantId: '1' },
      });
      expect(got?.body).not.toContain('null');
      expect(got?.message.data).not.toHaveProperty('successDate');
      expect(got?.body.replaceAll('MerchantId', '')).not.toMatch(/"[A-Z]\w*":/);
    },
  );

  test('of a charge has the fields of the public sample', async () => {
    const { api, receiver } = setup();
    const costs = { name: 'costs', providers: [{ name: 'bank', providerId: OTHER, costs: { fixed: 0.3 } }] };
    await good(api.play(costs));
    const stored = await good(api.post('/customer/card', storing({ ProviderId: OTHER })));
    const CustomerId = textIn(stored, 'CustomerId');
    const paid = { Amount: 15.5, ProviderId: OTHER, CustomerId, Webhook: { Url: HOOK } };
    await good(api.post('/charge/customer', paid));
    await settle(api);
    expect(receiver.got[0]?.message.data).toMatchObject({
      chargeId: AN_ID,
      providerChargeId: expect.any(String) as string,
      amount: 15.5,
      providerId: OTHER,
      paymentInformation: {
        paymentMethodId: AN_ID,
        card: {
          cardNumber: '4111********1111',
          expiryDate: '10/30',
          type: 'VISA',
          cardType: 'CREDIT',
          cardIin: '411111',
        },
        type: 'CARD',
      },
      customerId: CustomerId,
      status: 'SUCCESS',
      dateAdded: NOW,
      successDate: NOW,
      estimatedCost: 0.3,
      estimatedCostCurrency: 'AUD',
    });
  });

  test('has the status in the dialect of the request that made the charge, whichever subscription it is for', async () => {
    const { api, receiver } = setup();
    const mine = charge({ Capture: false, Webhook: undefined });
    await api.post('/webhook/subscription', { types: ['transaction'], url: HOOK }, SDK);
    await api.charge(mine);
    await api.charge(mine, SDK);
    await settle(api);
    expect(receiver.got.map(({ message }) => message.data['status'])).toEqual(statuses);
  });

  test('has every refund of a charge', async () => {
    const { api, receiver } = setup();
    const id = textIn(await api.charge(charge()), 'ChargeId');
    await api.del(`/refund/${id}?Amount=4&Comment=late`);
    await settle(api);
    expect(receiver.got[1]?.message.data).toMatchObject({
      status: 'PARTIAL_REFUND',
      refundedAmount: 4,
      refunds: [{ amount: 4, dateAdded: NOW, comment: 'late' }],
    });
  });

  test('of a customer has the same fields in both dialects', async () => {
    const { api, receiver } = setup();
    await subscribe(api, 'Customer');
    await api.post('/customer/card', storing());
    await api.post('/customer/card', storing(), SDK);
    await settle(api);
    const [one, other] = receiver.got.map(({ message }) => Object.keys(message.data));
    expect(other).toEqual(one);
  });
});

describe('determinism', () => {
  test('the same seed and requests send the same bytes', async () => {
    const statuses = async (): Promise<string[]> => {
      const { api, receiver } = setup({ seed: '7' });
      await api.charge(charge());
      await sendBatch(api, 3);
      await api.advance('1m');
      return receiver.got.map(({ url, body }) => `${url} ${body}`);
    };
    expect(await statuses()).toEqual(await statuses());
  });

  test('identifiers of charges are the same with and without a webhook', async () => {
    const [one, other] = [setup(), setup()];
    const ids = [
      await one.api.charge(charge()),
      await one.api.charge(charge()),
      await other.api.charge(charge({ Webhook: undefined })),
      await other.api.charge(charge({ Webhook: undefined })),
    ].map((made) => made.body['ChargeId']);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  });
});
