import * as z from 'zod';

import { paymentInformation } from '../http/card-fields.js';
import {
  amount,
  NO_EFFECT,
  currency,
  ignoredObject,
  ignoredValue,
  optionalAddress,
  optionalAmount,
  optionalCurrency,
  optionalFlag,
  optionalInSdk,
  optionalMetadata,
  optionalText,
  optionalWord,
  providerId,
  text,
} from '../http/fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';
import type { ChargeDetails } from './service.js';

/** The optional members that every charge takes. */
export const common = {
  Currency: optionalCurrency(),
  Reference: optionalText().describe('Your reference.'),
  Capture: optionalFlag().describe('False: only authorise. True unless told otherwise.'),
  Initiator: optionalWord('CUSTOMER', 'MERCHANT').describe('Who began the charge.'),
  Descriptor: optionalText().describe('What the payer’s statement says.'),
  Metadata: optionalMetadata(),
  Webhook: optionalWebhook(),
  // Taken so that a program that sends them is not refused; nothing depends on them.
  Ip: optionalText().describe('The payer’s address.'),
  Address: optionalAddress(),
  Order: ignoredObject(),
  CustomerCode: optionalText().describe(NO_EFFECT),
  InvoiceNumber: optionalText().describe(NO_EFFECT),
  FirstName: optionalText(),
  LastName: optionalText(),
  Email: optionalText(),
  Phone: optionalText(),
  Geolocation: ignoredObject(),
  Recurring: ignoredValue(),
};

const Common = z.object(common);

/** The details of a charge with these members. */
export function detailsOf(body: z.output<typeof Common>): ChargeDetails {
  return {
    currency: body.Currency,
    reference: body.Reference,
    capture: body.Capture ?? true,
    initiator: body.Initiator,
    descriptor: body.Descriptor,
    metadata: body.Metadata,
    webhook: webhookOf(body.Webhook),
    subscription: null,
  };
}

export const ChargeCard = z
  .object({ Amount: amount(), ProviderId: providerId(), PaymentInformation: paymentInformation(), ...common })
  .transform((body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    details: detailsOf(body),
  }));

export const ChargeToken = z
  .object({
    Amount: amount(),
    Token: text('"tok_approve"').describe('A token of a card; it is spent by its first use.'),
    ...common,
  })
  .transform((body) => ({ amount: body.Amount, token: body.Token, details: detailsOf(body) }));

export const ChargeCustomer = z
  .object({
    Amount: amount(),
    ProviderId: optionalInSdk(providerId()),
    CustomerId: text('the CustomerId of a stored customer').describe('A stored customer.'),
    ...common,
  })
  .transform((body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    customerId: body.CustomerId,
    details: detailsOf(body),
  }));

export const ChargePaymentMethod = z
  .object({
    Amount: amount(),
    PaymentMethodId: text('the PaymentMethodId of a stored payment method').describe(
      'A stored payment method.',
    ),
    ...common,
    Currency: optionalInSdk(currency()),
  })
  .transform((body) => ({
    amount: body.Amount,
    paymentMethodId: body.PaymentMethodId,
    details: detailsOf(body),
  }));

export const CaptureCharge = z
  .object({ Amount: optionalInSdk(amount()) })
  .transform((body) => ({ amount: body.Amount }));

/** What a refund may say, in the query or in a body. */
export const RefundCharge = z
  .object({
    Amount: optionalAmount().describe('How much; all that is left unless told otherwise.'),
    Comment: optionalText().describe('Why the money goes back.'),
  })
  .transform((body) => ({ amount: body.Amount, comment: body.Comment }));
