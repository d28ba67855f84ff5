import { expect } from 'vitest';

import { type Answer, type Client, good } from './sandbox.js';
import { account, agreement, STEADY } from './bodies.js';
import { textIn } from './stored.js';

export { account, agreement } from './bodies.js';

/** Bodies of payments that are no cards, and how they show. */

/** How `account()` shows in answers. */
export const SHOWN_ACCOUNT = { BankCode: '062-000', AccountNumber: '******456', AccountName: 'Jo Smith' };

/** Published accounts: one that settles, one that is declined at once, one that fails at its settlement. */
export const DECLINED = '000000002';
export const UNFUNDED = '000009995';

/** The body of `POST /charge/bank_account`. */
export const bankCharge = (more: object = {}): object => ({
  Amount: 20,
  ProviderId: STEADY,
  BankPaymentInformation: account(),
  ...more,
});

/** The payer who has not agreed yet. */
export const UNDECIDED = { PayId: 'pending@payto.example', PayIdType: 'EMAIL' };

/** How `agreement()` shows in answers. */
export const SHOWN_AGREEMENT = {
  PayToId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  Status: 'ACTIVE',
  PayerName: 'Jo Smith',
  PayerPayIdDetails: { PayId: 'jo@example.com', PayIdType: 'EMAIL' },
  PayerDirectDebitDetails: null,
  ProviderId: STEADY,
  ProviderType: 'dummy',
};

/** Stores a bank account as a payment method of no customer. */
export async function storedAccount(api: Client, number?: string): Promise<string> {
  const body = { ProviderId: STEADY, BankPaymentInformation: account(number) };
  return textIn(await good(api.post('/payment_method/bank_account', body)), 'PaymentMethodId');
}

/** Makes an agreement as a payment method of no customer. */
export async function storedAgreement(api: Client, more: object = {}): Promise<string> {
  return textIn(await good(api.post('/payment_method/payto', agreement(more))), 'PaymentMethodId');
}

export const chargeMethod = (api: Client, PaymentMethodId: string, more: object = {}): Promise<Answer> =>
  api.post('/charge/payment_method', { Amount: 20, Currency: 'AUD', PaymentMethodId, ...more });
