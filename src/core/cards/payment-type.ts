/** The wallets that pass on a card. What they pay with has the fields of a card, and a type of its own. */
export const CARD_WALLETS = ['GOOGLEPAY', 'APPLEPAY'] as const;

/** Payments of which the service sees no card and no account: the payer approves them at the wallet or at their bank. */
export const OTHER_WALLETS = [
  'PAYPAL',
  'PAYID',
  'OPTTY',
  'SHIFT',
  'PESAPAL',
  'PAYBYACCOUNT',
  'UPI',
  'PAYGLOCAL',
] as const;

/** Every payment type, as in `PaymentInformation.Type`. */
export const PAYMENT_TYPES = ['CARD', 'BANK_ACCOUNT', 'PAYTO', ...CARD_WALLETS, ...OTHER_WALLETS] as const;

export type PaymentType = (typeof PAYMENT_TYPES)[number];
export type CardSourceType = 'CARD' | (typeof CARD_WALLETS)[number];
export type OtherWallet = (typeof OTHER_WALLETS)[number];
