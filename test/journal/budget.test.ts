import { describe, expect, test } from 'vitest';

import { Budget } from '../../src/core/limits/budget.js';
import { Journal } from '../../src/journal/journal.js';
import { newestFirst, exchanged } from './support.js';

/** A journal of so many calls. */
function filled(budget: Budget, calls: number): Journal {
  const journal = new Journal(1, budget);
  // Headers count where they are not those of the call before.
  for (let n = 0; n < calls; n++) journal.record(exchanged({ headers: [] }));
  return journal;
}

/** What one of these calls takes, by the journal's own estimate. */
const ONE = filled(new Budget(Infinity), 1).bytes;

describe('the budget of all journals', () => {
  test('is what the journals hold together', () => {
    const budget = new Budget(Infinity);
    const journals = [filled(budget, 3), filled(budget, 4)];
    expect(budget.used).toBe(7 * ONE);
    journals[0]?.clear();
    expect(budget.used).toBe(4 * ONE);
  });

  test('makes the largest journals let go of their oldest calls, and says so in their counts', () => {
    const budget = new Budget(100 * ONE);
    const small = filled(budget, 10);
    const large = filled(budget, 90);
    expect(large.evicted).toBe(0);
    small.record(exchanged({ path: '/vault', headers: [] }));
    expect(budget.used).toBeLessThanOrEqual(90 * ONE);
    expect(small.evicted).toBe(0);
    expect(large.evicted).toBe(11);
    expect(large.count({})).toEqual({ count: 79, incomplete: true });
    expect(newestFirst(large).at(-1)?.id).toBe(12);
    expect(newestFirst(small)[0]?.path).toBe('/vault');
  });

  test('holds with more worlds than it has room for, and every journal keeps its newest calls', () => {
    const budget = new Budget(50 * ONE);
    const journals = Array.from({ length: 20 }, () => filled(budget, 30));
    expect(budget.used).toBeLessThanOrEqual(50 * ONE);
    expect(newestFirst(journals.at(-1) ?? new Journal())[0]?.id).toBe(30);
    for (const journal of journals) expect(journal.size + journal.evicted).toBe(30);
  });

  test('lets a journal go on after it let go of everything', () => {
    const budget = new Budget(3 * ONE);
    const journal = filled(budget, 10);
    journal.shrink(0);
    expect([journal.size, journal.bytes, budget.used]).toEqual([0, 0, 0]);
    journal.record(exchanged({ requestBody: { Note: 'after' } }));
    expect(newestFirst(journal).map(({ request }) => request)).toEqual(['{"Note":"after"}']);
  });
});
