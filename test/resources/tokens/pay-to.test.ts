import { describe, expect } from 'vitest';

import { DOWN, STEADY, agreement } from '../../support/bodies.js';
import { bankCharge, chargeMethod, SHOWN_AGREEMENT, UNDECIDED } from '../../support/instruments.js';
import { type Answer, type Client, good } from '../../support/sandbox.js';
import { AN_ID, EMPTY, expectRefused, NOW, textIn, NEVER_IN_TOKEN } from '../../support/stored.js';
import { test } from '../../support/tests.js';

const tokenise = (api: Client, more: object = {}): Promise<Answer> =>
  api.post('/token/payto', agreement(more));

const charge = (api: Client, Token: string, more: object = {}): Promise<Answer> =>
  api.post('/charge/token', { Amount: 20, Token, ...more });

describe('POST /token/payto', () => {
  test('answers a token of an agreement', async ({ api }) => {
    const { status, body } = await tokenise(api, { Ip: '203.0.113.9', Metadata: { cart: '7' } });
    expect([status, body]).toEqual([
      201,
      {
        TokenId: AN_ID,
        ProviderId: STEADY,
        DateAdded: NOW,
        VaultId: null,
        Type: 'PAYTO',
        PayToStatus: 'ACTIVE',
        Ip: '203.0.113.9',
        Metadata: { cart: '7' },
        ...NEVER_IN_TOKEN,
        Card: null,
      },
    ]);
    expect(await api.counts()).toMatchObject({ ...EMPTY, Tokens: 1, QueuedJobs: 1 });
  });

  test('gives one charge, which is paid by the agreement', async ({ api }) => {
    const token = textIn(await tokenise(api), 'TokenId');
    const { body } = await good(charge(api, token));
    expect(body).toMatchObject({
      Status: 'SUCCESS',
      PaymentTokenId: token,
      PaymentInformation: { Type: 'PAYTO', PaymentMethodId: null, Card: null, PayTo: SHOWN_AGREEMENT },
    });
    expectRefused(await charge(api, token), 400, 51);
  });

  test('is not used up by a charge that the agreement forbids', async ({ api }) => {
    const token = textIn(await tokenise(api, { MaximumAmount: 20 }), 'TokenId');
    expectRefused(await charge(api, token, { Amount: 21 }), 400, 24);
    await good(charge(api, token));
    const pending = textIn(await tokenise(api, { PayerPayIdDetails: UNDECIDED }), 'TokenId');
    expectRefused(await charge(api, pending), 400, 33);
  });

  test('expires like a token of a card', async ({ api }) => {
    const token = textIn(await tokenise(api), 'TokenId');
    await api.advance('15m');
    expectRefused(await charge(api, token), 400, 51);
  });

  test('gives a customer whose default method is the agreement', async ({ api }) => {
    const Token = textIn(await tokenise(api), 'TokenId');
    const person = { FirstName: 'Jo', LastName: 'Smith', Reference: 'c-1' };
    const { body } = await good(api.post('/customer/token', { ...person, Token }));
    expect(body).toMatchObject({ DefaultPaymentMethod: { Type: 'PAYTO', PayTo: SHOWN_AGREEMENT } });
    await good(
      chargeMethod(api, (body['DefaultPaymentMethod'] as { PaymentMethodId: string }).PaymentMethodId),
    );
  });

  test('cannot be put into the vault, and is not used up by the attempt', async ({ api }) => {
    const Token = textIn(await tokenise(api), 'TokenId');
    const body = { FirstName: 'Jo', LastName: 'Smith', Reference: 'c-1', Token };
    expect(
      expectRefused(await api.post('/customer/token', { ...body, VaultCard: true }), 400, 106),
    ).toContain('PAYTO');
    await good(api.post('/customer/token', body));
  });

  test.for<[string, object, number]>([
    ['no ProviderId', { ProviderId: undefined }, 90],
    ['no PayerName', { PayerName: undefined }, 90],
    ['no PayerPayIdDetails', { PayerPayIdDetails: undefined }, 90],
    ['a MaximumAmount of zero', { MaximumAmount: 0 }, 74],
  ])('refuses %s and makes nothing', async ([, more, code], { api }) => {
    expectRefused(await tokenise(api, more), 400, code);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('makes nothing at a provider that was removed', async ({ api }) => {
    const provider = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'AUD' };
    const ProviderId = textIn(await good(api.post('/provider', provider)), 'ProviderId');
    await good(tokenise(api, { ProviderId }));
    await good(api.del(`/provider/${ProviderId}`));
    expectRefused(await tokenise(api, { ProviderId }), 400, 39);
    expectRefused(await api.post('/payment_method/payto', agreement({ ProviderId })), 400, 39);
    expectRefused(await api.post('/charge/bank_account', bankCharge({ ProviderId })), 400, 39);
    expect(await api.counts()).toMatchObject({ Tokens: 1, PaymentMethods: 0, Charges: 0 });
  });

  test('makes nothing where the provider declines, and is a call of token.create to scripts', async ({
    api,
  }) => {
    expectRefused(await tokenise(api, { ProviderId: DOWN }), 400, 34);
    await good(api.queue('token.create', ['do_not_honor']));
    expectRefused(await tokenise(api), 400, 905);
    expect(await api.counts()).toEqual(EMPTY);
  });
});
