import * as z from 'zod';

/** Pieces that the answers share. Every member is always there; one without a value is null. */

export const id = (says = 'Identifier: 32 hexadecimal digits.') => z.string().length(32).describe(says);
export const instant = () => z.iso.datetime().describe('Always UTC, with milliseconds.');
export const amount = (says = 'In major units, without a forced fraction: 5, 15.5.') =>
  z.number().describe(says);
export const currency = () => z.string().length(3);
export const count = () => z.int().nonnegative();
export const text = () => z.string().nullable();
export const maybeId = () => z.string().length(32).nullable();
export const maybeInstant = () => z.iso.datetime().nullable();
export const maybeAmount = () => z.number().nullable();
export const metadata = () => z.record(z.string(), z.string()).nullable();
/** A member that clients know and nothing here ever fills. */
export const never = () => z.null();

/** A page of a list. */
export const page = <T extends z.ZodType>(name: string, item: T) =>
  z.strictObject({
    Limit: z.int().positive(),
    Skip: count(),
    Count: count().describe('How many there are, not how many are shown.'),
    [name]: z.array(item),
  });

export const ProviderName = z
  .strictObject({ ProviderId: z.string(), Type: z.string(), Name: z.string() })
  .meta({ id: 'ProviderName' });

export const Card = z
  .strictObject({
    CardNumber: z.string().describe('Masked: 4111********1111.').nullable(),
    ExpiryDate: z.string().nullable(),
    Cardholder: text(),
    Type: z.string().describe('The scheme: VISA, MASTERCARD, AMEX, …').nullable(),
    CardType: z.string().describe('CREDIT or DEBIT.').nullable(),
    CardIin: z.string().nullable(),
    CcvCheck: z.boolean().nullable(),
  })
  .meta({ id: 'Card' });

export const BankPayment = z
  .strictObject({ BankCode: z.string(), AccountNumber: z.string(), AccountName: z.string() })
  .meta({ id: 'BankPayment' });

const PAY_TO_STATUS = z.enum(['PENDING', 'ACTIVE']);

export const payToStatus = () => PAY_TO_STATUS.nullable();

export const PayTo = z
  .strictObject({
    PayToId: z.string(),
    Status: PAY_TO_STATUS,
    PayerName: z.string(),
    PayerPayIdDetails: z.strictObject({ PayId: z.string(), PayIdType: z.string() }),
    PayerDirectDebitDetails: never(),
    ProviderId: z.string(),
    ProviderType: z.string(),
  })
  .meta({ id: 'PayTo' });

export const CustomerSummary = z
  .strictObject({
    CustomerId: id(),
    Reference: text(),
    FirstName: text(),
    LastName: text(),
    Email: text(),
    Phone: text(),
    DateAdded: instant(),
  })
  .meta({ id: 'CustomerSummary' });

export const SOURCE_TYPES = z.enum(['CARD', 'BANK_ACCOUNT', 'PAYTO']);
