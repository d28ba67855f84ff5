import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { hashText, Identifiers } from '../../../src/core/ids/random.js';
import { RecordIds } from '../../../src/core/ids/record-ids.js';
import { type StoredRecord, Table } from '../../../src/core/store/store.js';

const computed = new Identifiers(hashText('given'), 'thing');
const own = (n: number): string => n.toString(16).padStart(32, 'a');

describe('identifiers of which some were chosen', () => {
  test('are the chosen one for its record, and the computed ones for all others', () => {
    const ids = new RecordIds(computed, [[1, own(1)]]);
    expect([0, 1, 2].map((n) => ids.at(n))).toEqual([computed.at(0), own(1), computed.at(2)]);
    expect(new RecordIds(computed).at(1)).toBe(computed.at(1));
  });

  test('give the computed one that was chosen to no other record', () => {
    // Copied from a world in which it was the fourth record.
    const ids = new RecordIds(computed, [[0, computed.at(3)]]);
    expect([ids.at(0), ids.at(3)]).toEqual([computed.at(3), computed.at(0)]);
  });

  test('are all different, whatever was chosen', () => {
    const chosen = fc.oneof(
      fc.nat(12).map((n) => computed.at(n)),
      fc.nat(12).map(own),
    );
    const entries = fc.uniqueArray(fc.tuple(fc.nat(12), chosen), {
      selector: ([n]) => n,
      maxLength: 12,
    });
    fc.assert(
      fc.property(entries, (given) => {
        const distinct = given.filter(([, id], i) => given.findIndex(([, other]) => other === id) === i);
        const ids = new RecordIds(computed, distinct);
        const all = Array.from({ length: 20 }, (_, n) => ids.at(n));
        expect(new Set(all).size).toBe(20);
        for (const [n, id] of distinct) expect(all[n]).toBe(id);
        for (let n = 13; n < 20; n++) {
          // One that nobody chose stays, and only those of the chosen records are given to others.
          if (!distinct.some(([, id]) => id === computed.at(n))) expect(all[n]).toBe(computed.at(n));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a table with identifiers that somebody chose', () => {
  const tableOf = (entries: readonly (readonly [number, string])[]): Table<StoredRecord> => {
    const table = new Table<StoredRecord>(computed, 100, {});
    table.giveIds(entries);
    return table;
  };

  test('finds a record by its own identifier and not by the one that it would have had', () => {
    const table = tableOf([[1, own(1)]]);
    for (let n = 0; n < 3; n++) table.add({ id: table.nextId, index: table.next });
    expect([own(1), computed.at(1), computed.at(2)].map((id) => table.find(id)?.index)).toEqual([
      1,
      undefined,
      2,
    ]);
  });

  test('knows the identifier of a record that was taken out', () => {
    const table = tableOf([[0, own(1)]]);
    const record = { id: table.nextId, index: 0 };
    table.add(record);
    table.remove(record);
    expect([table.find(own(1)), table.idAt(0), table.nextId]).toEqual([undefined, own(1), computed.at(1)]);
  });

  test('knows which were chosen; without any it is an ordinary table', () => {
    expect(tableOf([[2, own(1)]]).givenIds()).toEqual([[2, own(1)]]);
    expect(tableOf([]).givenIds()).toEqual([]);
  });
});
