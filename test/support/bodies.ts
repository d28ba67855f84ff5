/** Bodies that tests send, and programs beside them that know nothing of a test runner. */

export const STEADY = '00000000000000000000000000000001';
export const VISA = '4111111111111111';

/** A PaymentInformation. */
export const cardOf = (CardNumber: string = VISA, more: object = {}): object => ({
  CardNumber,
  ExpiryDate: '10/30',
  Ccv: '123',
  Cardholder: 'Jo Smith',
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
