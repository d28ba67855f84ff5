import { describe, expect, test } from 'vitest';

import * as values from '../../src/records/field-values.js';

const never = values.whyNeverMatches;

describe('a value is compared as the API compares it', () => {
  test.each([
    [values.CURRENCY, 'aud', 'AUD'],
    [values.CHARGE_STATUS, 'success', 'SUCCESS'],
    [values.CHARGE_STATUS, 'AUTHORISE', 'Authorised'],
    [values.SUBSCRIPTION_STATUS, 'ACTIVE', 'Active'],
    [values.CARD_SCHEME, 'visa', 'VISA'],
    [values.RECORD_ID, '0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
  ])('%o reads %s as %s', (field, given, read) => {
    expect(field.read(given)).toBe(read);
    expect(never(field, given)).toBeNull();
  });
});

describe('a value that no record can have is refused, with the one that was meant', () => {
  test.each([
    [values.CURRENCY, 'AU$', 'must be an ISO 4217 code such as AUD, not "AU$". Did you mean AUD?'],
    [values.CURRENCY, 'XAU', /^must be an ISO 4217 code such as AUD, not "XAU"/],
    [values.CHARGE_STATUS, 'Paid', /not "Paid"\. Did you mean SUCCESS\?$/],
    [values.CHARGE_STATUS, 'constructor', /not "constructor"$/],
    [values.CHARGE_STATUS, 'REFUNDED', /Did you mean REFUND\?$/],
    [values.CARD_SCHEME, 'VISSA', /^must be one of .*VISA.*, not "VISSA"\. Did you mean VISA\?$/],
    [
      values.RECORD_ID,
      '0123456789ABCDEF0123456789ABCDEF',
      /^must be 32 hexadecimal digits in lower case, not/,
    ],
    [values.CARD_NUMBER, '4111111111111112', /Luhn check, not "4111111111111112"$/],
  ])('%o refuses %s', (field, given, why) => {
    expect(field.read(given)).toBeUndefined();
    expect(never(field, given)).toMatch(why);
  });
});

describe('a pattern fits if some value matches it', () => {
  test.each([
    [values.CURRENCY, 'a*', true],
    [values.CURRENCY, 'qq*', false],
    [values.CHARGE_STATUS, '*refund', true],
    [values.CHARGE_STATUS, 'paid*', false],
    [values.CARD_NUMBER, '4111*', true],
    [values.CARD_NUMBER, `${'4'.repeat(20)}*`, false],
    [values.CARD_NUMBER, '4111?', false],
    [values.CARD_NUMBER, '411111111111111?', true],
    [values.RECORD_ID, 'ab*', true],
    [values.RECORD_ID, 'xy*', false],
  ])('%o and %s: %s', (field, pattern, fits) => {
    expect(never(field, pattern) === null).toBe(fits);
  });
});

describe('an amount has as many decimals as its currency', () => {
  test.each([
    [100.005, 'AUD', 'has more decimals than AUD, which has 2: 100.005'],
    [100.005, 'KWD', null],
    [100.005, null, 'has more than 2 decimals: 100.005. Name the currency that has them, such as KWD'],
    [20, null, null],
    [0.5, 'JPY', 'has more decimals than JPY, which has 0: 0.5'],
    [0, null, 'must be greater than 0, not 0'],
    [1_000_000_000, null, 'must be at most 999999999.99, not 1000000000'],
  ])('%d in %s', (amount, currency, why) => {
    expect(values.whyImpossibleAmount(amount, currency)).toBe(why);
  });

  test.each([
    [{ gt: 10, lt: 5 }, 'AUD', false],
    [{ gte: 50, lte: 10 }, 'AUD', false],
    [{ gte: 50, lte: 50 }, 'AUD', true],
    [{ gt: 50, lte: 50 }, 'AUD', false],
    [{ gt: 10, lt: 10.01 }, 'AUD', false],
    [{ gt: 10, lt: 10.01 }, 'KWD', true],
    [{ gt: 1.1, lt: 1.12 }, 'AUD', true],
    [{ lt: 0.01 }, 'AUD', false],
    [{ gt: 999_999_999.99 }, 'KWD', false],
    [{ gt: 10, lt: 11 }, 'JPY', false],
  ])('some amount within %o in %s: %s', (bounds, currency, expected) => {
    expect(values.hasAmountWithin(bounds, currency)).toBe(expected);
  });

  test('the finest currency of patterns has the most decimals', () => {
    expect([['AUD'], ['aud', 'k*'], ['jpy']].map((patterns) => values.finestCurrency(patterns))).toEqual([
      'AUD',
      'KWD',
      'JPY',
    ]);
  });
});

test.each([
  ['/order-.*/', 'a regular expression'],
  ['^a$', 'a regular expression'],
  [String.raw`order-\d+`, 'a regular expression'],
  ['order-[0-9]', 'a regular expression'],
  ['(a|b)', 'a regular expression'],
  ['order-%', 'a pattern of SQL'],
  ['order-*', null],
  ['100% wool', null],
  ['a.b/c', null],
  ['order (2)', null],
])('%s looks like %s', (text, kind) => {
  expect(values.foreignPattern(text)).toBe(kind);
});
