import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { hashText, Identifiers } from '../../src/core/random.js';
import { type Numbers, OwnerIndex, RemovableTable, Table, TextIndex } from '../../src/core/store.js';

function tableOf(max = 10): Table<string> {
  return new Table<string>(new Identifiers(hashText('store'), 'thing'), max);
}

describe('a table', () => {
  test('numbers its records from 0 and finds them by number and identifier', () => {
    const table = tableOf();
    expect([table.add('a'), table.add('b')]).toEqual([0, 1]);
    expect([table.at(1), table.find(table.idOf(1)), table.size, table.next]).toEqual(['b', 'b', 2, 2]);
  });

  test('finds nothing under a foreign identifier, nor under one that is not given out yet', () => {
    const table = tableOf();
    table.add('a');
    expect([table.find('0'.repeat(32)), table.find(table.idOf(1)), table.at(1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('replaces a record whole', () => {
    const table = tableOf();
    table.add('a');
    table.replace(0, 'A');
    expect([table.at(0), table.size]).toEqual(['A', 1]);
  });

  test('leaves the number of a removed record unused, so that no identifier moves', () => {
    const table = tableOf();
    table.add('a');
    table.add('b');
    const id = table.idOf(2);
    table.remove(0);
    table.remove(0);
    expect([table.at(0), table.size, table.next]).toEqual([undefined, 1, 2]);
    expect(table.add('c')).toBe(2);
    expect(table.find(id)).toBe('c');
  });

  test('has room up to its maximum, counting what was ever in it', () => {
    const table = tableOf(2);
    expect([table.hasRoom(2), table.hasRoom(3)]).toEqual([true, false]);
    table.add('a');
    table.add('b');
    table.remove(0);
    expect(table.hasRoom()).toBe(false);
  });
});

describe('an index of texts', () => {
  test('finds the records of a text in ascending order', () => {
    const index = new TextIndex();
    for (const [n, key] of ['a', 'b', 'a', 'a'].entries()) index.add(key, n);
    expect([index.find('a'), index.find('b'), index.find('c')]).toEqual([[0, 2, 3], [1], []]);
  });

  test.each([8191, 8192, 8193, 8194, 20_000])(
    'finds all of %d texts, also beyond where it is split',
    (count) => {
      const index = new TextIndex();
      for (let n = 0; n < count; n++) index.add(`order-${n}`, n);
      for (let n = 0; n < count; n += 100) index.add(`order-${n}`, count + n);
      for (let n = 0; n < count; n++) {
        const expected = n % 100 === 0 ? [n, count + n] : [n];
        if (listOf(index.find(`order-${n}`)).join() !== expected.join()) expect.fail(`order-${n} is lost`);
      }
      expect(index.find(`order-${count}`)).toEqual([]);
    },
  );

  test('tells texts apart that are names of an object’s own, or differ in accents alone', () => {
    const index = new TextIndex();
    const keys = ['__proto__', 'constructor', 'toString', '', ' ', 'é', 'e\u0301', '\ud800'];
    for (const [n, key] of keys.entries()) index.add(key, n);
    expect(keys.map((key) => index.find(key))).toEqual(keys.map((_, n) => [n]));
  });
});

describe('moving within an index of texts', () => {
  test('agrees with a plain list, whatever is moved', () => {
    const text = fc.option(fc.constantFrom('a', 'b', 'c'));
    const moves = fc.array(fc.record({ n: fc.nat(9), to: text }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 10, maxLength: 10 }), moves, (first, later) => {
        const index = new TextIndex();
        const texts = [...first];
        for (const [n, one] of texts.entries()) if (one !== null) index.add(one, n);
        for (const { n, to } of later) {
          index.move(texts[n] ?? null, to, n);
          texts[n] = to;
        }
        for (const one of ['a', 'b', 'c']) {
          const expected = [...texts.keys()].filter((n) => texts[n] === one);
          expect(listOf(index.find(one))).toEqual(expected);
        }
      }),
    );
  });

  test('keeps a long list in order', () => {
    const index = new TextIndex();
    for (let n = 0; n < 5000; n++) index.add('a', n);
    index.move('a', 'b', 1234);
    index.move('b', 'a', 1234);
    index.move('a', null, 4999);
    expect(listOf(index.find('a'))).toEqual(Array.from({ length: 4999 }, (_, n) => n));
    expect(index.find('b')).toEqual([]);
  });
});

describe('a table whose records stay when they are removed', () => {
  test('counts those that were removed, once each', () => {
    const table = new RemovableTable<{ dateRemoved: number | null }>(
      new Identifiers(hashText('store'), 'thing'),
      10,
    );
    for (const dateRemoved of [null, 5, null]) table.add({ dateRemoved });
    expect(table.removed).toBe(1);
    table.replace(0, { dateRemoved: 6 });
    table.replace(0, { dateRemoved: 6 });
    table.replace(1, { dateRemoved: 5 });
    table.replace(2, { dateRemoved: null });
    expect([table.removed, table.size]).toEqual([2, 3]);
  });
});

/** The numbers under a key, however they are kept. */
function listOf(numbers: Numbers): number[] {
  return Array.from({ length: numbers.length }, (_, i) => numbers.at(i) ?? NaN);
}

describe('an index of owners', () => {
  test.each([4095, 4096, 4097, 10_000])('keeps %d records of one owner in order', (count) => {
    const index = new OwnerIndex();
    for (let n = 0; n < count; n++) index.add(3, 2 * n);
    expect(listOf(index.find(3))).toEqual(Array.from({ length: count }, (_, n) => 2 * n));
  });

  test('agrees with a plain list, whatever is added', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(8)), (owners) => {
        const index = new OwnerIndex();
        for (const [n, owner] of owners.entries()) index.add(owner, n);
        for (let owner = 0; owner <= 9; owner++) {
          const expected = [...owners.keys()].filter((n) => owners[n] === owner);
          expect(index.find(owner)).toEqual(expected);
        }
      }),
    );
  });
});
