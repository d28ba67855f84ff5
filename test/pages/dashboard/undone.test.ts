import { expect, test } from 'vitest';

import { type BriefCall, markUndone } from '../../../src/pages/dashboard/state/wire.js';

const callWith = (EntryId: number, Undone: boolean): BriefCall => ({ EntryId, Undone }) as BriefCall;

test('The event of a restore says which of the calls that a page has are undone; later ones bring their marks.', () => {
  const Undone = [
    { From: 2, To: 4 },
    { From: 6, To: 7 },
  ];
  const replaced = { How: 'restored', NextEntryId: 8, Undone } as const;
  const ids = [1, 2, 3, 4, 5, 6, 7];
  for (const before of [false, true]) {
    const marked = ids.map((id) => markUndone(callWith(id, before), replaced));
    expect(marked.filter((call) => call.Undone).map(({ EntryId }) => EntryId)).toEqual([2, 3, 6]);
    expect(markUndone(callWith(8, before), replaced).Undone).toBe(before);
    expect(markUndone(callWith(2, before), null).Undone).toBe(before);
  }
});
