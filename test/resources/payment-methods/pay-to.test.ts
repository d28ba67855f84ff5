import { describe, expect } from 'vitest';

import { AMOUNTS, DOWN, RESERVED, STEADY, agreement, cardOf, storing } from '../../support/bodies.js';
import { chargeMethod, SHOWN_AGREEMENT, storedAgreement, UNDECIDED } from '../../support/instruments.js';
import { type Answer, asking, type Client, good } from '../../support/sandbox.js';
import { EMPTY, expectRefused, NOW, textIn, wholeMethod } from '../../support/stored.js';
import { test } from '../../support/tests.js';

const create = (api: Client, more: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  api.post('/payment_method/payto', agreement(more), headers);

describe('POST /payment_method/payto', () => {
  test('answers a method by an agreement that is active at once', async ({ api }) => {
    const { status, body } = await create(api, { Metadata: { flat: '7' }, Ip: '10.0.0.1' });
    expect([status, body]).toEqual([
      201,
      wholeMethod({
        Type: 'PAYTO',
        Card: null,
        PayTo: SHOWN_AGREEMENT,
        PayToStatus: 'ACTIVE',
        Metadata: { flat: '7' },
      }),
    ]);
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1 });
    expect(await api.read(`/payment_method/${String(body['PaymentMethodId'])}`)).toEqual(body);
  });

  test('gives each agreement an identifier of its own', async ({ api }) => {
    const ids = [await create(api), await create(api)].map((made) => textIn(made, 'PayTo', 'PayToId'));
    expect(new Set(ids).size).toBe(2);
  });

  test.for<[string, object, number, string]>([
    ['no ProviderId', { ProviderId: undefined }, 90, 'ProviderId'],
    ['the reserved ProviderId', { ProviderId: RESERVED }, 39, 'ProviderId'],
    ['no PayerName', { PayerName: undefined }, 90, 'PayerName'],
    ['a long PayerName', { PayerName: 'x'.repeat(257) }, 90, 'PayerName'],
    ['no PayerPayIdDetails', { PayerPayIdDetails: undefined }, 90, 'PayerPayIdDetails'],
    ['no PayId', { PayerPayIdDetails: { PayIdType: 'EMAIL' } }, 90, 'PayerPayIdDetails.PayId'],
    ['no PayIdType', { PayerPayIdDetails: { PayId: 'a@b.c' } }, 90, 'PayerPayIdDetails.PayIdType'],
    ['a Description that is no text', { Description: 7 }, 90, 'Description'],
    ['no MaximumAmount', { MaximumAmount: undefined }, 90, 'MaximumAmount'],
    ['a malformed MaximumAmount', { MaximumAmount: '1e3' }, 2, 'MaximumAmount'],
    ['a MaximumAmount of zero', { MaximumAmount: 0 }, 74, 'MaximumAmount'],
    ['a MaximumAmount that is a list', { MaximumAmount: [5] }, 2, 'MaximumAmount'],
  ])('refuses %s and stores nothing', async ([, more, code, member], { api }) => {
    const answer = await create(api, more);
    expectRefused(answer, 400, code, member);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('stores nothing where the provider declines, and is a call of paymentMethod.create to scripts', async ({
    api,
  }) => {
    expectRefused(await create(api, { ProviderId: DOWN }), 400, 34);
    expectRefused(await create(api, {}, asking('do_not_honor')), 400, 905);
    await good(api.queue('paymentMethod.create', ['lost_card']));
    expectRefused(await create(api), 400, 941);
    expect(await api.counts()).toEqual(EMPTY);
  });
});

describe('a charge of an agreement', () => {
  test('is made at once and names its payer', async ({ api }) => {
    const method = await storedAgreement(api);
    const { body } = await good(chargeMethod(api, method));
    expect(body).toMatchObject({ Status: 'SUCCESS', SuccessDate: NOW });
    expect(body['PaymentInformation']).toEqual({
      Type: 'PAYTO',
      PaymentMethodId: method,
      Card: null,
      BankPayment: null,
      PayTo: SHOWN_AGREEMENT,
      Email: 'jo@example.com',
    });
    expect((await api.del(`/refund/${String(body['ChargeId'])}`)).body).toMatchObject({ Status: 'REFUND' });
  });

  test('has no e-mail address if its payer is known by something else', async ({ api }) => {
    const phone = { PayId: '+61400000000', PayIdType: 'PHONE' };
    const { body } = await good(chargeMethod(api, await storedAgreement(api, { PayerPayIdDetails: phone })));
    expect(body['PaymentInformation']).toMatchObject({ PayTo: { PayerPayIdDetails: phone }, Email: null });
  });

  test.for<[string, object, unknown, string, boolean]>([
    ['as much as was agreed', { MaximumAmount: 20 }, 20, 'AUD', true],
    ['a cent more', { MaximumAmount: '20.00' }, '20.01', 'AUD', false],
    ['a cent less', { MaximumAmount: '19.995' }, '19.99', 'AUD', true],
    ['a rounded cent more', { MaximumAmount: '19.995' }, '20.00', 'AUD', false],
    ['the same in another currency', { MaximumAmount: 20 }, 20, 'JPY', true],
    ['more in another currency', { MaximumAmount: 20 }, 21, 'JPY', false],
  ])('of %s is taken or refused with code 24', async ([, agreed, Amount, Currency, taken], { api }) => {
    const answer = await chargeMethod(api, await storedAgreement(api, agreed), { Amount, Currency });
    if (taken) expect(answer.body).toMatchObject({ Status: 'SUCCESS' });
    else
      expect(expectRefused(answer, 400, 24)).toMatch(
        /must be at most (?:20|19\.995), the maximum of the agreement/,
      );
    expect(await api.counts()).toMatchObject({ Charges: taken ? 1 : 0 });
  });

  test('may not leave the capture for later', async ({ api }) => {
    expectRefused(await chargeMethod(api, await storedAgreement(api), { Capture: false }), 400, 71);
  });

  test('can be declined like any other', async ({ api }) => {
    const method = await storedAgreement(api, { ProviderId: AMOUNTS });
    expectRefused(await chargeMethod(api, method, { Amount: '10.51' }), 400, 15);
    expect(await api.read('/charge?PaymentType=PAYTO')).toMatchObject({
      Count: 1,
      Charges: [{ Status: 'FAILED' }],
    });
  });
});

describe('an agreement that its payer has not agreed to', () => {
  test('is PENDING, and its charges are refused with code 33 until payto.activate', async ({ api }) => {
    const method = await storedAgreement(api, { PayerPayIdDetails: UNDECIDED });
    const before = await api.get(`/payment_method/${method}`);
    expect(before.body).toMatchObject({ PayTo: { Status: 'PENDING' }, PayToStatus: 'PENDING' });
    expect(expectRefused(await chargeMethod(api, method), 400, 33)).toContain('PENDING');
    expect(await api.counts()).toMatchObject({ Charges: 0 });

    const activate = (Ref: string) => api.post('/_sandbox/simulate', { Action: 'payto.activate', Ref });
    const { body } = await good(activate(method));
    expect(body).toEqual({
      ...before.body,
      PayTo: { ...(before.body['PayTo'] as object), Status: 'ACTIVE' },
      PayToStatus: 'ACTIVE',
    });
    expect((await good(chargeMethod(api, method))).body).toMatchObject({ Status: 'SUCCESS' });
    expect(expectRefused(await activate(method), 409, 57)).toContain('already ACTIVE');
  });

  test('is named by payto.activate alone: a card or an unknown method is refused', async ({ api }) => {
    const PaymentInformation = cardOf();
    const card = await good(api.post('/payment_method/card', { ProviderId: STEADY, PaymentInformation }));
    const activate = (Ref: string) => api.post('/_sandbox/simulate', { Action: 'payto.activate', Ref });
    expectRefused(await activate(textIn(card, 'PaymentMethodId')), 400, 58);
    expectRefused(await activate('0'.repeat(32)), 404, 56);
  });
});

describe('POST /customer/payto', () => {
  const body = { FirstName: 'Jo', Email: 'jo@example.com', PayToAgreement: agreement() };

  test('answers a customer whose default method is the agreement', async ({ api }) => {
    const made = await good(api.post('/customer/payto', { ...body, Metadata: { flat: '7' } }));
    expect(made.body).toMatchObject({
      FirstName: 'Jo',
      Metadata: { flat: '7' },
      DefaultPaymentMethod: { Type: 'PAYTO', PayTo: SHOWN_AGREEMENT, Email: 'jo@example.com' },
    });
    const CustomerId = textIn(made, 'CustomerId');
    const charge = await good(api.post('/charge/customer', { Amount: 5, ProviderId: STEADY, CustomerId }));
    expect(charge.body).toMatchObject({ Status: 'SUCCESS', CustomerId });
  });

  test.for<[string, object, number]>([
    ['no PayToAgreement', { PayToAgreement: undefined }, 90],
    ['no ProviderId in it', { PayToAgreement: agreement({ ProviderId: undefined }) }, 90],
    ['no PayerName in it', { PayToAgreement: agreement({ PayerName: undefined }) }, 90],
  ])('refuses %s and stores nothing', async ([, more, code], { api }) => {
    expectRefused(await api.post('/customer/payto', { ...body, ...more }), 400, code);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('stores nothing where the provider declines', async ({ api }) => {
    const PayToAgreement = agreement({ ProviderId: DOWN });
    expectRefused(await api.post('/customer/payto', { ...body, PayToAgreement }), 400, 34);
    expect(await api.counts()).toEqual(EMPTY);
  });
});

describe('POST /customer/{id}/payment_method/payto', () => {
  test('adds an agreement to a customer, as its default with SetDefault', async ({ api }) => {
    const customer = await good(api.post('/customer/card', storing({ Email: 'jo@example.com' })));
    const id = textIn(customer, 'CustomerId');
    const add = (more: object = {}) => api.post(`/customer/${id}/payment_method/payto`, agreement(more));
    const added = await good(add());
    expect(added.body).toMatchObject({ CustomerId: id, PayTo: SHOWN_AGREEMENT, Email: 'jo@example.com' });
    expect(await api.read(`/customer/${id}`)).toMatchObject({ DefaultPaymentMethod: { Type: 'CARD' } });
    await good(add({ SetDefault: true }));
    expect(await api.read(`/customer/${id}`)).toMatchObject({ DefaultPaymentMethod: { Type: 'PAYTO' } });
    expectRefused(await add({ PayerName: '' }), 400, 90);
    expectRefused(await add({ ProviderId: DOWN }), 400, 34);
    expectRefused(await api.post(`/customer/${'0'.repeat(32)}/payment_method/payto`, agreement()), 404, 52);
    expect(await api.counts()).toEqual({ ...EMPTY, Customers: 1, PaymentMethods: 3 });
  });
});
