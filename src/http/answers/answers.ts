import * as z from 'zod';

import { MASKED_ACCOUNT } from '../../core/cards/account.js';
import { PAYMENT_TYPES } from '../../core/cards/payment-type.js';
import { EXPIRY_PATTERN, EXPIRY_SHAPE } from '../../core/time/time.js';
import { CARD_SCHEME, CURRENCY, INSTANT, PROVIDER_ID, RECORD_ID } from '../../records/field-values.js';
import { MASKED_CARD } from '../../records/payment-method.js';

/** Parts of answers. Every field is always present; one without a value is null. */

const recordId = () => z.string().length(32).meta({ values: RECORD_ID });
export const id = (says = 'Identifier: 32 hexadecimal digits.') => recordId().describe(says);
export const instant = () =>
  z.iso.datetime().meta({ description: 'In UTC, with milliseconds.', values: INSTANT });
export const amount = (says = 'In major units, such as 5 or 15.5.') =>
  z.number().meta({ description: says, amount: true });
export const currency = () => z.string().length(3).meta({ values: CURRENCY });
export const providerId = () => z.string().meta({ values: PROVIDER_ID });
export const count = () => z.int().nonnegative();
export const text = () => z.string().nullable();
export const maybeId = () => recordId().nullable();
export const maybeInstant = () => z.iso.datetime().meta({ values: INSTANT }).nullable();
export const maybeAmount = () => z.number().meta({ amount: true }).nullable();
export const metadata = () => z.record(z.string(), z.string()).nullable();
/** A field that client libraries know and the sandbox never fills. */
export const never = () => z.null();

/** An object whose schema is built with the first call that needs it. */
export const object = <F extends z.ZodRawShape>(fields: () => F) => z.lazy(() => z.strictObject(fields()));

/** An object that OpenAPI describes under its own name. */
export const component = <F extends z.ZodRawShape>(name: string, fields: () => F, description?: string) =>
  z.lazy(() =>
    z.strictObject(fields()).meta({ id: name, ...(description === undefined ? {} : { description }) }),
  );

export const page = <const N extends string, T extends z.ZodType>(name: N, item: T) =>
  z.strictObject({
    Limit: z.int().positive(),
    Skip: count(),
    Count: count().describe('The total number of matches, not only those on this page.'),
    ...({ [name]: z.array(item) } as Record<N, z.ZodArray<T>>),
  });

export const ProviderName = component('ProviderName', () => ({
  ProviderId: providerId(),
  Type: z.string(),
  Name: z.string(),
}));
export type ProviderName = z.output<typeof ProviderName>;

export const Card = component('Card', () => ({
  CardNumber: z
    .string()
    .regex(MASKED_CARD, 'must be masked, such as 4111********1111')
    .describe('Masked: 4111********1111.')
    .nullable(),
  ExpiryDate: z.string().regex(EXPIRY_PATTERN, EXPIRY_SHAPE).nullable(),
  Cardholder: text(),
  Type: z
    .string()
    .meta({ description: 'The scheme: VISA, MASTERCARD, AMEX, …', values: CARD_SCHEME })
    .nullable(),
  CardType: z.enum(['CREDIT', 'DEBIT']).nullable(),
  CardIin: z
    .string()
    .regex(/^\d{6}$/, 'must be the first six digits of a card number, such as 411111')
    .nullable(),
  CcvCheck: z.boolean().nullable(),
}));
export type Card = z.output<typeof Card>;

export const BankPayment = component('BankPayment', () => ({
  BankCode: z.string(),
  AccountNumber: z.string().regex(MASKED_ACCOUNT, 'must be masked, such as ******456'),
  AccountName: z.string(),
}));
export type BankPayment = z.output<typeof BankPayment>;

export const PostalAddress = component('PostalAddress', () => ({
  Line1: text(),
  Line2: text(),
  City: text(),
  Country: text(),
  PostalCode: text(),
  State: text(),
}));
export type PostalAddress = z.output<typeof PostalAddress>;

const PAY_TO_STATUSES = ['PENDING', 'ACTIVE'] as const;

export const payToStatus = () => z.enum(PAY_TO_STATUSES).nullable();

export const PayTo = component('PayTo', () => ({
  PayToId: recordId(),
  Status: z.enum(PAY_TO_STATUSES),
  PayerName: z.string(),
  PayerPayIdDetails: z.strictObject({ PayId: z.string(), PayIdType: z.string() }),
  PayerDirectDebitDetails: never(),
  ProviderId: providerId(),
  ProviderType: z.string(),
}));
export type PayTo = z.output<typeof PayTo>;

export const CustomerSummary = component('CustomerSummary', () => ({
  CustomerId: id(),
  Reference: text(),
  FirstName: text(),
  LastName: text(),
  Email: text(),
  Phone: text(),
  DateAdded: instant(),
}));
export type CustomerSummary = z.output<typeof CustomerSummary>;

export const sourceType = () => z.enum(PAYMENT_TYPES);
