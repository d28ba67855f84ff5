import { describe, expect, test } from 'vitest';

import { maskPans } from '../../../src/core/cards/card.js';
import { parseWholeDigits } from '../../../src/core/cards/spelling.js';

const PAN = '4539578763621486';
const MASKED = '4539********1486';

const grouped = (gap: string): string => PRINTED_GROUPS.join(gap);
const PRINTED_GROUPS = ['4539', '5787', '6362', '1486'];
const inScript = (zero: number): string =>
  PAN.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

describe('a card number in a text', () => {
  test.each(
    [
      '\u00a0',
      '\u2009',
      '\u202f',
      '\u2007',
      '\u3000',
      '\t',
      '  ',
      '\n',
      '\r\n',
      '.',
      '_',
      '/',
      '·',
      '\u2013',
      '\u2014',
      '\u2011',
      '\u2212',
      '\uff0d',
      ' - ',
      ', ',
      '\u200b',
      '\u00ad',
      '\ufeff',
      String.raw`\u00a0`,
      String.raw`\u200b`,
    ].map((gap) => [JSON.stringify(gap), gap]),
  )('is found with %s between its groups', (_, gap) => {
    expect(maskPans(`card ${grouped(gap)}, please`)).toBe(`card ${MASKED}, please`);
    expect(maskPans(`3782${gap}822463${gap}10005`)).toBe('3782*******0005');
  });

  test.each([
    ['full-width digits', inScript(0xff10)],
    ['Arabic digits', inScript(0x660)],
    ['Devanagari digits', inScript(0x966)],
    ['mathematical digits', inScript(0x1d7ce)],
    ['escapes', PAN.replaceAll('4', String.raw`\u0034`)],
    ['blanks between all digits', [...PAN].join('\u00a0')],
    ['points between all digits', [...PAN].join('.')],
    ['the groups of an amount', '4,539,578,763,621,486'],
    ['the groups of a German amount', '4.539.578.763.621.486'],
  ])('is found in %s', (_, text) => {
    expect(maskPans(`n ${text} n`)).toBe(`n ${MASKED} n`);
  });

  test.each([
    '4.539578763621486e15',
    '4.539578763621486E+15',
    '4539578763621486.0',
    '4539578763621486.00',
    '45395787636214.86e2',
    '0.4539578763621486e16',
    '45395787636214860e-1',
    '4539578763621486e0',
  ])('is found in the number %s', (number) => {
    expect(maskPans(`Pan ${number}.`)).toBe(`Pan ${MASKED}.`);
  });

  test('is not what a number with a fraction has, before or after its point', () => {
    for (const number of [
      '62.400000000000006',
      '-62.400000000000006',
      '4539578763621486.5',
      '6.2400000000000006e1',
    ])
      expect(maskPans(`The sum is ${number}.`)).toBe(`The sum is ${number}.`);
  });

  test.each([
    '192.168.101.115',
    '12345678-4539-5787-6362-1486aaaaaaaa',
    '45395787.63621486.1',
    '"4539","5787","6362","1486"',
    '4539a5787a6362a1486',
    '10.0.0.1, 192.168.100.207',
    '2026-01-01T00:00:00.000Z',
  ])('is not seen in %s', (text) => {
    expect(maskPans(text)).toBe(text);
  });

  test.each(['1.', '1234.', '4\u0660', '\u0660', String.raw`\u0034`, '1.1e', '1_234'])(
    'is looked for in linear time in a long text of %j',
    (piece) => {
      // By the square this takes longer than any test may.
      expect(maskPans(piece.repeat(200_000 / piece.length)).length).toBeGreaterThan(0);
    },
  );
});

test('every decimal digit of Unicode has its value', () => {
  const zeros = Array.from({ length: 0x20_000 }, (_, code) => code).filter((code) =>
    /\p{Nd}/u.test(String.fromCodePoint(code)),
  );
  expect(zeros.length).toBeGreaterThan(600);
  for (let at = 0; at < zeros.length; at += 10) {
    expect(maskPans(inScript(zeros[at] ?? 0)), String(zeros[at])).toBe(MASKED);
  }
});

test.each([
  ['45', '45'],
  ['45.0', '45'],
  ['4.5e1', '45'],
  ['450e-1', '45'],
  ['-45', '45'],
  ['0', ''],
  ['4e3', '4000'],
  ['4.5', undefined],
  ['45e-1', undefined],
  ['1e-400', undefined],
])('the number %s has the digits %s', (number, digits) => {
  expect(parseWholeDigits(number)).toBe(digits);
});

test('a number with a huge exponent does not fill the memory', () => {
  expect(parseWholeDigits('1e999999999')?.length).toBeLessThan(100);
});
