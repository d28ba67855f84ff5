import type { PayToStatus } from '../records/payment-method.js';
import type { MagicCard } from './magic.js';

/** A published test account, at any bank. */
export type MagicAccount = Omit<MagicCard, 'scheme'>;

// oxfmt-ignore
export const MAGIC_ACCOUNTS: readonly MagicAccount[] = [
  { number: '000123456', effect: 'PENDING, then SUCCESS when it settles' },
  { number: '000000002', effect: 'do_not_honor on charge', on: { 'charge.create': ['do_not_honor'] } },
  { number: '000009995', effect: 'PENDING, then FAILED with insufficient_funds when it settles', on: { 'charge.settle': ['insufficient_funds'] } },
];

export const ACCOUNT_PREFIX = 'account:';

/** The trigger of an account number without separators; null for numbers that are always approved. */
export function findAccountTrigger(account: string): string | null {
  const known = MAGIC_ACCOUNTS.find(({ number }) => number === account);
  return known?.on === undefined ? null : ACCOUNT_PREFIX + known.number;
}

/** Whether a number is a published test account, so that it need not be masked. */
export function isTestAccount(account: string): boolean {
  return MAGIC_ACCOUNTS.some(({ number }) => number === account);
}

/** The published PayIds. */
export const MAGIC_PAY_IDS: readonly { readonly payId: string; readonly effect: string }[] = [
  {
    payId: 'pending@payto.example',
    effect:
      'the agreement stays PENDING and its charges are refused (code 33), until you simulate payto.activate',
  },
];

/** The status of a new agreement. ACTIVE is our assumption: a real payer takes a while to approve. */
export function agreementStatus(payId: string): PayToStatus {
  return MAGIC_PAY_IDS.some((known) => known.payId === payId) ? 'PENDING' : 'ACTIVE';
}
