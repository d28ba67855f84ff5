import { describe, expect, test } from 'vitest';

import type { BriefCall } from '../../../src/pages/dashboard/state/wire.js';
import { containsWords, findReferences, matchesRecord } from '../../../src/pages/dashboard/text/find.js';

const CHARGE = {
  ChargeId: '37585b23c2f14e0fb1a4a0d31c7f81aa',
  Reference: 'order-2001',
  Amount: 1149.5,
  Currency: 'AUD',
  DateAdded: '2026-01-01T00:00:31.000Z',
  Customer: { FirstName: 'Ada', LastName: 'Byron' },
  FailedAttempts: [{ GatewayCode: '51' }],
};

describe('a search finds a record', () => {
  test.each([
    'order-2001',
    '2001',
    'ORDER',
    '37585b23',
    '37585b23…81aa',
    CHARGE.ChargeId,
    '1149.5',
    '1,149.50',
    'AUD 1,149.50',
    'byron',
    '51',
  ])('by %s', (typed) => expect(matchesRecord(CHARGE, typed)).toBe(true));

  test.each(['', '  ', '585b23', '149.5', '2026', 'order-2002', '37585b24'])('but not by "%s"', (typed) =>
    expect(matchesRecord(CHARGE, typed)).toBe(false),
  );
});

test('References of records and calls are found in part, each once', () => {
  const calls = [
    { Reference: 'order-2001' },
    { Reference: null },
    { Reference: 'invoice 2001' },
  ] as BriefCall[];
  expect(findReferences([CHARGE], calls, '2001')).toEqual(['order-2001', 'invoice 2001']);
  expect(findReferences([CHARGE], calls, '2001 inv')).toEqual(['invoice 2001']);
});

test('words are found in any order', () => {
  expect([containsWords('Use scenario flaky', 'fla use'), containsWords('Webhooks', 'hooks x')]).toEqual([
    true,
    false,
  ]);
});
