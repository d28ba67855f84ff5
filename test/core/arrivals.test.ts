import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Arrivals } from '../../src/core/arrivals.js';

describe('values in the order in which they came', () => {
  test('have as their first the one that a list of them has, whatever comes and leaves', () => {
    const step = fc.record({
      does: fc.constantFrom('add' as const, 'delete' as const, 'look' as const),
      value: fc.nat(8),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const arrivals = new Arrivals<number>();
        let list: number[] = [];
        for (const { does, value } of steps) {
          if (does === 'add') {
            arrivals.add(value);
            if (!list.includes(value)) list.push(value);
          } else if (does === 'delete') {
            arrivals.delete(value);
            list = list.filter((one) => one !== value);
          } else {
            expect(arrivals.first).toBe(list[0]);
          }
        }
        expect([arrivals.first, arrivals.size, [...arrivals]]).toEqual([list[0], list.length, list]);
      }),
    );
  });

  test('tell their first in constant time, however many have left', () => {
    const arrivals = new Arrivals<number>();
    for (let n = 0; n < 10_000; n++) arrivals.add(n);
    // By the square this takes longer than any test may.
    for (let n = 10_000; n < 1_010_000; n++) {
      arrivals.delete(arrivals.first ?? -1);
      arrivals.add(n);
    }
    expect(arrivals.first).toBe(1_000_000);
  });
});
