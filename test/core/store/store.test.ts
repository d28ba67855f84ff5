import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type StoredRecord, Table } from '../../../src/core/store/store.js';
import { indexesOf, tableIds } from '../../support/tables.js';

interface Thing extends StoredRecord {
  readonly key: string | null;
}

const tableOf = (max = 100_000) => new Table(tableIds(), max, { key: ({ key }: Thing) => key });
type ThingTable = ReturnType<typeof tableOf>;

function add(table: ThingTable, key: string | null = null, dateRemoved: number | null = null): Thing {
  const record = { id: table.nextId, index: table.next, key, dateRemoved };
  table.add(record);
  return record;
}

const found = (table: ThingTable, key: string): number[] => indexesOf(table.by('key', key));

describe('a table', () => {
  test('finds its records by identifier and in order of creation', () => {
    const table = tableOf();
    const [first, second] = [add(table), add(table)];
    expect([table.at(0), table.at(1), table.find(second.id)]).toEqual([first, second, second]);
    expect([first.id, second.id]).toEqual([tableIds().at(0), tableIds().at(1)]);
    expect([table.size, table.next, table.rows()]).toEqual([2, 2, [first, second]]);
  });

  test('finds nothing under a foreign identifier, nor under one that is not given out yet', () => {
    const table = tableOf();
    add(table);
    expect([table.find('0'.repeat(32)), table.find(table.nextId), table.at(1), table.at(-1)]).toEqual(
      Array.from({ length: 4 }),
    );
  });

  test('replaces a record whole, and its rows of before do not change', () => {
    const table = tableOf();
    const before = add(table, 'a');
    const rows = table.rows();
    const after = { ...before, key: 'b' };
    table.replace(after);
    expect([table.at(0), table.find(before.id), table.size, rows]).toEqual([after, after, 1, [before]]);
  });

  test('replaces nothing that is not there', () => {
    const table = tableOf();
    table.replace({ id: 'x', index: 5, key: 'a' });
    expect([table.size, table.next, table.find('x'), found(table, 'a')]).toEqual([0, 0, undefined, []]);
  });

  test('leaves the place of a record that was taken out unused, so that no identifier moves', () => {
    const table = tableOf();
    const first = add(table, 'a');
    add(table, 'a');
    table.remove(first);
    table.remove(first);
    expect([table.at(0), table.find(first.id), table.size, table.next]).toEqual([undefined, undefined, 1, 2]);
    expect([found(table, 'a'), table.idAt(0)]).toEqual([[1], first.id]);
    expect(add(table)).toMatchObject({ index: 2, id: tableIds().at(2) });
  });

  test('has room up to its maximum, counting what was ever in it', () => {
    const table = tableOf(2);
    expect([table.hasRoom(2), table.hasRoom(3)]).toEqual([true, false]);
    const first = add(table);
    add(table);
    table.remove(first);
    expect(table.hasRoom()).toBe(false);
  });

  test('counts those that do not say that they were removed', () => {
    const table = tableOf();
    const [first, second] = [add(table), add(table, null, 5), add(table)];
    expect([table.size, table.live]).toEqual([3, 2]);
    table.replace({ ...first, dateRemoved: 6 });
    table.replace({ ...first, dateRemoved: 7 });
    expect([table.size, table.live]).toEqual([3, 1]);
    table.remove(second);
    expect([table.size, table.live]).toEqual([2, 1]);
  });

  test('is filled with the rows of another one, part by part', () => {
    const table = tableOf();
    const records = [add(table, 'a'), add(table, 'b'), add(table, 'a')];
    table.remove(records[1] as Thing);
    const copy = tableOf();
    copy.load(table.rows(), 1);
    expect([copy.size, copy.next]).toEqual([1, 1]);
    copy.load(table.rows(), 9);
    expect([copy.rows(), copy.size, copy.next]).toEqual([[records[0], undefined, records[2]], 2, 3]);
    expect([found(copy, 'a'), found(copy, 'b'), copy.find(records[2]?.id ?? '')]).toEqual([
      [0, 2],
      [],
      records[2],
    ]);
  });
});

describe('the records of a key', () => {
  test('are found in order of creation', () => {
    const table = tableOf();
    for (const key of ['a', 'b', 'a', null, 'a']) add(table, key);
    expect(['a', 'b', 'c', 'null'].map((key) => found(table, key))).toEqual([[0, 2, 4], [1], [], []]);
    expect(table.by('key', 'b').length).toBe(1);
  });

  test('are distinguished by keys that are names of built-in properties, or differ only in accents', () => {
    const table = tableOf();
    const keys = ['__proto__', 'constructor', 'toString', '', ' ', 'é', 'e\u0301', '\ud800'];
    for (const key of keys) add(table, key);
    expect(keys.map((key) => found(table, key))).toEqual(keys.map((_, n) => [n]));
  });

  test('agree with a plain list, whatever is changed and taken out', () => {
    const key = fc.option(fc.constantFrom('a', 'b', 'c'));
    const change = fc.record({ n: fc.nat(9), to: key, isRemoved: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 10, maxLength: 10 }),
        fc.array(change, { maxLength: 40 }),
        (first, later) => {
          const table = tableOf();
          const plain: (Thing | undefined)[] = first.map((one) => add(table, one));
          for (const { n, to, isRemoved } of later) {
            const before = plain[n];
            if (before === undefined) continue;
            const after = (plain[n] = isRemoved ? undefined : { ...before, key: to });
            if (after === undefined) table.remove(before);
            else table.replace(after);
          }
          for (const one of ['a', 'b', 'c']) {
            const expected = plain.flatMap((thing) => (thing?.key === one ? [thing.index] : []));
            expect(found(table, one)).toEqual(expected);
          }
          expect(table.rows()).toEqual(plain);
        },
      ),
    );
  });

  test('stay in order where thousands share one', () => {
    const table = tableOf();
    const records = Array.from({ length: 5000 }, () => add(table, 'a'));
    const [moved, last] = [records[1234] as Thing, records[4999] as Thing];
    table.replace({ ...moved, key: 'b' });
    table.replace(moved);
    table.replace({ ...last, key: null });
    expect(found(table, 'a')).toEqual(Array.from({ length: 4999 }, (_, n) => n));
    expect(found(table, 'b')).toEqual([]);
  });
});
