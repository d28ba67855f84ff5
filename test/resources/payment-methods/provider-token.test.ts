import { describe, expect } from 'vitest';

import { AMOUNTS, DOWN, RESERVED, STEADY } from '../../support/bodies.js';
import { chargeMethod } from '../../support/instruments.js';
import { type Answer, asking, type Client, good, triggerOf } from '../../support/sandbox.js';
import { EMPTY, expectRefused, textIn, wholeMethod } from '../../support/stored.js';
import { test } from '../../support/tests.js';

const METHOD = '/payment_method/provider_token';
const SINGLE_USE = '/payment_method/provider_single_use_token';

const body = (more: object = {}): object => ({ ProviderId: STEADY, ProviderToken: 'pm_1a2b3c', ...more });

/** What is made up for a card that only its provider knows. */
const MADE_UP = {
  CardNumber: '4111********1111',
  ExpiryDate: '12/99',
  Cardholder: null,
  Type: 'VISA',
  CardType: 'CREDIT',
  CardIin: '411111',
  CcvCheck: null,
};

describe.each([[METHOD], [SINGLE_USE]])('POST %s', (path) => {
  const create = (api: Client, more: object = {}, headers?: Record<string, string>): Promise<Answer> =>
    api.post(path, body(more), headers);

  test('answers a card of no customer that is named by its provider', async ({ api }) => {
    const more = { ProviderTokenData: { network: 'visa' }, Email: 'jo@example.com', Metadata: { flat: '7' } };
    const { status, body: made } = await create(api, { ...more, Verify: true });
    expect([status, made]).toEqual([
      201,
      wholeMethod({
        Card: MADE_UP,
        ProviderPaymentMethodId: 'pm_1a2b3c',
        ProviderPaymentMethodData: { network: 'visa' },
        Email: 'jo@example.com',
        Metadata: { flat: '7' },
      }),
    ]);
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1 });
    expect(await api.read(`/payment_method/${String(made['PaymentMethodId'])}`)).toEqual(made);
  });

  test('can be charged again and again', async ({ api }) => {
    const method = textIn(await good(create(api)), 'PaymentMethodId');
    for (let charge = 0; charge < 2; charge++) {
      expect((await good(chargeMethod(api, method))).body).toMatchObject({
        Status: 'SUCCESS',
        PaymentInformation: { Type: 'CARD', Card: { CardNumber: '4111********1111' } },
      });
    }
  });

  test.for<[string, object, number, string]>([
    ['no ProviderId', { ProviderId: undefined }, 90, 'ProviderId'],
    ['the reserved ProviderId', { ProviderId: RESERVED }, 39, 'ProviderId'],
    ['no ProviderToken', { ProviderToken: undefined }, 90, 'ProviderToken'],
    ['a blank ProviderToken', { ProviderToken: ' ' }, 90, 'ProviderToken'],
    ['ProviderTokenData that is a text', { ProviderTokenData: 'x' }, 90, 'ProviderTokenData'],
    ['a Verify that is a text', { Verify: 'yes' }, 90, 'Verify'],
  ])('refuses %s and stores nothing', async ([, more, code, member], { api }) => {
    const answer = await create(api, more);
    expectRefused(answer, 400, code, member);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('takes the outcome of a magic token along to the charges', async ({ api }) => {
    const method = textIn(
      await good(create(api, { ProviderToken: 'tok_insufficient_funds' })),
      'PaymentMethodId',
    );
    const declined = await chargeMethod(api, method);
    expectRefused(declined, 400, 15);
    expect(triggerOf(declined)).toBe('token:tok_insufficient_funds');
    // As good as new each time.
    await good(create(api, { ProviderToken: 'tok_insufficient_funds' }));
    expectRefused(await create(api, { ProviderToken: 'tok_used' }), 400, 51);
    expectRefused(await create(api, { ProviderToken: 'tok_expired' }), 400, 51);
    expectRefused(await create(api, { ProviderToken: 'tok_tokenise_error' }), 400, 42);
  });

  test('takes a token that only looks like a magic one', async ({ api }) => {
    expect((await good(create(api, { ProviderToken: 'tok_1NxYz' }))).body).toMatchObject({
      Card: MADE_UP,
    });
  });

  test('stores nothing where the provider declines, and is a call of paymentMethod.create to scripts', async ({
    api,
  }) => {
    expectRefused(await create(api, { ProviderId: DOWN }), 400, 34);
    expectRefused(await create(api, {}, asking('do_not_honor')), 400, 905);
    await good(api.queue('paymentMethod.create', ['lost_card']));
    expectRefused(await create(api), 400, 941);
    expect(await api.counts()).toEqual(EMPTY);
    await good(create(api));
  });
});

describe('a token of a provider', () => {
  test('that is for a single use works once at its provider, for a method or a customer', async ({ api }) => {
    await good(api.post(SINGLE_USE, body()));
    expect(expectRefused(await api.post(SINGLE_USE, body()), 400, 51)).toContain('already used');
    expectRefused(await api.post('/customer/provider_single_use_token', body()), 400, 51);
    await good(api.post(SINGLE_USE, body({ ProviderId: AMOUNTS })));
    await good(api.post(SINGLE_USE, body({ ProviderToken: 'pm_2' })));
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 3 });
  });

  test('that is not works as often as one likes', async ({ api }) => {
    await good(api.post(METHOD, body()));
    await good(api.post(METHOD, body()));
    await good(api.post('/customer/provider_token', body()));
    expect(await api.counts()).toEqual({ ...EMPTY, Customers: 1, PaymentMethods: 3 });
  });
});

describe('in the sdk dialect', () => {
  const sdk = { 'x-sandbox-dialect': 'sdk' };

  test('names are accepted in any case, and the keys of the caller’s maps are unchanged', async ({ api }) => {
    const sent = {
      providerId: STEADY,
      providerToken: 'pm_1',
      providerTokenData: { Net_Work: 'visa' },
      verify: null,
      MetaData: { Flat: '7' },
    };
    const { body: made } = await good(api.post('/customer/provider_token', sent, sdk));
    expect(made).toMatchObject({
      metadata: { Flat: '7' },
      defaultPaymentMethod: {
        type: 'CARD',
        bankPayment: null,
        payTo: null,
        providerPaymentMethodId: 'pm_1',
        providerPaymentMethodData: { Net_Work: 'visa' },
      },
    });
  });
});

describe.each([['/customer/provider_token'], ['/customer/provider_single_use_token']])('POST %s', (path) => {
  test('answers a customer whose default method is named by its provider', async ({ api }) => {
    const person = { FirstName: 'Jo', LastName: 'Smith', Email: 'jo@example.com', Reference: 'c-1' };
    const more = {
      ...person,
      ProviderTokenData: { network: 'visa' },
      Verify: false,
      Metadata: { flat: '7' },
    };
    const made = await good(api.post(path, body(more)));
    expect(made.body).toMatchObject({
      ...person,
      Metadata: { flat: '7' },
      DefaultPaymentMethod: {
        Type: 'CARD',
        Card: MADE_UP,
        ProviderPaymentMethodId: 'pm_1a2b3c',
        ProviderPaymentMethodData: { network: 'visa' },
        Email: 'jo@example.com',
        ProviderType: 'dummy',
        VaultId: null,
      },
    });
    const CustomerId = textIn(made, 'CustomerId');
    const charge = await good(api.post('/charge/customer', { Amount: 5, ProviderId: STEADY, CustomerId }));
    expect(charge.body).toMatchObject({ Status: 'SUCCESS', CustomerId });
    expect(await api.counts()).toEqual({ ...EMPTY, Charges: 1, Customers: 1, PaymentMethods: 1 });
  });

  test('refuses a missing field or a decline, and stores nothing', async ({ api }) => {
    expectRefused(await api.post(path, body({ ProviderToken: undefined })), 400, 90);
    expectRefused(await api.post(path, body({ ProviderId: undefined })), 400, 90);
    expectRefused(await api.post(path, body({ ProviderId: DOWN })), 400, 34);
    await good(api.queue('customer.create', ['do_not_honor']));
    expectRefused(await api.post(path, body()), 400, 905);
    expect(await api.counts()).toEqual(EMPTY);
  });
});
