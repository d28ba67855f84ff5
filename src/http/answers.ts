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
export const page = <const N extends string, T extends z.ZodType>(name: N, item: T) =>
  z.strictObject({
    Limit: z.int().positive(),
    Skip: count(),
    Count: count().describe('How many there are, not how many are shown.'),
    ...({ [name]: z.array(item) } as Record<N, z.ZodArray<T>>),
  });

export const ProviderName = z.lazy(() =>
  z.strictObject({ ProviderId: z.string(), Type: z.string(), Name: z.string() }).meta({ id: 'ProviderName' }),
);
export type ProviderName = z.output<typeof ProviderName>;

export const Card = z.lazy(() =>
  z
    .strictObject({
      CardNumber: z.string().describe('Masked: 4111********1111.').nullable(),
      ExpiryDate: z.string().nullable(),
      Cardholder: text(),
      Type: z.string().describe('The scheme: VISA, MASTERCARD, AMEX, …').nullable(),
      CardType: z.string().describe('CREDIT or DEBIT.').nullable(),
      CardIin: z.string().nullable(),
      CcvCheck: z.boolean().nullable(),
    })
    .meta({ id: 'Card' }),
);
export type Card = z.output<typeof Card>;

export const BankPayment = z.lazy(() =>
  z
    .strictObject({ BankCode: z.string(), AccountNumber: z.string(), AccountName: z.string() })
    .meta({ id: 'BankPayment' }),
);
export type BankPayment = z.output<typeof BankPayment>;

const PAY_TO_STATUSES = ['PENDING', 'ACTIVE'] as const;

export const payToStatus = () => z.enum(PAY_TO_STATUSES).nullable();

export const PayTo = z.lazy(() =>
  z
    .strictObject({
      PayToId: z.string(),
      Status: z.enum(PAY_TO_STATUSES),
      PayerName: z.string(),
      PayerPayIdDetails: z.strictObject({ PayId: z.string(), PayIdType: z.string() }),
      PayerDirectDebitDetails: never(),
      ProviderId: z.string(),
      ProviderType: z.string(),
    })
    .meta({ id: 'PayTo' }),
);
export type PayTo = z.output<typeof PayTo>;

export const CustomerSummary = z.lazy(() =>
  z
    .strictObject({
      CustomerId: id(),
      Reference: text(),
      FirstName: text(),
      LastName: text(),
      Email: text(),
      Phone: text(),
      DateAdded: instant(),
    })
    .meta({ id: 'CustomerSummary' }),
);
export type CustomerSummary = z.output<typeof CustomerSummary>;

export const sourceType = () => z.enum(['CARD', 'BANK_ACCOUNT', 'PAYTO']);
