import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { CODE } from '../../core/errors.js';
import { type FieldsOutput, toCamelCase, requestSchema, optionalInSdk } from '../../http/fields/field.js';
import { requiredCurrency, optionalAmount, requiredAmount } from '../../http/fields/amount-fields.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';

import * as lists from '../../http/fields/list-fields.js';
import { optionalWebhook, toWebhook } from '../../http/fields/webhook-fields.js';
import {
  FREQUENCY_MAX,
  SUBSCRIPTION_TRANSITIONS,
  type SubscriptionStatus,
} from '../../records/subscription.js';
import type { TermsInput, SubscriptionCommand } from './service.js';

/** The maximum number of retries of a charge, and of charges before the end: our own limits. */
const RETRIES_MAX = 1000;
const COUNT_MAX = 1_000_000;
/** The default number of intervals between two charges: our assumption. */
const FREQUENCY_DEFAULT = 1;

const termFields = () => ({
  Amount: requiredAmount(),
  Currency: optionalInSdk(requiredCurrency()),
  Interval: fields.requiredWord('Day', 'Week', 'Month', 'Year').describe('The unit of Frequency.'),
  Frequency: fields
    .optionalWhole(1, FREQUENCY_MAX)
    .describe('The number of intervals between charges. Default: 1.'),
  EndAfter: z
    .object({
      Count: fields.optionalWhole(1, COUNT_MAX).describe('Ends after this number of charges.'),
      Amount: optionalAmount(),
      Date: fields
        .optionalInstant(CODE.ValidationError)
        .describe('The last day on which it may charge, in UTC. The time of day is ignored.'),
    })
    .optional()
    .meta({ description: 'When the charges end. Default: never.' }),
  Retry: z
    .object({
      Maximum: fields.optionalWhole(0, RETRIES_MAX).describe('How many times a failed charge is retried.'),
      Interval: fields.requiredWord('Hour', 'Day').describe('The unit of Frequency.'),
      Frequency: fields
        .optionalWhole(1, FREQUENCY_MAX)
        .describe('The number of intervals between charges. Default: 1.'),
    })
    .optional()
    .meta({ description: 'How failed charges are retried.' }),
  Webhook: optionalWebhook(),
  Metadata: optionalMetadata(),
});

function toTermsInput({
  Frequency,
  EndAfter,
  Retry,
  Webhook,
  ...body
}: FieldsOutput<typeof termFields>): TermsInput {
  return {
    ...toCamelCase(body),
    frequency: Frequency ?? FREQUENCY_DEFAULT,
    endAfter: EndAfter ? toCamelCase(EndAfter) : null,
    retry: Retry ? toCamelCase(Retry) : null,
    webhook: toWebhook(Webhook),
  };
}

export const CreateSubscription = requestSchema(
  () => ({
    PaymentMethodId: fields
      .requiredText('the PaymentMethodId of a stored payment method')
      .describe('The identifier of a stored payment method.'),
    StartDate: fields
      .optionalInstant(CODE.ValidationError)
      .describe('When the first charge is made. Default: at once.'),
    ...termFields(),
  }),
  ({ PaymentMethodId, StartDate, ...body }): SubscriptionCommand => ({
    paymentMethodId: PaymentMethodId,
    startDate: StartDate,
    terms: toTermsInput(body),
  }),
);

/** All terms. A field that is left out becomes null. */
export const UpdateSubscription = requestSchema(termFields, toTermsInput);

const subscriptionStatusField = () =>
  fields.requiredWord('Active', 'Suspended', 'Cancelled', 'Complete').describe('The new status.');
export const SetStatus = requestSchema(() => ({ Status: subscriptionStatusField() }), toCamelCase);

const STATUSES = Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[];

export const SearchSubscriptions = requestSchema(
  () => ({
    AmountGreaterThan: lists.optionalQueryBound().describe('Only records whose amount is greater than this.'),
    AmountLessThan: lists.optionalQueryBound().describe('Only records whose amount is less than this.'),
    ...lists.dateFields(),
    Currency: lists.optionalQueryCurrency().describe('Only records in this currency.'),
    Status: lists.optionalQueryWord(STATUSES).describe('Only records with this status.'),
    ...lists.pageFields(),
    SortBy: lists.sortOrder('Date', 'Status', 'Currency'),
  }),
  lists.toListing,
);

export const SubscriptionResponse = answers.component('Subscription', () => ({
  SubscriptionId: answers.id(),
  PaymentMethodId: answers.id(),
  Amount: answers.amount(),
  Currency: answers.currency(),
  Interval: z.enum(['Day', 'Week', 'Month', 'Year']),
  Frequency: z.int(),
  CreatedDate: answers.instant(),
  StartDate: answers.maybeInstant(),
  NextChargeDate: answers
    .maybeInstant()
    .describe('When the next charge or retry is due. Null unless the status is Active.'),
  EndAfter: z
    .strictObject({
      Count: z.int().nullable(),
      Amount: answers.maybeAmount(),
      Date: answers.maybeInstant(),
    })
    .nullable(),
  Retry: z
    .strictObject({
      Maximum: z.int().nullable(),
      Interval: z.enum(['Hour', 'Day']),
      Frequency: z.int().nullable(),
    })
    .nullable(),
  Webhook: z.strictObject({ Url: z.string(), Authorization: answers.text() }).nullable(),
  Status: z.enum(STATUSES),
  Metadata: answers.metadata(),
}));
export type SubscriptionResponse = z.output<typeof SubscriptionResponse>;
