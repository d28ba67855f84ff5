import { expect, test } from 'vitest';

import { parseDuration } from '../../../src/core/time/time.js';
import { DEFAULT_TOKEN_TTL, type Token, TOKEN_STATUSES, tokenStatus } from '../../../src/records/token.js';

test.each<[string, Pick<Token, 'secret' | 'dateUsed'>, string]>([
  ['that still has its data', { secret: { pan: null, ccv: null }, dateUsed: null }, 'ACTIVE'],
  ['that was used', { secret: null, dateUsed: 0 }, 'USED'],
  ['that was emptied without being used', { secret: null, dateUsed: null }, 'EXPIRED'],
])('a token %s has the status of that', (_, token, status) => {
  expect(tokenStatus(token as Token)).toBe(status);
  expect(TOKEN_STATUSES).toContain(status);
});

test('a token lives a quarter of an hour, and has one of three statuses', () => {
  expect([DEFAULT_TOKEN_TTL, TOKEN_STATUSES.length]).toEqual([parseDuration('15m'), 3]);
});
