import { cardOf, STEADY } from '../../support/bodies.js';

/** The body of `POST /charge/card`; the amount is in cents, as everywhere here. */
export const cardCharge = (cents: number, more: object = {}): object => ({
  Amount: amountOf(cents),
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
  ...more,
});

/** An amount of cents as it is sent. */
export const amountOf = (cents: number): string => (cents / 100).toFixed(2);
