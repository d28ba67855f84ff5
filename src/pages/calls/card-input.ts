/** A card as a customer enters it. */
export interface CardInput {
  readonly cardNumber: string;
  /** MM/YY. */
  readonly expiryDate: string;
  readonly ccv?: string;
  readonly cardholder?: string;
}

export function toPaymentInformation({ cardNumber, expiryDate, ccv, cardholder }: CardInput): object {
  return {
    CardNumber: cardNumber,
    ExpiryDate: expiryDate,
    Ccv: ccv || undefined,
    Cardholder: cardholder || undefined,
  };
}
