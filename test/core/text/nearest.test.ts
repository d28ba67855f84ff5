import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../../src/core/text/nearest.js';
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
    expect(nearest(word, MEMBERS)[0]).toBe(candidate);
  });

  test.each(['Zzzzzz', 'x', 'Webhook', 'Am', '123456', '', '💳💳💳💳'])(
    '%j resembles nothing that is known',
    (word) => {
      expect(nearest(word, MEMBERS)).toEqual([]);
    },
  );

  test('a swap of two neighbours is one edit', () => {
    expect(nearest('abdce', ['abxxe', 'abcde'])).toEqual(['abcde', 'abxxe']);
  });

  test('the nearest comes first, and the equally near stay in their order', () => {
    expect(nearest('cart', ['dart', 'card', 'cart', 'curd', 'part'], 5)).toEqual(words`
      cart dart card part
    `);
  });

  test('three are named unless another number is asked for', () => {
    const many = ['aaa1', 'aaa2', 'aaa3', 'aaa4'];
    expect(nearest('aaa', many)).toEqual(['aaa1', 'aaa2', 'aaa3']);
    expect(nearest('aaa', many, 1)).toEqual(['aaa1']);
    expect(nearest('aaa', many, 9)).toEqual(many);
    expect(nearest('aaa', many, 0)).toEqual([]);
  });

  test('a word of up to four characters may differ by one edit', () => {
    expect(nearest('rate', ['state', 'rates'])).toEqual(['rates']);
    expect(nearest('abcd', ['abxy'])).toEqual([]);
  });

  test('a longer word may differ by two edits, or by a third of its length', () => {
    expect(nearest('abcde', ['abcxy'])).toEqual(['abcxy']);
    expect(nearest('abcde', ['abxyz'])).toEqual([]);
    expect(nearest('abcdefghi', ['abcdefxyz'])).toEqual(['abcdefxyz']);
    expect(nearest('abcdefghi', ['abcdewxyz'])).toEqual([]);
  });

  test('any iterable gives candidates', () => {
    expect(nearest('amout', new Set(MEMBERS))).toEqual(['Amount']);
    expect(nearest('amout', new Map([['Amount', 1]]).keys())).toEqual(['Amount']);
    expect(nearest('amout', [])).toEqual([]);
  });

  test('only the first 64 characters are compared', () => {
    const start = 'a'.repeat(64);
    expect(nearest(start + 'b'.repeat(100_000), [start + 'c'])).toEqual([start + 'c']);
  });

  test('it agrees with the distance as it is defined', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const limit = a.length <= 4 ? 1 : Math.max(2, Math.floor(a.length / 3));
        expect(nearest(a, [b])).toEqual(definedDistance(a, b) <= limit ? [b] : []);
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
