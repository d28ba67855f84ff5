import { describe, expect } from 'vitest';

import { STEADY } from '../../support/bodies.js';
import type { Client } from '../../support/sandbox.js';
import { good } from '../../support/sandbox.js';
import { SDK } from '../../support/sdk.js';
import { expectRefused } from '../../support/stored.js';
import { test } from '../../support/tests.js';
import { configured } from '../providers/support.js';

const FROM = { providerid: STEADY };

describe('POST /charge/network_token', () => {
  const charge = (api: Client, NetworkTokenId: string, more: object = {}) =>
    api.post('/charge/network_token', { Amount: '15.50', ProviderId: STEADY, NetworkTokenId, ...more });

  test('charges a magic token, again and again', async ({ api }) => {
    for (const _ of [1, 2]) {
      expect((await good(charge(api, 'tok_approve', { Reference: 'order-1' }))).body).toMatchObject({
        Status: 'SUCCESS',
        Amount: 15.5,
        ProviderId: STEADY,
        Reference: 'order-1',
        PaymentTokenId: null,
        PaymentInformation: { Type: 'CARD', Card: { CardNumber: '4111********1111', CcvCheck: null } },
      });
    }
  });

  test('declines by the outcome of the token, and stores the charge', async ({ api }) => {
    expectRefused(await charge(api, 'tok_insufficient_funds'), 400, 15);
    expect(await api.counts()).toMatchObject({ Charges: 1 });
  });

  test.for(['0123456789abcdef0123456789abcdef', 'tok_used', 'tok_nonsense', 'x'])(
    'answers 404 for the unknown token %s, and stores nothing',
    async (id, { api }) => {
      expectRefused(await charge(api, id), 404, 87);
      expect(await api.counts()).toMatchObject({ Charges: 0 });
    },
  );

  test('needs a ProviderId and a NetworkTokenId', async ({ api }) => {
    expectRefused(await charge(api, 'tok_approve', { ProviderId: undefined }), 400, 90);
    expectRefused(await charge(api, 'tok_approve', { ProviderId: 'x' }), 400, 39);
    expectRefused(await charge(api, '', {}), 400, 90);
  });
});

describe('POST /charge/token/apple', () => {
  const PaymentData = {
    Data: 'x'.repeat(2000),
    Signature: 'y'.repeat(5000),
    Header: { PublicKeyHash: 'a', EphemeralPublicKey: 'b', TransactionId: 'c' },
    Version: 'EC_v1',
  };
  const body = (Network: string, more: object = {}) => ({
    Amount: 20,
    Token: { PaymentData, PaymentMethod: { DisplayName: 'Visa 1234', Network, Type: 'debit' } },
    ...more,
  });

  test.for([
    ['Visa', 'VISA'],
    ['MasterCard', 'MASTERCARD'],
    ['AmEx', 'AMEX'],
    ['JCB', 'JCB'],
    ['Somebody', 'VISA'],
  ])(
    'charges a card of the network %s through the provider of its header',
    async ([network, Type], { api }) => {
      const more = {
        Currency: 'USD',
        Descriptor: 'SHOP',
        UserAgent: 'Safari',
        Order: {},
        Email: 'jo@example.com',
      };
      const made = await good(api.post('/charge/token/apple', body(network ?? '', more), FROM));
      expect(made.headers.get('x-sandbox-warning')).toBeNull();
      expect(made.body).toMatchObject({
        Status: 'SUCCESS',
        Currency: 'USD',
        ProviderId: STEADY,
        Descriptor: 'SHOP',
        PaymentInformation: { Type: 'APPLEPAY', Card: { Type, ExpiryDate: '12/99' } },
      });
    },
  );

  test('takes a token without PaymentMethod, and the spelling of client libraries', async ({ api }) => {
    await good(api.post('/charge/token/apple', { Amount: 5, Token: { PaymentData: { Data: 'x' } } }, FROM));
    const sdk = { amount: '5.00', token: { paymentData: { data: 'x' }, paymentMethod: { network: 'visa' } } };
    const made = await good(api.post('/charge/token/apple', sdk, { ...FROM, ...SDK }));
    expect(made.body).toMatchObject({ status: 'SUCCESS', amount: 5 });
  });

  test('declines as it is asked to', async ({ api }) => {
    const headers = { ...FROM, 'x-sandbox-outcome': 'insufficient_funds' };
    expectRefused(await api.post('/charge/token/apple', body('Visa'), headers), 400, 15);
  });

  test('refuses a Token without data, and a header without a provider', async ({ api }) => {
    expectRefused(
      await api.post('/charge/token/apple', { Amount: 5, Token: 'tok_approve' }, FROM),
      400,
      90,
      'Token',
    );
    const empty = { Amount: 5, Token: { PaymentData: {} } };
    expectRefused(await api.post('/charge/token/apple', empty, FROM), 400, 90, 'Token.PaymentData.Data');
    expectRefused(await api.post('/charge/token/apple', body('Visa')), 400, 90, 'ProviderId');
    expect(await api.counts()).toMatchObject({ Charges: 0 });
  });
});

describe('POST /charge/token/google', () => {
  const body = (CardNetwork?: string, more: object = {}) => ({
    Amount: 20,
    Token: {
      PaymentMethodData: {
        Type: 'CARD',
        Info: { CardNetwork, CardDetails: '1111' },
        TokenizationData: { Type: 'PAYMENT_GATEWAY', Token: 'x'.repeat(2000) },
      },
    },
    ...more,
  });

  test.for([
    ['VISA', 'VISA'],
    ['MASTERCARD', 'MASTERCARD'],
    [undefined, 'VISA'],
  ])('charges a card of the network %s, for a page too', async ([network, Type], { api }) => {
    const page = { ...FROM, 'x-publickey': 'pk_test_a' };
    for (const headers of [FROM, page])
      expect((await good(api.post('/charge/token/google', body(network), headers))).body).toMatchObject({
        Status: 'SUCCESS',
        ProviderId: STEADY,
        PaymentInformation: { Type: 'GOOGLEPAY', Card: { Type, ExpiryDate: '12/99' } },
      });
  });

  test('declines as it is asked to, and refuses a Token without its data', async ({ api }) => {
    const declining = { ...FROM, 'x-sandbox-outcome': 'insufficient_funds' };
    const declined = await api.post('/charge/token/google', body('VISA'), declining);
    expectRefused(declined, 400, 15);
    expect(declined.body['Details']).toMatchObject({ PaymentType: 'GOOGLEPAY', CardType: 'VISA' });
    const empty = body('VISA', { Token: { PaymentMethodData: { TokenizationData: {} } } });
    const place = 'Token.PaymentMethodData.TokenizationData.Token';
    expectRefused(await api.post('/charge/token/google', empty, FROM), 400, 90, place);
    expectRefused(await api.post('/charge/token/google', body('VISA')), 400, 90, 'ProviderId');
  });
});

describe('POST /charge/token/apple/validate', () => {
  test('begins a session for the domain of the page, or of the provider', async ({ api }) => {
    const AdditionalParameters = { merchantIdentifier: 'merchant.shop', domainName: 'shop.example' };
    const ProviderId = await configured(api, { Type: 'applepay', Name: 'Tea', AdditionalParameters });
    const validate = async (sent: object) =>
      (await good(api.post('/charge/token/apple/validate', sent, { providerid: ProviderId }))).body;
    const session = await validate({ ValidationUrl: 'https://apple-pay-gateway.apple.com/x' });
    expect(session).toMatchObject({
      MerchantIdentifier: 'merchant.shop',
      DomainName: 'shop.example',
      DisplayName: 'Tea',
    });
    expect(Number(session['ExpiresAt']) - Number(session['EpochTimestamp'])).toBe(300_000);
    expect(await validate({ DomainName: 'other.example' })).toMatchObject({ DomainName: 'other.example' });
    expect(await api.counts()).toMatchObject({ Charges: 0 });
  });
});

test.for([
  ['POST', '/fraud_check'],
  ['POST', '/token_connect'],
  ['POST', '/network_token/payment_method'],
  ['POST', '/vis/plans'],
  ['PUT', '/token/0123456789abcdef0123456789abcdef/authentication'],
  ['PUT', '/token/tok_approve/external3dsdata'],
])('%s %s is refused with what the call is for', async ([method, path], { api }) => {
  const answer = await (method === 'PUT' ? api.put(path ?? '', {}) : api.post(path ?? '', {}));
  expect(expectRefused(answer, 404, 90)).toMatch(
    /does not offer .*, a call of the service’s page script, which /,
  );
});
