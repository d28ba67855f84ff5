import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearest } from '../../../src/core/text/nearest.js';
import { words } from '../../support/tables.js';

const MEMBERS = words`
  Amount Currency ProviderId PaymentInformation PaymentMethodId Reference Capture
`;

describe('nearest', () => {
  test.each([
    ['Amout', 'Amount'],
    ['amount', 'Amount'],
    ['AMOUNT', 'Amount'],
    ['Amuont', 'Amount'],
    ['Amountt', 'Amount'],
    ['Curency', 'Currency'],
    ['Currancy', 'Currency'],
    ['provider_id', 'ProviderId'],
    ['ProvderId', 'ProviderId'],
    ['payment_information', 'PaymentInformation'],
    ['PaymentMethod', 'PaymentMethodId'],
    ['Referense', 'Reference'],
    ['captrue', 'Capture'],
  ])('%s is taken for %s', (word, candidate) => {
    expect(findNearest(word, MEMBERS)[0]).toBe(candidate);
  });

  test.each(['Zzzzzz', 'x', 'Webhook', 'Am', '123456', '', '💳💳💳💳'])(
    '%j resembles nothing that is known',
    (word) => {
      expect(findNearest(word, MEMBERS)).toEqual([]);
    },
  );

  test('a swap of two neighbours is one edit', () => {
    expect(findNearest('abdce', ['abxxe', 'abcde'])).toEqual(['abcde', 'abxxe']);
  });

  test('the nearest comes first, and the equally near stay in their order', () => {
    expect(findNearest('cart', ['dart', 'card', 'cart', 'curd', 'part'], 5)).toEqual(words`
      cart dart card part
    `);
  });

  test('three are named unless another number is asked for', () => {
    const many = ['aaa1', 'aaa2', 'aaa3', 'aaa4'];
    expect(findNearest('aaa', many)).toEqual(['aaa1', 'aaa2', 'aaa3']);
    expect(findNearest('aaa', many, 1)).toEqual(['aaa1']);
    expect(findNearest('aaa', many, 9)).toEqual(many);
    expect(findNearest('aaa', many, 0)).toEqual([]);
  });

  test('a word of up to four characters may differ by one edit', () => {
    expect(findNearest('rate', ['state', 'rates'])).toEqual(['rates']);
    expect(findNearest('abcd', ['abxy'])).toEqual([]);
  });

  test('a longer word may differ by two edits, or by a third of its length', () => {
    expect(findNearest('abcde', ['abcxy'])).toEqual(['abcxy']);
    expect(findNearest('abcde', ['abxyz'])).toEqual([]);
    expect(findNearest('abcdefghi', ['abcdefxyz'])).toEqual(['abcdefxyz']);
    expect(findNearest('abcdefghi', ['abcdewxyz'])).toEqual([]);
  });

  test('any iterable gives candidates', () => {
    expect(findNearest('amout', new Set(MEMBERS))).toEqual(['Amount']);
    expect(findNearest('amout', new Map([['Amount', 1]]).keys())).toEqual(['Amount']);
    expect(findNearest('amout', [])).toEqual([]);
  });

  test('only the first 64 characters are compared', () => {
    const start = 'a'.repeat(64);
    expect(findNearest(start + 'b'.repeat(100_000), [start + 'c'])).toEqual([start + 'c']);
  });

  test('it agrees with the distance as it is defined', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const limit = a.length <= 4 ? 1 : Math.max(2, Math.floor(a.length / 3));
        expect(findNearest(a, [b])).toEqual(definedDistance(a, b) <= limit ? [b] : []);
      }),
      { numRuns: 500 },
    );
  });
});

/** The textbook recursion, too slow for anything but short words. */
function definedDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const same = a[0] === b[0];
  if (same) return definedDistance(restA, restB);
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return (
    1 +
    Math.min(
      definedDistance(restA, b),
      definedDistance(a, restB),
      definedDistance(restA, restB),
      swapped ? definedDistance(a.slice(2), b.slice(2)) : Infinity,
    )
  );
}
