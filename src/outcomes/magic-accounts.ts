import type { PayToStatus } from '../payment-methods/record.js';
import type { MagicCard } from './magic.js';

/** A published test account, at whichever bank. What `on` does not name approves. */
export type MagicAccount = Omit<MagicCard, 'scheme'>;

// oxfmt-ignore
export const MAGIC_ACCOUNTS: readonly MagicAccount[] = [
  { number: '000123456', effect: 'approve: PENDING, then SUCCESS at its settlement' },
  { number: '000000002', effect: 'do_not_honor on charge', on: { 'charge.create': ['do_not_honor'] } },
  { number: '000009995', effect: 'PENDING, then FAILED at its settlement with insufficient_funds', on: { 'charge.settle': ['insufficient_funds'] } },
];

export const ACCOUNT_PREFIX = 'account:';

/** The trigger of a bare account number; null for ordinary numbers and for the one that just approves. */
export function accountTrigger(account: string): string | null {
  const known = MAGIC_ACCOUNTS.find(({ number }) => number === account);
  return known?.on === undefined ? null : ACCOUNT_PREFIX + known.number;
}

/** Whether the number is a published test account, so that it may be written out. */
export function isTestAccount(account: string): boolean {
  return MAGIC_ACCOUNTS.some(({ number }) => number === account);
}

/** The published PayIds: of agreements by their payers' addresses. */
export const MAGIC_PAY_IDS: readonly { readonly payId: string; readonly effect: string }[] = [
  {
    payId: 'pending@payto.example',
    effect: 'the agreement stays PENDING, so that charges are refused (code 33), until payto.activate',
  },
];

/** The status with which a provider answers a new agreement: our assumption, since a real payer takes a while. */
export function agreementStatus(payId: string): PayToStatus {
  return MAGIC_PAY_IDS.some((known) => known.payId === payId) ? 'PENDING' : 'ACTIVE';
}
