import { expect, test } from 'vitest';

import { listDeclineReasons } from '../../../src/pages/dashboard/text/overview.js';

const named = (...names: string[]) => names.map((Name, n) => ({ Name, Count: 41 - n }));

test('Reasons are in words, and add up to all declined charges, also if some are not named.', () => {
  const few = listDeclineReasons({
    Declines: named('Insufficient Funds', '3D Secure failed', 'Do not honor', ''),
    Periods: [],
  });
  expect(few.reasons.map(({ name, count }) => `${name} ${count}`)).toEqual([
    'Insufficient funds 41',
    '3D Secure failed 40',
    'Do not honor 39',
    'No reason given 38',
  ]);
  const many = listDeclineReasons({ Declines: named(...'abcdefgh'), Periods: [] });
  expect(many.reasons.at(-1)).toEqual({ name: 'Other reasons', count: 35 + 34 });
  expect(many.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(many.total);
});
