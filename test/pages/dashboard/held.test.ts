import { expect, test } from 'vitest';

import type { HeldCall } from '../../../src/pages/dashboard/state/wire.js';
import {
  describeDeadline,
  describeHeldCall,
  listHandChoices,
} from '../../../src/pages/dashboard/text/decide/held.js';

const SINCE = Date.parse('2026-01-01T00:00:00Z');
const CALL: HeldCall = {
  HoldId: 1,
  At: '2026-01-01T00:00:00.000Z',
  Operation: 'charge.create',
  Method: 'POST',
  Path: '/charge/card',
  Answer: false,
  Reference: 'order-12',
  Amount: 20,
  Currency: 'AUD',
  Since: '2026-01-01T00:00:00.000Z',
  Until: '2026-01-01T00:01:00.000Z',
};
const labels = (call: HeldCall, hasOutcomes: boolean) =>
  listHandChoices(call, hasOutcomes).map(({ label }) => label);

test('A call that waits says what it is, for how long, and what happens if nobody decides it.', () => {
  const call = describeHeldCall(CALL, SINCE + 8_900).replaceAll('\u00A0', ' ');
  expect(call).toBe('POST /charge/card, order-12, AUD 20.00 waits 8 s');
  expect(describeDeadline(CALL, SINCE + 8_900)).toBe('decided as usual in 52 s');
  const read = { ...CALL, Method: 'GET', Path: '/charge', Reference: null, Amount: null, Currency: null };
  // The clock of this computer may be behind that of the server.
  expect(describeHeldCall(read, SINCE - 500)).toBe('GET /charge waits 0 s');
  expect(describeDeadline({ ...CALL, Answer: true }, SINCE + 90_000)).toBe('sent in 0 s');
});

test('It offers what can be done: an answer that waits can only be sent or lost.', () => {
  expect(labels(CALL, true)).toEqual(['Approve', 'Lose the answer', 'Hang', 'Webhook first', 'As usual']);
  expect(labels(CALL, false)).toEqual(['Lose the answer', 'Hang', 'Webhook first', 'As usual']);
  expect(labels({ ...CALL, Answer: true }, true)).toEqual(['Send the answer', 'Lose the answer', 'Hang']);
});
