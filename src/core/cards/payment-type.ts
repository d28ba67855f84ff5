/** A card, and the wallets that pass on a card. */
export const CARD_TYPES = ['CARD', 'GOOGLEPAY', 'APPLEPAY'] as const;

/** Payments of which the service sees no card and no account: the payer approves them at a wallet or a bank. */
export const WALLET_TYPES = [
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
export const PAYMENT_TYPES = [...CARD_TYPES, 'BANK_ACCOUNT', 'PAYTO', ...WALLET_TYPES] as const;

export type PaymentType = (typeof PAYMENT_TYPES)[number];
export type CardSourceType = (typeof CARD_TYPES)[number];
export type WalletType = (typeof WALLET_TYPES)[number];

export function isCardType(type: PaymentType): type is CardSourceType {
  return CARD_TYPES.some((one) => one === type);
}
