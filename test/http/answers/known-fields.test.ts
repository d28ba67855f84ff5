import { describe, expect, test } from 'vitest';

import { PAYMENT_TYPES } from '../../../src/core/cards/payment-type.js';
import { fillKnownFields } from '../../../src/http/answers/known-fields.js';
import { card, cardCharge } from '../../resources/charges/support.js';
import { HOOK, settle, setup } from '../../webhooks/support.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { memberOf, SDK, sdkSetup } from '../../support/sdk.js';

const BANK = { country: 'Australia', countryCode: 'AU', issuer: 'Playmoney Test Bank' };

describe('what client libraries know of a card by its first six digits', () => {
  test.each<[CardNumber: string, iinData: object]>([
    ['4111111111111111', { scheme: 'VISA', cardType: 'CREDIT', ...BANK }],
    ['5200828282828210', { scheme: 'MASTERCARD', cardType: 'DEBIT', ...BANK }],
    ['378282246310005', { scheme: 'AMEX', cardType: 'CREDIT', ...BANK }],
    // No test card begins like this.
    [
      '4539578763621486',
      { scheme: 'VISA', cardType: 'CREDIT', country: null, countryCode: null, issuer: null },
    ],
  ])('%s', async (CardNumber, iinData) => {
    const { api } = sdkSetup();
    const PaymentInformation = card({ CardNumber, Ccv: undefined });
    const made = await good(api.charge(cardCharge({ PaymentInformation })));
    expect(memberOf(made, 'paymentInformation', 'card', 'iinData')).toEqual(iinData);
    const read = await api.read('/charge');
    expect(read['charges']).toMatchObject([{ paymentInformation: { card: { iinData } } }]);
  });
});

describe('the type of a payment as a library shows it', () => {
  test.each(PAYMENT_TYPES)('%s has a name of its own', (type) => {
    const answer = { paymentInformation: { type, displayType: null } };
    fillKnownFields(answer);
    expect(answer.paymentInformation.displayType).toMatch(/^[A-Z][A-Za-z ]+$/);
  });
});

test('the documented dialect and webhooks have neither', async () => {
  const { body } = await client(testSandbox()).charge(cardCharge());
  expect(body['PaymentInformation']).not.toHaveProperty('DisplayType');
  expect(body['PaymentInformation']).not.toHaveProperty(['Card', 'IinData']);
  const { api, receiver } = setup();
  await good(api.charge(cardCharge({ Webhook: { Url: HOOK } }), SDK));
  await settle(api);
  expect(receiver.got[0]?.body).toContain('"cardIin":"411111"');
  expect(receiver.got[0]?.body).not.toMatch(/iinData|displayType/);
});
