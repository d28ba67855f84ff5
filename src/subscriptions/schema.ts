import * as z from 'zod';

import { CODE } from '../core/errors.js';
import {
  amount,
  currency,
  optionalAmount,
  optionalInSdk,
  optionalInstant,
  optionalMetadata,
  text,
} from '../http/fields.js';
import { optionalWhole, word } from '../http/further-fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';
import type { Interval, RetryInterval, SubscriptionStatus } from './record.js';
import type { AskedTerms, SubscriptionCommand } from './service.js';

/** The longest distance between two due dates or retries, in intervals: our own limit. */
const FREQUENCY_MAX = 1000;
/** The most retries of one charge, and the most charges that an end can wait for: our own limits. */
const RETRIES_MAX = 1000;
const COUNT_MAX = 1_000_000;
/** How many intervals lie between two charges unless told otherwise: our assumption. */
const FREQUENCY_DEFAULT = 1;

const terms = {
  Amount: amount(),
  Currency: optionalInSdk(currency()),
  Interval: word<Interval>('Day', 'Week', 'Month', 'Year'),
  Frequency: optionalWhole(1, FREQUENCY_MAX),
  EndAfter: z
    .object({
      Count: optionalWhole(1, COUNT_MAX),
      Amount: optionalAmount(),
      Date: optionalInstant(CODE.ValidationError),
    })
    .optional(),
  Retry: z
    .object({
      Maximum: optionalWhole(0, RETRIES_MAX),
      Interval: word<RetryInterval>('Hour', 'Day'),
      Frequency: optionalWhole(1, FREQUENCY_MAX),
    })
    .optional(),
  Webhook: optionalWebhook(),
  Metadata: optionalMetadata(),
};

const Terms = z.object(terms);

function termsOf({ EndAfter, Retry, Webhook, ...body }: z.output<typeof Terms>): AskedTerms {
  return {
    amount: body.Amount,
    currency: body.Currency,
    interval: body.Interval,
    frequency: body.Frequency ?? FREQUENCY_DEFAULT,
    endAfter: EndAfter ? { count: EndAfter.Count, amount: EndAfter.Amount, date: EndAfter.Date } : null,
    retry: Retry ? { maximum: Retry.Maximum, interval: Retry.Interval, frequency: Retry.Frequency } : null,
    webhook: webhookOf(Webhook),
    metadata: body.Metadata,
  };
}

export const CreateSubscription = z
  .object({
    PaymentMethodId: text('the PaymentMethodId of a stored payment method'),
    StartDate: optionalInstant(CODE.ValidationError),
    ...terms,
  })
  .transform((body): SubscriptionCommand => ({
    paymentMethodId: body.PaymentMethodId,
    startDate: body.StartDate,
    terms: termsOf(body),
  }));

/** The whole of the terms: what is left out is none from then on. */
export const UpdateSubscription = Terms.transform(termsOf);

export const SetStatus = z
  .object({ Status: word<SubscriptionStatus>('Active', 'Suspended', 'Cancelled', 'Complete') })
  .transform((body) => ({ status: body.Status }));
