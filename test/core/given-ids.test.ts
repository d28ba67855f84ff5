import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { hashText, Identifiers } from '../../src/core/random.js';
import { Table } from '../../src/core/store.js';

const computed = new Identifiers(hashText('given'), 'thing');
const own = (n: number): string => n.toString(16).padStart(32, 'a');

function tableOf(entries: readonly (readonly [number, string])[]): Table<string> {
  const table = new Table<string>(computed, 100);
  table.giveIds(entries);
  return table;
}

describe('a table with identifiers that somebody chose', () => {
  test('finds a record by its own identifier and not by the one that it would have had', () => {
    const table = tableOf([[1, own(1)]]);
    for (const record of ['a', 'b', 'c']) table.add(record);
    expect([0, 1, 2].map((n) => table.idOf(n))).toEqual([computed.at(0), own(1), computed.at(2)]);
    expect([table.find(own(1)), table.find(computed.at(1)), table.find(computed.at(2))]).toEqual([
      'b',
      undefined,
      'c',
    ]);
  });

  test('gives the computed identifier that was chosen to no other record', () => {
    // Copied from a world in which it was the fourth record.
    const table = tableOf([[0, computed.at(3)]]);
    expect([table.idOf(0), table.idOf(3)]).toEqual([computed.at(3), computed.at(0)]);
    expect([table.numberOf(computed.at(3)), table.numberOf(computed.at(0))]).toEqual([0, 3]);
  });

  test('keeps the identifier of a removed record from others', () => {
    const table = tableOf([[0, own(1)]]);
    table.add('a');
    table.remove(0);
    expect([table.find(own(1)), table.numberOf(own(1)), table.idOf(0)]).toEqual([undefined, 0, own(1)]);
  });

  test('tells which were chosen; without any it is a table like others', () => {
    expect(tableOf([[2, own(1)]]).givenIds()).toEqual([[2, own(1)]]);
    expect(tableOf([]).givenIds()).toEqual([]);
  });

  test('leads from each number to one identifier and back, whatever was chosen', () => {
    const chosen = fc.oneof(
      fc.nat(12).map((n) => computed.at(n)),
      fc.nat(12).map(own),
    );
    const entries = fc.uniqueArray(fc.tuple(fc.nat(12), chosen), { selector: ([n]) => n, maxLength: 12 });
    fc.assert(
      fc.property(entries, (given) => {
        const distinct = given.filter(([, id], i) => given.findIndex(([, other]) => other === id) === i);
        const table = tableOf(distinct);
        const ids = Array.from({ length: 20 }, (_, n) => table.idOf(n));
        expect(new Set(ids).size).toBe(20);
        expect(ids.map((id) => table.numberOf(id))).toEqual([...ids.keys()]);
        for (const [n, id] of distinct) expect(table.idOf(n)).toBe(id);
        for (let n = 0; n < 20; n++) {
          const found = table.numberOf(computed.at(n));
          expect(found === -1 || table.idOf(found) === computed.at(n)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
