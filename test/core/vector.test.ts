import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Vector } from '../../src/core/vector.js';

describe('a list in pieces', () => {
  test('agrees with an array across the borders of its pieces', () => {
    const list = new Vector<number>();
    const count = 3 * 4096 + 1;
    for (let n = 0; n < count; n++) list.push(n);
    expect(list.length).toBe(count);
    expect([0, 4095, 4096, 8191, 8192, count - 1].map((i) => list.at(i))).toEqual([
      0,
      4095,
      4096,
      8191,
      8192,
      count - 1,
    ]);
    expect([list.at(count), list.at(-1)]).toEqual([undefined, undefined]);
  });

  test('replaces what is there, and nothing beyond', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat(20), (items, i) => {
        const list = new Vector<number>();
        for (const item of items) list.push(item);
        list.set(i, -1);
        const expected = items.map((item, at) => (at === i ? -1 : item));
        expect(Array.from({ length: list.length }, (_, at) => list.at(at))).toEqual(expected);
      }),
    );
  });
});
