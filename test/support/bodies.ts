/** Bodies that tests send, and programs beside them that know nothing of a test runner. */

/** The built-in providers. */
export const STEADY = '00000000000000000000000000000001';
export const AMOUNTS = '00000000000000000000000000000002';
export const SLOW = '00000000000000000000000000000003';
export const FLAKY = '00000000000000000000000000000004';
export const DOWN = '00000000000000000000000000000005';
export const NO_CAPTURE = '00000000000000000000000000000006';
export const WHOLE_CAPTURE = '00000000000000000000000000000007';
export const RESERVED = '0000000000000000000000000000dead';
/** A provider that nobody configured. */
export const OTHER = 'c0ffee00c0ffee00c0ffee00c0ffee00';

export const VISA = '4111111111111111';
export const AMEX = '378282246310005';
export const NO_FUNDS = '4000000000009995';

/** An identifier of the right shape that no world has handed out. */
export const UNKNOWN_ID = '0123456789abcdef0123456789abcdef';

/** A PaymentInformation. */
export const cardOf = (CardNumber: string = VISA, more: object = {}): object => ({
  CardNumber,
  ExpiryDate: '10/30',
  Ccv: '123',
  Cardholder: 'Jo Smith',
  ...more,
});

/** The body of calls that store a card. */
export const storing = (more: object = {}): object => ({
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
  ...more,
});

/** A BankPaymentInformation. */
export const account = (AccountNumber = '000123456', more: object = {}): object => ({
  BankCode: '062-000',
  AccountNumber,
  AccountName: 'Jo Smith',
  ...more,
});

/** The members of an agreement of PayTo. */
export const agreement = (more: object = {}): object => ({
  ProviderId: STEADY,
  PayerName: 'Jo Smith',
  PayerPayIdDetails: { PayId: 'jo@example.com', PayIdType: 'EMAIL' },
  Description: 'rent',
  MaximumAmount: 500,
  ...more,
});

/** The body of a batch with these rows. */
export const batchOf = (rows: readonly string[], more: object = {}): object => ({
  Count: rows.length,
  Description: 'rent',
  Batch: ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n'),
  ...more,
});
