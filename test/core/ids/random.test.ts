import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { deriveWords, drawAt, hashText, Identifiers, shortHash } from '../../../src/core/ids/random.js';

const BASE = hashText('1\u0000sk_test_a');
const charges = new Identifiers(BASE, 'charge');
const number = fc.oneof(fc.nat(1000), fc.integer({ min: 0, max: 0xffff_ffff }));

describe('identifiers', () => {
  test('are 32 lower-case hex digits', () => {
    fc.assert(fc.property(number, (n) => /^[0-9a-f]{32}$/.test(charges.at(n))));
  });

  test.each([
    [0, '68274d52d9285a136095b119ad2829bc'],
    [0x8000_0000, 'bcaff31693a38c969653f3158d82a7bb'],
    [0xffff_ffff, 'd1e8c61350cf98ce34d22d1d4875d2ca'],
  ])('of the number %d are always the same', (n, id) => {
    expect(charges.at(n)).toBe(id);
  });

  test('of another kind, key or seed are others', () => {
    const others = [
      new Identifiers(BASE, 'customer'),
      new Identifiers(hashText('1\u0000sk_test_b'), 'charge'),
      new Identifiers(hashText('2\u0000sk_test_a'), 'charge'),
    ];
    fc.assert(fc.property(number, (n) => others.every((other) => other.at(n) !== charges.at(n))));
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
  test('has the same values as in earlier versions', () => {
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
