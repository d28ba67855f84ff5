import { describe, expect, test } from 'vitest';

import {
  findAccountTrigger,
  agreementStatus,
  isTestAccount,
  type ProviderOperation,
} from '../../src/outcomes/magic.js';
import { decideAnswer } from '../../src/outcomes/provider.js';
import { call, providerState } from './support.js';

const outcomeAt = (trigger: string | null, operation: ProviderOperation) =>
  decideAnswer(call({ trigger, operation }), providerState()).outcome.name;

describe('a test account', () => {
  // charge, settlement, storage
  test.each([
    ['000123456', null, 'approve', 'approve', 'approve'],
    ['000000002', 'account:000000002', 'do_not_honor', 'approve', 'approve'],
    ['000009995', 'account:000009995', 'approve', 'insufficient_funds', 'approve'],
  ])('%s has the trigger %s: charge %s, settlement %s, storage %s', (account, trigger, ...outcomes) => {
    expect(isTestAccount(account)).toBe(true);
    expect(findAccountTrigger(account)).toBe(trigger);
    const operations = ['charge.create', 'charge.settle', 'card.store'] as const;
    expect(operations.map((operation) => outcomeAt(trigger, operation))).toEqual(outcomes);
  });

  test.each(['00000002', '123456789', ''])('is not %j', (account) => {
    expect([isTestAccount(account), findAccountTrigger(account)]).toEqual([false, null]);
  });
});

test('an agreement is active at once, but for the payer who takes a while', () => {
  expect(agreementStatus('jo@example.com')).toBe('ACTIVE');
  expect(agreementStatus('pending@payto.example')).toBe('PENDING');
});
