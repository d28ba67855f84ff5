import { data } from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_MAX_MAJOR,
  formatAmount,
  CURRENCIES,
  parseCurrency,
  currencyExponent,
  parseAmount,
  toMajor,
  toUnits,
  expandExponent,
} from '../../src/core/money.js';
import { cells } from '../support/tables.js';

const JPY = 0;
const AUD = 2;
const BHD = 3;

/** What the runtime calls a currency although ISO 4217 has withdrawn it, by the date of the withdrawal. */
const WITHDRAWN = cells`SLL 2024-03-31|HRK 2023-01-01|ZWL 2024-08-31`;
/** Chargeable, but unknown to some runtimes: funds, what is newer than a runtime, and what newer ones no longer list. */
const NOT_EVERYWHERE = cells`BOV|CHE|CHW|CLF|COU|MXV|USN|UYI|UYW|VED|XCG|XAD|ZWG|SLE|ANG|BGN|CUC`;

describe('the list of currencies', () => {
  const known = Intl.supportedValuesOf('currency');
  const withdrawn = new Set(WITHDRAWN.map((row) => row.slice(0, 3)));

  test('has every currency of the runtime that ISO 4217 has not withdrawn', () => {
    const metals = /^X(?:A[GU]|B[A-D]|P[DT]|DR|SU|TS|UA|XX)$/;
    const missing = known.filter((code) => !metals.test(code) && currencyExponent(code) === undefined);
    expect(missing.filter((code) => !withdrawn.has(code))).toEqual([]);
  });

  test('has no other, except by name', () => {
    const others = CURRENCIES.map(({ code }) => code).filter((code) => !known.includes(code));
    expect(others.filter((code) => !NOT_EVERYWHERE.includes(code))).toEqual([]);
  });

  test('has each code and each number once, in the order of the codes', () => {
    const codes = CURRENCIES.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].toSorted());
    // XCG has the number of ANG, which it replaced.
    expect(new Set(CURRENCIES.map(({ number }) => number)).size).toBe(codes.length - 1);
  });
});

describe('currencyExponent', () => {
  test.each([
    ['XCG', 2],
    ['AUD', 2],
    ['JPY', 0],
    ['BHD', 3],
    ['CLF', 4],
  ])('%s has %i decimals', (code, exponent) => {
    expect(currencyExponent(code)).toBe(exponent);
  });

  test.each(['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'])(
    'nobody can be charged in %s, which has no minor unit',
    (code) => {
      expect(currencyExponent(code)).toBeUndefined();
    },
  );

  test.each(cells`
    |aud|Aud|AU|AUDD| AUD|AUD |036|ZZZ|BTC|__proto__|constructor|АUD
  `)('%j is not a currency', (code) => {
    expect(currencyExponent(code)).toBeUndefined();
  });

  test('every other currency of ISO 4217 has the decimals of the published list', () => {
    const known = data.filter(({ code }) => currencyExponent(code) !== undefined);
    expect(known).toHaveLength(data.length - 13);
    for (const { code, digits } of known) expect(currencyExponent(code)).toBe(digits);
  });

  test('no currency without decimals is charged but those that have whole units only', () => {
    const whole = data.map(({ code }) => code).filter((code) => currencyExponent(code) === 0);
    expect(whole.sort()).toEqual(
      'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
    );
  });
});

describe('currencyCode', () => {
  test.each(['AUD', 'aud', 'Aud', 'aUD'])('%s is AUD', (text) => {
    expect(parseCurrency(text)).toBe('AUD');
  });

  test.each(cells`|AU|AUDD| AUD|xau|ZZZ|__proto__|constructor|АUD|ıdr|ınr`)(
    '%j is not a currency',
    (text) => {
      expect(parseCurrency(text)).toBeUndefined();
    },
  );
});

describe('parseAmount', () => {
  test.each([
    ['12', AUD, 1200],
    ['12.5', AUD, 1250],
    ['12.50', AUD, 1250],
    ['0.01', AUD, 1],
    ['0.10', AUD, 10],
    ['0.1', AUD, 10],
    ['1', AUD, 100],
    ['1.00', AUD, 100],
    ['10.05', AUD, 1005],
    ['10.500', AUD, 1050],
    ['10.5000000000000000000000', AUD, 1050],
    ['19.99', AUD, 1999],
    ['1.15', AUD, 115],
    ['4.35', AUD, 435],
    ['999999999.99', AUD, 99_999_999_999],
    ['999999999.990', AUD, 99_999_999_999],
    ['20', JPY, 20],
    ['20.0', JPY, 20],
    ['20.00', JPY, 20],
    ['1', JPY, 1],
    ['999999999', JPY, 999_999_999],
    ['999999999.00', JPY, 999_999_999],
    ['1', BHD, 1000],
    ['1.5', BHD, 1500],
    ['1.234', BHD, 1234],
    ['0.001', BHD, 1],
    ['0.0010', BHD, 1],
    ['999999999.99', BHD, 999_999_999_990],
    ['999999999.990', BHD, 999_999_999_990],
    ['0.0001', 4, 1],
    ['1.2345', 4, 12_345],
    ['7.5', 1, 75],
  ])('%j with %i decimals is %i minor units', (text, exponent, amountMinor) => {
    expect(parseAmount(text, exponent)).toBe(amountMinor);
  });

  test.each(cells`
    | | 12|12 |1 2|12\n|\u{a0}12|1e2|1E2|1e-2|12e|+12|.5|5.|.|-|-.5|-5.|--5|-+5|- 5|-1e2|5-|1.2.3|1..2|1,000|
    1,5|1_000|007|00|00.5|-01|01.00|0x10|0b1|\$12|12AUD|ten|NaN|Infinity|-Infinity|null|12.5a|12.a|١٢|１２|12.５|
    12\0
  `)('%j is malformed', (text) => {
    expect(parseAmount(text, AUD)).toBe('malformed');
  });

  test.each([
    ['10.001', AUD],
    ['10.000000000000000001', AUD],
    ['10.005', AUD],
    ['0.001', AUD],
    ['0.009', AUD],
    ['1.999', AUD],
    ['20.5', JPY],
    ['20.05', JPY],
    ['0.1', JPY],
    ['1.2345', BHD],
    ['1.0001', BHD],
    ['1.00001', 4],
    ['999999999.995', AUD],
    ['1000000000.001', AUD],
  ])('%j has more than %i decimals', (text, exponent) => {
    expect(parseAmount(text, exponent)).toBe('decimals');
  });

  test.each([
    ['1000000000', AUD],
    ['1000000000.00', AUD],
    ['999999999999', AUD],
    ['1000000000', JPY],
    ['1000000000', BHD],
    ['999999999.991', BHD],
    ['999999999.999', BHD],
    ['999999999.9901', 4],
    ['9007199254740993', JPY],
    ['9'.repeat(64), AUD],
    ['1' + '0'.repeat(63), BHD],
  ])('%j with %i decimals is above the maximum', (text, exponent) => {
    expect(parseAmount(text, exponent)).toBe('too-large');
  });

  test.each([
    ['0', AUD],
    ['0.0', AUD],
    ['0.00', AUD],
    ['0.000000', AUD],
    ['0', JPY],
    ['0.00', JPY],
    ['0.000', BHD],
    ['-0', AUD],
    ['-0.00', AUD],
    ['-1', AUD],
    ['-12.50', AUD],
    ['-12.505', AUD],
    ['-1000000000', AUD],
    ['-20', JPY],
  ])('%j with %i decimals is not positive', (text, exponent) => {
    expect(parseAmount(text, exponent)).toBe('not-positive');
  });

  test('64 characters are read and 65 are not', () => {
    expect(parseAmount('1.' + '0'.repeat(62), AUD)).toBe(100);
    expect(parseAmount('1.' + '0'.repeat(63), AUD)).toBe('malformed');
    expect(parseAmount('9'.repeat(1_000_000), AUD)).toBe('malformed');
  });

  test('the maximum in minor units is the largest amount that is read, for each number of decimals', () => {
    const largest = [999_999_999, 9_999_999_999, 99_999_999_999, 999_999_999_990, 9_999_999_999_900];
    for (const [exponent, amountMinor] of largest.entries()) {
      expect(parseAmount(String(toMajor(amountMinor, exponent)), exponent)).toBe(amountMinor);
      expect(parseAmount(String(toMajor(amountMinor + 1, exponent)), exponent)).toBe('too-large');
      expect(toMajor(amountMinor, exponent)).toBeLessThanOrEqual(AMOUNT_MAX_MAJOR);
    }
  });

  test('no text makes it throw, and whatever it reads is a whole number in range', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.-+e, ') }));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 4 }), (given, exponent) => {
        const amount = parseAmount(given, exponent);
        if (typeof amount === 'string')
          return ['malformed', 'decimals', 'too-large', 'not-positive'].includes(amount);
        return Number.isSafeInteger(amount) && amount > 0 && /^\d+(\.\d+)?$/.test(given);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('toMajor', () => {
  test.each([
    [500, AUD, '5'],
    [1550, AUD, '15.5'],
    [1, AUD, '0.01'],
    [1999, AUD, '19.99'],
    [99_999_999_999, AUD, '999999999.99'],
    [0, AUD, '0'],
    [20, JPY, '20'],
    [1234, BHD, '1.234'],
    [1, 4, '0.0001'],
  ])('JSON writes %i with %i decimals as %s', (amountMinor, exponent, json) => {
    expect(JSON.stringify(toMajor(amountMinor, exponent))).toBe(json);
  });

  test('JSON writes every amount as a decimal text that is read as the same amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999 }),
        fc.integer({ min: 0, max: 4 }),
        (minor, exponent) => {
          expect(parseAmount(JSON.stringify(toMajor(minor, exponent)), exponent)).toBe(minor);
        },
      ),
    );
  });
});

describe('amounts of several currencies', () => {
  test.each([
    [12, 'JPY', 120_000],
    [1250, 'AUD', 125_000],
    [1250, 'BHD', 12_500],
    [1250, 'CLF', 1250],
    [1250, 'no currency', 125_000],
  ])('%d of %s are %d units of a ten-thousandth', (amountMinor, currency, units) => {
    expect(toUnits(amountMinor, currency)).toBe(units);
  });
});

describe('amountText', () => {
  test.each([
    [1200, 'AUD', '12'],
    [1250, 'AUD', '12.5'],
    [1205, 'AUD', '12.05'],
    [5, 'AUD', '0.05'],
    [0, 'AUD', '0'],
    [-1250, 'AUD', '-12.5'],
    [20, 'JPY', '20'],
    [1, 'CLF', '0.0001'],
    [999_999_999_990, 'BHD', '999999999.99'],
  ])('%i of %s is written %s', (amountMinor, currency, text) => {
    expect(formatAmount(amountMinor, currency)).toBe(text);
  });
});

describe('withoutExponent', () => {
  test.each([
    ['1E+2', '100'],
    ['1E+1', '10'],
    ['1.5E+2', '150'],
    ['1.25E+1', '12.5'],
    ['1.50e2', '150'],
    ['0.05E+2', '5'],
    ['1E-2', '0.01'],
    ['125E-2', '1.25'],
    ['1.5E-1', '0.15'],
    ['1E+0', '1'],
    ['1.50E0', '1.50'],
    ['0E+2', '0'],
    ['-1E+2', '-100'],
    ['1E 2', '100'],
    ['1E+09', '1000000000'],
  ])('%s is %s', (text, plain) => {
    expect(expandExponent(text)).toBe(plain);
  });

  test.each([
    '100',
    '15.50',
    '',
    'E',
    'E2',
    '1E',
    '1E+',
    '.5E2',
    '1.E2',
    '01E2',
    '1E+100',
    '1E+2147483647',
    '1E1.5',
  ])('leaves %j as it is', (text) => {
    expect(expandExponent(text)).toBe(text);
  });

  test('means the same number with the longest exponents, and reads no text that is too long', () => {
    expect(expandExponent('1E+99')).toBe(`1${'0'.repeat(99)}`);
    expect(expandExponent('1E-99')).toBe(`0.${'0'.repeat(98)}1`);
    const long = `1.${'0'.repeat(64)}E+2`;
    expect(expandExponent(long)).toBe(long);
  });
});
