import { describe, expect, test } from 'vitest';

import { toSdk, ABSENT_FIELDS, OWN_MAPS } from '../../../src/core/dialect/sdk.js';

describe('an answer in the spelling of client libraries', () => {
  test('has names that begin with a small letter, at every depth', () => {
    expect(
      toSdk({ ChargeId: 'c', Card: { CardType: 'CREDIT' }, Refunds: [{ Amount: 5 }, [{ A: 1 }]] }),
    ).toEqual({ chargeId: 'c', card: { cardType: 'CREDIT' }, refunds: [{ amount: 5 }, [{ a: 1 }]] });
  });

  test('has null or false for fields that client libraries read and the sandbox has no value for', () => {
    const card = { ccvCheck: false, iinData: null, threeDSServerTransID: null };
    expect(toSdk({ CcvCheck: null })).toEqual(card);
    expect(toSdk({ CcvCheck: true })).toEqual({ ...card, ccvCheck: true });
  });

  test.each([...ABSENT_FIELDS])('next to %s', (field, absent) => {
    const answer = toSdk({ [field]: 'x' }) as Record<string, unknown>;
    for (const [name, stands] of absent) {
      if (name !== field) {
        expect(answer).toHaveProperty([name.charAt(0).toLowerCase() + name.slice(1)], stands);
      }
    }
  });

  test('says the type of the provider with the payment of a charge, too', () => {
    const payment = { Type: 'CARD' };
    const shown = { type: 'CARD', displayType: null };
    expect(toSdk({ Provider: { Type: 'dummy' }, PaymentInformation: payment })).toEqual({
      provider: { type: 'dummy' },
      paymentInformation: { ...shown, providerType: 'dummy' },
    });
    expect(toSdk({ PaymentInformation: payment })).toEqual({
      paymentInformation: { ...shown, providerType: null },
    });
    expect(toSdk({ PaymentInformation: null })).toEqual({ paymentInformation: null });
  });

  test('keeps the order of the fields, and what is null', () => {
    expect(JSON.stringify(toSdk({ Limit: 100, Skip: 0, Voided: null, Charges: [] }))).toBe(
      '{"limit":100,"skip":0,"voided":null,"charges":[]}',
    );
  });

  test('changes only the first letter of a name', () => {
    expect(Object.keys(toSdk({ ThreeDSServerTransID: 1, HasCvv: 1, limit: 1 }) as object)).toEqual([
      'threeDSServerTransID',
      'hasCvv',
      'limit',
    ]);
  });

  test.each([...OWN_MAPS])('leaves the keys below %s alone', (name) => {
    const map = { MerchantId: '1', merchant_id: { Status: 'Authorised' } };
    const small = name.charAt(0).toLowerCase() + name.slice(1);
    expect(toSdk({ Inner: { [name]: map } })).toEqual({ inner: { [small]: map } });
  });

  test('knows an authorised charge by another word, and no other field by it', () => {
    expect(toSdk({ Status: 'Authorised', Reference: 'Authorised' })).toEqual({
      status: 'AUTHORISE',
      reference: 'Authorised',
    });
    expect(toSdk({ Status: 'AUTHORISE_CANCELLED' })).toEqual({ status: 'AUTHORISE_CANCELLED' });
    expect(toSdk({ Status: 503 })).toEqual({ status: 503 });
  });

  test.each([null, 5, 'Text', true, []])('%j stays as it is', (value) => {
    expect(toSdk(value)).toEqual(value);
  });

  test('does not change the value that it was given', () => {
    const value = Object.freeze({ Status: 'Authorised', Inner: Object.freeze({ A: 1 }) });
    expect(toSdk(value)).toEqual({ status: 'AUTHORISE', inner: { a: 1 } });
    expect(value).toEqual({ Status: 'Authorised', Inner: { A: 1 } });
  });
});
