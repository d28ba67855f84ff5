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
  return type === 'CARD' || type === 'GOOGLEPAY' || type === 'APPLEPAY';
}

/** A type of a provider in a common form: `google_pay`, `GooglePay` and `googlepay` are one. */
export function normaliseProviderType(providerType: string): string {
  return providerType.toUpperCase().replaceAll(/[^A-Z\d]/g, '');
}

const TYPE_BY_PROVIDER: ReadonlyMap<string, PaymentType> = new Map([
  ...PAYMENT_TYPES.map((type) => [normaliseProviderType(type), type] as const),
  ['AZUPAY', 'PAYTO'],
]);

/** The payment type that a type of provider stands for; undefined for a brand or an acquirer. */
export function findNamedType(providerType: string): PaymentType | undefined {
  return TYPE_BY_PROVIDER.get(normaliseProviderType(providerType));
}

/** The payment type at a provider: CARD, unless its type is that of a wallet or bank. */
export function findPaymentType(providerType: string): PaymentType {
  return findNamedType(providerType) ?? 'CARD';
}
