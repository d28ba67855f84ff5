import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cardFunding,
  iinOf,
  acceptsCcv,
  maskPan,
  maskPans,
  normalisePan,
  parsePan,
  passesLuhn,
  shortenId,
  shortenText,
} from '../../../src/core/cards/card.js';
import { MAGIC_CARDS } from '../../../src/outcomes/magic.js';
import { findCardScheme } from '../../../src/core/cards/card-scheme.js';
import { byName, cells } from '../../support/tables.js';

/** The published test cards, by scheme and funding. */
const TEST_CARDS = MAGIC_CARDS.map(({ number, scheme: name }) => {
  const [scheme = '', funding] = name.toUpperCase().split(' ');
  return [number, scheme, funding ?? 'CREDIT'] as const;
});

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

describe('the published test cards', () => {
  test.each(TEST_CARDS)('%s passes the Luhn check and is a %s %s card', (number, scheme, funding) => {
    expect(passesLuhn(number)).toBe(true);
    expect(parsePan(number)).toEqual({ pan: number });
    expect(findCardScheme(number)).toBe(scheme);
    expect(cardFunding(iinOf(number))).toBe(funding);
  });
});

describe('normalisePan', () => {
  test.each([
    ['4242424242424242', '4242424242424242'],
    ['4242 4242 4242 4242', '4242424242424242'],
    ['4242-4242-4242-4242', '4242424242424242'],
    ['4242 4242-4242 4242', '4242424242424242'],
    ['3782 822463 10005', '378282246310005'],
    ['4-2-4-2', '4242'],
    ['4242', '4242'],
    ['', ''],
  ])('%j has the digits %j', (text, pan) => {
    expect(normalisePan(text)).toBe(pan);
  });

  test.each([
    ' 4242424242424242',
    '4242424242424242 ',
    '-4242424242424242',
    '4242424242424242-',
    '4242  4242 4242 4242',
    '4242--4242-4242-4242',
    '4242 -4242',
    '4242- 4242',
    ' ',
    '-',
    '4242.4242.4242.4242',
    '4242_4242',
    '4242\t4242',
    '4242\n4242',
    '4242\u00a04242',
    '4242–4242',
    '+4242424242424242',
    '４２４２424242424242',
    '٤٢٤٢424242424242',
    '42424242424242x2',
    '4111********1111',
    'card',
    '0x4242424242424242',
    '4.242424242424242e15',
  ])('%j is not a card number at all', (text) => {
    expect(normalisePan(text)).toBeUndefined();
    expect(parsePan(text).fault).toBe('number');
  });

  test('a text without separators is unchanged', () => {
    fc.assert(fc.property(digits(0, 30), (text) => normalisePan(text) === text));
  });
});

describe('parsePan', () => {
  test.each(cells`
    4242424242424241|4242424242424243|2424242424242424|4111111111111112|378282246310006|1234567890123456|
    4242 4242 4242 4241|123456789012
  `)('%j fails the Luhn check', (text) => {
    expect(parsePan(text)).toEqual({ fault: 'number' });
  });

  test.each(cells`
    |0|42|42424242424|00000000000|42424242424242424242|4242 4242 4242 4242 4242
  `)('%j is not 12 to 19 digits long', (text) => {
    expect(parsePan(text)).toEqual({ fault: 'length' });
  });

  test('a number that is cut short is too short, whatever its check digit', () => {
    expect(parsePan('4242424242').fault).toBe('length');
    expect(parsePan('4242424241').fault).toBe('length');
  });

  test.each([12, 13, 14, 15, 16, 17, 18, 19])('%i digits with the right check digit are good', (length) => {
    const body = '6'.padEnd(length - 1, '7');
    const good = [...'0123456789'].filter((check) => parsePan(body + check).pan === body + check);
    expect(good).toHaveLength(1);
  });

  test('the digits of a good number are returned without separators', () => {
    expect(parsePan('4242 4242-4242 4242')).toEqual({ pan: '4242424242424242' });
  });

  test('a million characters are refused like a few', () => {
    expect(parsePan('4'.repeat(1_000_000)).fault).toBe('length');
    expect(parsePan('4 '.repeat(500_000) + '2').fault).toBe('length');
    expect(parsePan('4'.repeat(999_999) + 'x').fault).toBe('number');
  });
});

describe('passesLuhn', () => {
  test.each(['79927398713', '0', '18', '59', '91', '0000000000000000', '5105105105105100', '30569309025904'])(
    '%s passes',
    (number) => {
      expect(passesLuhn(number)).toBe(true);
    },
  );

  test.each(['79927398710', '79927398719', '1', '19', '', '424242424242424x', '4242 4242 4242 4242', '-18'])(
    '%j does not pass',
    (number) => {
      expect(passesLuhn(number)).toBe(false);
    },
  );

  test('changing any one digit breaks a good number', () => {
    const at = fc.integer({ min: 0, max: 15 });
    fc.assert(
      fc.property(
        fc.constantFrom(...TEST_CARDS),
        at,
        fc.integer({ min: 1, max: 9 }),
        ([number], place, shift) => {
          const index = place % number.length;
          const changed = String((Number(number[index]) + shift) % 10);
          expect(passesLuhn(number.slice(0, index) + changed + number.slice(index + 1))).toBe(false);
        },
      ),
    );
  });
});

describe('cardScheme', () => {
  test.each(
    byName({
      UNKNOWN: cells`
        |2220999999999999|2721000000000000|350000000000000|30600000000000|3590000000000000|
        2205000000000000|0000000000000000|1000000000000000|7000000000000000|9999999999999999|4242424|
        4242x24242424242
      `,
      AMEX: cells`340000000000000|370000000000000`,
      UNIONPAY: cells`6210000000000000`,
    }),
  )('%s is the scheme of %j', (scheme, pan) => {
    expect(findCardScheme(pan)).toBe(scheme);
  });

  test('it answers as the package does for numbers of any kind', () => {
    fc.assert(
      fc.property(digits(12, 19), (pan) => findCardScheme(pan) === packageScheme(pan)),
      { numRuns: 3_000 },
    );
  });

  test('it answers as the package does at both edges of every pattern', () => {
    for (const prefix of edgePrefixes()) {
      const pan = prefix.padEnd(16, '0');
      expect([pan, findCardScheme(pan)]).toEqual([pan, packageScheme(pan)]);
      const high = prefix.padEnd(16, '9');
      expect([high, findCardScheme(high)]).toEqual([high, packageScheme(high)]);
    }
  });
});

/** The lowest and highest prefix of every pattern, and their neighbours. */
function edgePrefixes(): Set<string> {
  const prefixes = new Set<string>();
  for (const pattern of creditCardType('').flatMap(({ patterns }) => patterns)) {
    for (const edge of [pattern].flat()) {
      for (const near of [edge - 1, edge, edge + 1]) prefixes.add(String(near));
    }
  }
  return prefixes;
}

function packageScheme(pan: string): string {
  const [found] = creditCardType(pan);
  if (found === undefined) return 'UNKNOWN';
  if (found.type === 'american-express') return 'AMEX';
  if (found.type === 'diners-club') return 'DINERS';
  return found.type.toUpperCase().replaceAll('-', '_');
}

describe('cardFunding', () => {
  test.each([
    ['400005', 'DEBIT'],
    ['520082', 'DEBIT'],
    ['424242', 'CREDIT'],
    ['400000', 'CREDIT'],
    ['520083', 'CREDIT'],
    ['40000', 'CREDIT'],
    ['4000056655665556', 'CREDIT'],
    ['', 'CREDIT'],
  ])('the iin %j is funded by %s', (iin, funding) => {
    expect(cardFunding(iin)).toBe(funding);
  });
});

describe('maskPan', () => {
  test.each([
    ['4111111111111111', '4111********1111'],
    ['4242424242424242', '4242********4242'],
    ['378282246310005', '3782*******0005'],
    ['30569309025904', '3056******5904'],
    ['500000000009', '5000****0009'],
    ['4000000000006', '4000*****0006'],
    ['6304000000000000000', '6304***********0000'],
    ['12345678', '********'],
    ['1234', '****'],
    ['', ''],
  ])('%j is shown as %j', (pan, masked) => {
    expect(maskPan(pan)).toBe(masked);
  });

  test('it keeps the length and shows eight digits at most', () => {
    fc.assert(
      fc.property(digits(0, 24), (pan) => {
        const masked = maskPan(pan);
        expect(masked).toHaveLength(pan.length);
        expect(masked.replaceAll('*', '').length).toBeLessThanOrEqual(8);
      }),
    );
  });
});

describe('iinOf', () => {
  test('it is the first six digits', () => {
    expect(iinOf('4242424242424242')).toBe('424242');
    expect(iinOf('378282246310005')).toBe('378282');
  });
});

describe('isCcvOf', () => {
  test.each(
    byName({ VISA: cells`123`, MASTERCARD: cells`000`, UNKNOWN: cells`999`, AMEX: cells`1234|0000` }),
  )('%s has the ccv %j', (scheme, ccv) => {
    expect(acceptsCcv(scheme, ccv)).toBe(true);
  });

  test.each(
    byName({
      VISA: cells`|12|1234|12a| 12|1 3|-12|1.3|１２３|٣٣٣|123\n`,
      DINERS: cells`1234`,
      AMEX: cells`|123|12345|12x4`,
    }),
  )('%s has no ccv %j', (scheme, ccv) => {
    expect(acceptsCcv(scheme, ccv)).toBe(false);
  });
});

describe('maskPans', () => {
  test.each([
    ['4111111111111111', '4111********1111'],
    ['pay 4111 1111 1111 1111 now', 'pay 4111********1111 now'],
    ['pan-4242-4242-4242-4242', 'pan-4242********4242'],
    ['/vault/378282246310005?x', '/vault/3782*******0005?x'],
    ['Card4111111111111111paid', 'Card4111********1111paid'],
    ['x4111111111111111y5555555555554444', 'x4111********1111y5555********4444'],
    ['pan_4111111111111111_2', 'pan_4111********1111_2'],
    ['abc-4111111111111111', 'abc-4111********1111'],
    ['4111111111111111-abc', '4111********1111-abc'],
    ['0000000a-4111-1111-1111-1111', '0000000a-4111********1111'],
    ['Card4111 1111 1111 1111paid', 'Card4111********1111paid'],
    ['a4111111111111111', 'a4111********1111'],
    ['4111111111111111A', '4111********1111A'],
    [
      '4111111111111111-0000000a-0000-0000-0000-000000000000 4111111111111111',
      '4111********1111-0000000a-0000-0000-0000-000000000000 4111********1111',
    ],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskPans(text)).toBe(shown);
  });

  test.each([
    ['4111111111111111 12/30', '4111********1111 12/30'],
    ['4111111111111111 12/30 123', '4111********1111 12/30 123'],
    ['4111-1111-1111-1111 123', '4111********1111 123'],
    ['378282246310005 1234', '3782*******0005 1234'],
    ['12 4111 1111 1111 1111', '12 4111********1111'],
    ['no 1234 4111111111111111', 'no 1234 4111********1111'],
    ['4111111111111111 4242-4242-4242-4242', '4111********1111 4242********4242'],
    ['378282246310005-11 30', '3782*******0005-11 30'],
    ['12 3782 822463 10005 30', '12 3782*******0005 30'],
    ['30569309025904 123', '3056******5904 123'],
    ['1 22-4111 1111 1111 1111-22 1', '1 22-4111********1111-22 1'],
  ])('a card number beside other numbers is masked: %s', (text, shown) => {
    expect(maskPans(text)).toBe(shown);
  });

  test.each([
    // The check digit is wrong.
    '4111111111111112',
    'x4111111111111112y',
    // Twelve of the digits have a right one, which is chance among so many.
    '1234 5678 9012 3456 1234',
    // Too few digits, and too many.
    'x42424242424y',
    'x41111111111111114242y',
    '41111111111111111111',
    // Identifiers and UUIDs, of digits alone or not.
    '00000000000000000000000000000001',
    '00000000-0000-0000-0000-000000000000',
    '0000000a-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-00000000000a',
    '12345678-4111-1111-1111-111112345678',
    'pm-00000000-0000-0000-0000-000000000000-2',
    'a4111111111111111bcdefabcdefabcd',
    '2026-01-01T00:00:00.000Z',
    'no digits at all in this one',
  ])('%s is shown as it is', (text) => {
    expect(maskPans(text)).toBe(text);
  });

  test.each(['1234 ', '1 ', '1', '0000-', 'a4111111111111111'])(
    'a long text of %j is looked at in linear time',
    (piece) => {
      const text = piece.repeat(500_000 / piece.length);
      // By the square this takes longer than any test may.
      expect(maskPans(text).length).toBeGreaterThan(0);
    },
  );
});

describe('what a caller sent, in a message', () => {
  test('is cut, an identifier after forty characters', () => {
    expect(shortenId('x'.repeat(40))).toBe('x'.repeat(40));
    expect(shortenId('x'.repeat(41))).toBe('x'.repeat(40));
    expect(shortenText('abcdef', 3)).toBe('abc');
  });

  test('has its card numbers masked before it is cut, so that no cut number is left', () => {
    expect(shortenText('pay 4111111111111111', 10)).toBe('pay 4111**');
    expect(shortenText('4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1 and more', 1)).toBe('4');
    expect(shortenText(`${'x '.repeat(19)}4111 1111 1111 1111`, 40)).toBe(`${'x '.repeat(19)}41`);
    expect(shortenId('id 4111 1111 1111 1111')).toBe('id 4111********1111');
  });

  test('is only read as far as it is shown, however long it is', () => {
    expect(shortenText('4111 '.repeat(20_000_000), 5)).toHaveLength(5);
  });
});
