import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { deriveWords, drawAt, hashText, Identifiers, shortHash } from '../../src/core/random.js';

const BASE = hashText('1\u0000sk_test_a');
const charges = new Identifiers(BASE, 'charge');
const number = fc.oneof(fc.nat(1000), fc.integer({ min: 0, max: 0xffff_ffff }));

describe('identifiers', () => {
  test('are 32 lower-case hex digits', () => {
    fc.assert(fc.property(number, (n) => /^[0-9a-f]{32}$/.test(charges.at(n))));
  });

  test('lead back to their number', () => {
    fc.assert(fc.property(number, (n) => charges.indexOf(charges.at(n)) === n));
  });

  test.each([0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])('lead back to the number %d at the edges', (n) => {
    expect(charges.indexOf(charges.at(n))).toBe(n);
  });

  test('of another kind, key or seed are foreign', () => {
    const others = [
      new Identifiers(BASE, 'customer'),
      new Identifiers(hashText('1\u0000sk_test_b'), 'charge'),
      new Identifiers(hashText('2\u0000sk_test_a'), 'charge'),
    ];
    fc.assert(fc.property(number, (n) => others.every((other) => charges.indexOf(other.at(n)) === -1)));
  });

  test('with one digit changed are foreign', () => {
    const hex = fc.constantFrom(...'0123456789abcdef');
    fc.assert(
      fc.property(number, fc.nat(31), hex, (n, at, digit) => {
        const id = charges.at(n);
        fc.pre(id[at] !== digit);
        return charges.indexOf(id.slice(0, at) + digit + id.slice(at + 1)) === -1;
      }),
    );
  });

  test('made up by anyone are foreign', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(hex, fc.string(), fc.string({ minLength: 32, maxLength: 32 })), (text) => {
        return charges.indexOf(text) === -1;
      }),
    );
  });

  test('in capitals, hyphenated, cut or lengthened are foreign', () => {
    // Number 3 has letters among its digits.
    const id = charges.at(3);
    const variants = [
      id.toUpperCase(),
      `${id.slice(0, 8)}-${id.slice(8)}`,
      id.slice(1),
      `${id}0`,
      ` ${id}`,
      '',
    ];
    expect(id).toMatch(/[a-f]/);
    expect(variants.map((text) => charges.indexOf(text))).toEqual(variants.map(() => -1));
  });

  test('never meet in a hundred thousand, and say nothing of their order', () => {
    const ids = Array.from({ length: 100_000 }, (_, n) => charges.at(n));
    expect(new Set(ids).size).toBe(ids.length);
    const rising = ids.filter((id, n) => n > 0 && id > (ids[n - 1] ?? '')).length;
    expect(Math.abs(rising / ids.length - 0.5)).toBeLessThan(0.02);
  });
});

describe('draws', () => {
  const stream = deriveWords(BASE, 'draw:provider:slow');
  const draws = Array.from({ length: 20_000 }, (_, n) => drawAt(stream, n));

  test('are in [0, 1)', () => {
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
  });

  test('spread evenly over ten tenths', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const draw of draws) tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1;
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test('of two purposes are unlike', () => {
    const other = deriveWords(BASE, 'draw:provider:flaky');
    const equal = draws.filter((draw, n) => draw === drawAt(other, n));
    expect(equal).toEqual([]);
  });
});

describe('the hash', () => {
  // These never change: a stored identifier must lead back to its record in every later version.
  test('gives what it gave before', () => {
    expect(hashText('')).toMatchInlineSnapshot(`
      [
        1334277293,
        1464518513,
        2125380896,
        1224461405,
      ]
    `);
    expect(hashText('playmoney')).toMatchInlineSnapshot(`
      [
        998442649,
        2755366409,
        538715978,
        254959973,
      ]
    `);
    expect(charges.at(0)).toMatchInlineSnapshot(`"68274d52d9285a136095b119ad2829bc"`);
    expect(drawAt(BASE, 0)).toMatchInlineSnapshot(`0.3513721038172223`);
  });

  test('short hashes have as many hex digits as asked for', () => {
    expect(shortHash('world:sk_test_a')).toMatch(/^[0-9a-f]{12}$/);
    expect(shortHash('world:sk_test_a', 32)).toHaveLength(32);
  });

  test('no two of many texts meet', () => {
    const texts = Array.from({ length: 50_000 }, (_, n) => `sk_test_${n}`);
    expect(new Set(texts.map((text) => shortHash(text))).size).toBe(texts.length);
  });
});
