import { expect, test } from 'vitest';

import { type Call, markedCall } from '../../../src/pages/dashboard/state/wire.js';

const callWith = (EntryId: number, Undone: boolean): Call => ({ EntryId, Undone }) as Call;

test('The event of a restore says which of the calls that a page has are undone; later ones bring their marks.', () => {
  const Undone = [
    { From: 2, To: 4 },
    { From: 6, To: 7 },
  ];
  const replaced = { How: 'restored', NextEntryId: 8, Undone } as const;
  const ids = [1, 2, 3, 4, 5, 6, 7];
  for (const before of [false, true]) {
    const marked = ids.map((id) => markedCall(callWith(id, before), replaced));
    expect(marked.filter((call) => call.Undone).map(({ EntryId }) => EntryId)).toEqual([2, 3, 6]);
    expect(markedCall(callWith(8, before), replaced).Undone).toBe(before);
    expect(markedCall(callWith(2, before), null).Undone).toBe(before);
  }
});
