import { describe, expect, test } from 'vitest';

import { after, cardOf, ID, NOW, STEADY, storing } from '../../support/stored.js';
import { expectSdkError, memberOf, SDK, sdkSetup, sdkText, wronglySpelt } from '../../support/sdk.js';
import { good } from '../../support/sandbox.js';

/** Subscriptions, payment links, transfers and settlements as client libraries send and read them. */

async function setup() {
  const { api } = sdkSetup();
  const stored = storing();
  return { api, method: sdkText(await api.post('/payment_method/card', stored), 'paymentMethodId') };
}

const advance = (api: Awaited<ReturnType<typeof setup>>['api'], By: string) =>
  api.post('/_sandbox/clock/advance', { By });

describe('a subscription', () => {
  test('is accepted in camelCase with decimals as text, dates as milliseconds and null for what is not set', async () => {
    const { api, method } = await setup();
    const answer = await good(
      api.post('/subscription/payment_method', {
        paymentMethodId: method,
        amount: '15.50',
        currency: 'USD',
        interval: 'Month',
        frequency: 1,
        startDate: Date.parse('2026-01-31T00:00:00Z'),
        endAfter: { count: 3, amount: null, date: Date.parse('2027-01-01T00:00:00Z') },
        retry: { maximum: 2, interval: 'Day', frequency: 1 },
        webhook: null,
        metadata: { merchant_id: '7' },
      }),
    );
    expect(wronglySpelt(answer.body)).toEqual([]);
    expect(answer.body).toEqual({
      subscriptionId: expect.stringMatching(ID),
      paymentMethodId: method,
      amount: 15.5,
      currency: 'USD',
      interval: 'Month',
      frequency: 1,
      createdDate: NOW,
      startDate: '2026-01-31T00:00:00.000Z',
      nextChargeDate: '2026-01-31T00:00:00.000Z',
      endAfter: { count: 3, amount: null, date: '2027-01-01T00:00:00.000Z' },
      retry: { maximum: 2, interval: 'Day', frequency: 1 },
      webhook: null,
      status: 'Active',
      metadata: { merchant_id: '7' },
    });
  });

  test('is accepted without a currency, which is the provider’s; a change leaves the one it has', async () => {
    const { api, method } = await setup();
    const provider = { type: 'dummy', name: 'x', environment: 'SANDBOX', currency: 'NZD' };
    const providerId = sdkText(await api.post('/provider', provider), 'providerId');
    const stored = { ProviderId: providerId, PaymentInformation: cardOf() };
    const other = sdkText(await api.post('/payment_method/card', stored), 'paymentMethodId');
    for (const [PaymentMethodId, currency] of [
      [method, 'AUD'],
      [other, 'NZD'],
    ] as const) {
      const terms = { Amount: 20.5, Interval: 'week' };
      const made = await api.post('/subscription/payment_method', { PaymentMethodId, ...terms });
      expect(memberOf(made, 'currency')).toBe(currency);
      expect(memberOf(made, 'interval')).toBe('Week');
      const path = `/subscription/${sdkText(made, 'subscriptionId')}`;
      expect(memberOf(await api.put(path, terms), 'currency')).toBe(currency);
      await api.put(path, { ...terms, Currency: 'USD' });
      expect(memberOf(await api.put(path, terms), 'currency')).toBe('USD');
    }
    const nobody = { PaymentMethodId: 'nobody', Amount: 5, Interval: 'Day' };
    const refused = await api.post('/subscription/payment_method', nobody);
    expectSdkError(refused, 404, 56, 'Invalid PaymentMethodId');
  });

  test.each<[sent: unknown, status: string]>([
    [3, 'Suspended'],
    ['Suspended', 'Suspended'],
    ['suspended', 'Suspended'],
    [2, 'Cancelled'],
    [0, 'Complete'],
  ])('takes the status %j for %s', async (Status, status) => {
    const { api, method } = await setup();
    const body = { PaymentMethodId: method, Amount: 20, Currency: 'AUD', Interval: 'Month' };
    const path = `/subscription/${sdkText(await api.post('/subscription/payment_method', body), 'subscriptionId')}`;
    expect(memberOf(await api.put(`${path}/status`, { Status }), 'status')).toBe(status);
    expect(memberOf(await api.get(path), 'status')).toBe(status);
  });

  test('takes the status 1 for Active, and no number beyond the list', async () => {
    const { api, method } = await setup();
    const body = { PaymentMethodId: method, Amount: 20, Currency: 'AUD', Interval: 'Month' };
    const path = `/subscription/${sdkText(await api.post('/subscription/payment_method', body), 'subscriptionId')}`;
    await api.put(`${path}/status`, { status: 3 });
    expect(memberOf(await api.put(`${path}/status`, { status: 1 }), 'status')).toBe('Active');
    expectSdkError(await api.put(`${path}/status`, { status: 4 }), 400, 90, 'Validation Error');
  });

  test('is found by the queries that client libraries write', async () => {
    const { api, method } = await setup();
    const body = { PaymentMethodId: method, Amount: 200.5, Currency: 'AUD', Interval: 'Month' };
    const id = sdkText(await api.post('/subscription/payment_method', body), 'subscriptionId');
    await advance(api, '1h');
    const answer = await api.get(
      '/subscription?limit=5&amountGreaterThan=200.4&amountLessThan=200.6&status=Active&sortBy=Date&addedBefore=2026-01-01+00%3a30%3a00',
    );
    expect(Object.keys(answer.body)).toEqual(['limit', 'skip', 'count', 'subscriptions']);
    expect(answer.body).toMatchObject({
      limit: 5,
      skip: 0,
      count: 1,
      subscriptions: [{ subscriptionId: id }],
    });
    const charges = await api.get(`/charge?PaymentMethodId=${method}`);
    expect(charges.body).toMatchObject({
      charges: [{ subscriptionId: id, status: 'SUCCESS', initiator: 'MERCHANT' }],
    });
  });
});

describe('a payment link', () => {
  test.each<[sent: unknown, shown: string]>([
    [0, 'Pay'],
    [1, 'Donate'],
    ['Donate', 'Donate'],
    ['donate', 'Donate'],
  ])('takes the call to action %j for %s', async (CallToAction, shown) => {
    const { api } = sdkSetup();
    const answer = await good(api.post('/payment_link', { Title: 'Gift', Amount: 20.0, CallToAction }));
    expect(wronglySpelt(answer.body)).toEqual([]);
    expect(memberOf(answer, 'callToAction')).toBe(shown);
    expect(memberOf(answer, 'countPayments')).toBe(0);
    const list = await api.get('/payment_link?Limit=10&SortBy=Title');
    expect(list.body).toEqual({ paymentLinks: [answer.body], count: 1 });
  });

  test('has no numbers for words in the documented dialect', async () => {
    const { api } = sdkSetup({ dialect: 'documented' });
    const refused = await api.post('/payment_link', { Title: 'Gift', CallToAction: 1 });
    expect(refused.status).toBe(400);
    await good(api.post('/payment_link', { title: 'Gift', callToAction: 1 }, SDK));
  });
});

describe('transfers and settlements', () => {
  test('are bare arrays in camelCase', async () => {
    const { api } = sdkSetup();
    const charge = { Amount: '20.00', ProviderId: STEADY, PaymentInformation: cardOf() };
    const chargeId = sdkText(await api.charge(charge), 'chargeId');
    const sent = await api.post('/transfer', {
      groupReference: 'g-1',
      providerId: STEADY,
      chargeId,
      transfers: [{ account: 'acct-1', amount: '12.50', currency: 'AUD', message: null, reference: 'r-1' }],
    });
    expect(sent.body).toEqual([
      {
        transferId: expect.stringMatching(ID),
        status: 'PENDING',
        reference: 'r-1',
        groupReference: 'g-1',
        dateAdded: NOW,
        totalAmount: 12.5,
        providerId: STEADY,
        amount: 12.5,
        currency: 'AUD',
        account: 'acct-1',
        chargeId,
      },
    ]);
    await advance(api, '1d');
    const found = await api.get(
      '/transfer?Reference=r-1&Status=SUCCESS&AddedBefore=2026-01-02+00%3a+00%3a00',
    );
    expect(found.body).toMatchObject({ limit: 100, skip: 0, count: 1, transfers: [{ status: 'SUCCESS' }] });
    const settlement = {
      settlementId: expect.stringMatching(ID),
      settlementDate: after(86_400_000),
      createdDate: NOW,
      providerId: STEADY,
      providerName: 'steady',
      chargeId,
    };
    expect(await api.read('/settlements?startDate=2026-01-01&endDate=2026-01-31')).toEqual([
      { ...settlement, amount: -12.5 },
      { ...settlement, amount: 20 },
    ]);
    expect(await api.read('/version')).toEqual({
      version: expect.any(String),
      released: expect.any(String),
      region: 'au',
    });
  });

  test('refuse with the codes that client libraries know', async () => {
    const { api } = sdkSetup();
    const group = { groupReference: 'g', providerId: STEADY, chargeId: 'nobody' };
    expectSdkError(await api.post('/transfer', group), 400, 67, 'No transfer information provided');
    const transfers = [{ account: 'a', amount: 5, currency: 'AUD' }];
    expectSdkError(await api.post('/transfer', { ...group, transfers }), 404, 84, 'Invalid ChargeId');
    expectSdkError(await api.get('/transfer/nobody'), 404, 88, 'Invalid TransferId');
  });
});
