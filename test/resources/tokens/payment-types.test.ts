import { describe, expect, test } from 'vitest';

import { PAYMENT_TYPES, type PaymentType } from '../../../src/core/cards/payment-type.js';
import { good } from '../../support/sandbox.js';
import { chargeMethod } from '../../support/instruments.js';
import { expectRefused, STEADY, storing, textIn, UNKNOWN_ID } from '../../support/stored.js';
import { configured } from '../providers/support.js';
import { HOOK, settle, setup, subscribe } from '../../webhooks/support.js';

/** Each type, its magic token, the first status of its charge, and whether it answers a card. */
// oxfmt-ignore
const TYPES: readonly (readonly [PaymentType, token: string, status: string, hasCard: boolean])[] = [
  ['CARD', 'tok_card', 'SUCCESS', true],
  ['GOOGLEPAY', 'tok_googlepay', 'SUCCESS', true],
  ['APPLEPAY', 'tok_applepay', 'SUCCESS', true],
  ['BANK_ACCOUNT', 'tok_bank_account', 'PENDING', false],
  ['PAYTO', 'tok_payto', 'SUCCESS', false],
  ['PAYPAL', 'tok_paypal', 'SUCCESS', false],
  ['PAYID', 'tok_payid', 'SUCCESS', false],
  ['OPTTY', 'tok_optty', 'SUCCESS', false],
  ['SHIFT', 'tok_shift', 'SUCCESS', false],
  ['PESAPAL', 'tok_pesapal', 'SUCCESS', false],
  ['PAYBYACCOUNT', 'tok_paybyaccount', 'SUCCESS', false],
  ['UPI', 'tok_upi', 'SUCCESS', false],
  ['PAYGLOCAL', 'tok_payglocal', 'SUCCESS', false],
];

const PAYER = { FirstName: 'Jo', LastName: 'Smith', Reference: 'customer-1' };

test('every payment type has a row here, and is listed by /_sandbox/triggers with its token', async () => {
  const { api } = setup();
  expect(TYPES.map(([type]) => type).toSorted()).toEqual(PAYMENT_TYPES.toSorted());
  const { Tokens } = await api.read('/_sandbox/triggers');
  for (const [type, token] of TYPES)
    expect(Tokens).toContainEqual({ Token: token, Effect: `a payment of the type ${type}` });
});

describe.each(TYPES)('%s, with the token %s', (type, token, status, hasCard) => {
  const card = hasCard
    ? expect.objectContaining({ CardNumber: '4111********1111', Type: 'VISA', ExpiryDate: '12/99' })
    : null;

  test('is charged, found by its type in any letter case, and told by the webhook', async () => {
    const { api, receiver } = setup();
    const made = await good(api.post('/charge/token', { Amount: 20, Token: token, Webhook: { Url: HOOK } }));
    expect(made.body).toMatchObject({ Status: status, PaymentInformation: { Type: type, Card: card } });
    const other = type === 'UPI' ? 'tok_paypal' : 'tok_upi';
    await good(api.post('/charge/token', { Amount: 20, Token: other }));
    for (const word of [type, type.toLowerCase()]) {
      const found = await api.read(`/charge?PaymentType=${word}`);
      expect(found).toMatchObject({ Count: 1, Charges: [{ ChargeId: made.body['ChargeId'] }] });
    }
    await settle(api);
    expect(receiver.got.map(({ message }) => message.data)).toMatchObject([{ paymentInformation: { type } }]);
  });

  test('is stored as a payment method and as a customer’s, is found by its type, and charged again', async () => {
    const { api, receiver } = setup();
    await subscribe(api, 'PaymentMethod');
    const stored = await good(api.post('/payment_method/token', { Token: token }));
    expect(stored.body).toMatchObject({ Type: type, Card: card });
    const { body: customer } = await good(api.post('/customer/token', { ...PAYER, Token: token }));
    expect(customer).toMatchObject({ DefaultPaymentMethod: { Type: type } });
    expect(await api.read(`/payment_method?PaymentType=${type.toLowerCase()}`)).toMatchObject({ Count: 2 });
    await settle(api);
    expect(receiver.got[0]?.message.data).toMatchObject({ type });
    const again = await good(chargeMethod(api, textIn(stored, 'PaymentMethodId')));
    expect(again.body).toMatchObject({ Status: status, PaymentInformation: { Type: type } });
  });

  test('can be read, listed, and saved with the state', async () => {
    const { api } = setup();
    expect(await api.read(`/token/${token}`)).toMatchObject({ TokenId: token, Type: type, Card: card });
    const { Tokens } = await api.read('/token?Limit=500');
    expect(Tokens).toContainEqual(expect.objectContaining({ TokenId: token, Type: type }));
    const made = await good(api.post('/charge/token', { Amount: 20, Token: token }));
    const { text } = await api.get('/_sandbox/state');
    await good(api.post('/_sandbox/reset'));
    await good(api.put('/_sandbox/state', text));
    expect(await api.read(`/charge/${textIn(made, 'ChargeId')}`)).toEqual(made.body);
  });

  test('is declined with an outcome, and the error names the type', async () => {
    const { api } = setup();
    const declined = await api.post('/charge/token', {
      Amount: 20,
      Token: `${token}|insufficient_funds|approve`,
    });
    expectRefused(declined, 400, 15);
    expect(declined.body['Details']).toMatchObject({ PaymentType: type });
    expect('CardType' in (declined.body['Details'] as object)).toBe(hasCard);
    await good(api.post('/charge/token', { Amount: 20, Token: `${token}|insufficient_funds|approve` }));
  });

  const isDebit = type === 'BANK_ACCOUNT' || type === 'PAYTO';
  test(`can${hasCard ? '' : 'not'} be stored in the vault, and can${isDebit ? 'not' : ''} be charged without capture`, async () => {
    const { api } = setup();
    const vaulted = await api.post('/payment_method/token', { Token: token, VaultCard: true });
    const authorised = await api.post('/charge/token', { Amount: 20, Token: token, Capture: false });
    if (hasCard) expect(vaulted.status).toBe(201);
    else expectRefused(vaulted, 400, 106);
    if (isDebit) expectRefused(authorised, 400, 71, 'Capture');
    else expect(authorised.body['Status']).toBe('Authorised');
  });
});

test.each(['PAYPALL', 'VISA', 'wallet'])(
  'a search refuses the payment type %s, which does not exist',
  async (word) => {
    const { api } = setup();
    for (const path of ['/charge', '/payment_method'])
      expectRefused(await api.get(`${path}?PaymentType=${word}`), 400, 90, 'PaymentType');
  },
);

test('a provider’s own token names the type of what it stands for', async () => {
  const { api } = setup();
  const body = { ProviderId: STEADY, ProviderToken: 'tok_paypal' };
  expect((await good(api.post('/payment_method/provider_token', body))).body).toMatchObject({
    Type: 'PAYPAL',
  });
});

test('a wallet without a card is no network token', async () => {
  const { api } = setup();
  const charge = (NetworkTokenId: string) =>
    api.post('/charge/network_token', { Amount: 20, ProviderId: STEADY, NetworkTokenId });
  expectRefused(await charge('tok_paypal'), 404, 87);
  expect((await good(charge('tok_googlepay'))).body).toMatchObject({
    PaymentInformation: { Type: 'GOOGLEPAY' },
  });
});

test.each([
  ['paypal', 'PAYPAL', null],
  ['googlepay', 'GOOGLEPAY', { Type: 'VISA' }],
  ['Apple Pay', 'APPLEPAY', { Type: 'VISA' }],
  ['pay_by_account', 'PAYBYACCOUNT', null],
  ['nab_transact', 'CARD', { Type: 'VISA' }],
])(
  'a page that pays at a provider of the type %s makes a charge of the type %s',
  async (Type, type, Card) => {
    const { api } = setup();
    const ProviderId = await configured(api, { Type });
    const paid = await good(
      api.post('/_sandbox/page/checkout', { Amount: 20, ProviderId }, { 'x-publickey': 'pk_test_a' }),
    );
    const charge = await api.read(`/charge/${textIn(paid, 'TransactionId')}`);
    expect(charge).toMatchObject({ ProviderId, PaymentInformation: { Type: type, Card } });
  },
);

describe('POST /token/payment_method', () => {
  test('makes a token of a stored card with the Ccv of its payer, for a page', async () => {
    const { api } = setup();
    const { body } = await good(api.post('/payment_method/card', storing({ VaultCard: true })));
    const sent = { PaymentMethodId: body['PaymentMethodId'], Ccv: '123', Metadata: { order: '1' } };
    const made = await good(api.post('/token/payment_method', sent, { 'x-publickey': 'pk_test_a' }));
    expect(made.body).toMatchObject({ Type: 'CARD', VaultId: body['VaultId'], Metadata: { order: '1' } });
    const paid = await good(api.post('/charge/token', { Amount: 5, Token: made.body['TokenId'] }));
    expect(paid.body).toMatchObject({
      PaymentInformation: { Card: { CardNumber: '4111********1111', CcvCheck: true } },
    });
  });

  test('makes a token of the type of the payment method', async () => {
    const { api } = setup();
    const { body } = await good(api.post('/payment_method/token', { Token: 'tok_paypal' }));
    const made = await good(api.post('/token/payment_method', { PaymentMethodId: body['PaymentMethodId'] }));
    const paid = await good(api.post('/charge/token', { Amount: 5, Token: made.body['TokenId'] }));
    expect(paid.body).toMatchObject({ PaymentInformation: { Type: 'PAYPAL', Card: null } });
  });

  test('refuses an unknown or removed method, and a Ccv that does not fit its card', async () => {
    const { api } = setup();
    const { body } = await good(api.post('/payment_method/card', storing()));
    const { PaymentMethodId } = body;
    const ask = (sent: object) => api.post('/token/payment_method', sent);
    expectRefused(await ask({ PaymentMethodId, Ccv: '1234' }), 400, 6, 'Ccv');
    expectRefused(await ask({ PaymentMethodId: UNKNOWN_ID }), 404, 56);
    await good(api.del(`/payment_method/${String(PaymentMethodId)}`));
    expectRefused(await ask({ PaymentMethodId }), 409, 73);
    expect(await api.counts()).toMatchObject({ Tokens: 0 });
  });
});

test('GET /token/{id}/card answers the card of a token to a page, and refuses a token without one', async () => {
  const { api } = setup();
  const read = (id: string) =>
    api.get(`/token/${id}/card`, { 'x-publickey': 'pk_test_a', providerid: STEADY });
  expect((await good(read('tok_googlepay'))).body).toMatchObject({
    CardNumber: '4111********1111',
    Type: 'VISA',
  });
  expectRefused(await read('tok_paypal'), 400, 58);
  expectRefused(await read(UNKNOWN_ID), 404, 87);
});
