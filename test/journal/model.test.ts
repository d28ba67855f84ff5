import { expect, test } from 'vitest';

import { parseBodyText, JOURNAL_ENTRIES_MAX, WAITERS_MAX } from '../../src/journal/completed-call.js';

test.each<[string | null, unknown]>([
  [null, null],
  ['null', null],
  ['{"Amount":5}', { Amount: 5 }],
  ['"cut ***"', 'cut ***'],
])('a body kept as %j is read as %j', (text, value) => {
  expect(parseBodyText(text)).toEqual(value);
});

test('the journal of a world holds ten thousand entries at most, and lets a hundred requests wait', () => {
  expect([JOURNAL_ENTRIES_MAX, WAITERS_MAX]).toEqual([10_000, 100]);
});
