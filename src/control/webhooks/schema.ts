import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { patternsOverlap } from '../../core/text/glob.js';
import { optionalField, toCamelCase, requestSchema, cappedText } from '../../http/fields/field.js';
import { optionalText, TEXT_MAX } from '../../http/fields/fields.js';
import { optionalQueryWord, pageFields } from '../../http/fields/list-fields.js';
import { RECORD_ID } from '../../records/field-values.js';
import type { DeliveryStatus } from '../../webhooks/delivery.js';

const STATUSES = ['pending', 'delivered', 'failed', 'withheld'] as const satisfies readonly DeliveryStatus[];

/** Pending webhooks are waiting for their first attempt, or are retrying after one that failed. */
const STATUS_FILTERS = [...STATUSES, 'waiting', 'retrying', 'failing'] as const;

const optionalThat = (fits: (text: string) => boolean, error: string) =>
  optionalField(cappedText(TEXT_MAX).refine(fits, { error }));

export const ListDeliveries = requestSchema(
  () => ({
    ...pageFields(),
    Status: optionalQueryWord(STATUS_FILTERS).describe(
      'Only deliveries with this status. Those that are pending are waiting for their first attempt, or retrying. Failing ones are retrying or failed, and were not delivered when they were sent again.',
    ),
    Reference: optionalText().describe('Only messages about a record with exactly this reference.'),
    Ref: optionalThat((id) => RECORD_ID.read(id) !== undefined, `must be ${RECORD_ID.accepted}`).describe(
      'Only messages about the record with this identifier.',
    ),
    Url: optionalThat(
      (pattern) => patternsOverlap('http*://*', pattern),
      'must be a whole address, such as http://127.0.0.1:8080/hooks, or a pattern such as *127.0.0.1*',
    ).describe('Only deliveries to this address; * matches any characters.'),
    Search: optionalText().describe('Only deliveries that contain this text, in any letter case.'),
  }),
  ({ Limit, Skip, ...filters }) => ({ page: { limit: Limit, skip: Skip }, filter: toCamelCase(filters) }),
);

export type DeliveryFilter = z.output<typeof ListDeliveries>['filter'];

const deliveryStatusAnswer = () => z.enum(STATUSES);

/** A delivery as part of the call that caused it. */
export const CausedResponse = answers.object(() => ({
  DeliveryId: z.string(),
  EventType: z.string(),
  Url: z.string(),
  Attempt: answers.count(),
  Status: deliveryStatusAnswer(),
  ResponseStatus: z.int().nullable(),
}));
export type CausedResponse = z.output<typeof CausedResponse>;

const headersAnswer = () =>
  z.record(z.string(), z.string()).nullable().describe('Without secrets; cut after 1,000 characters.');

/** An attempt to deliver a webhook. */
const AttemptResponse = answers.object(() => ({
  At: answers.instant().describe('When it began.'),
  DurationMs: z.number().nullable().describe('In real time. Null in a restored world, like the headers.'),
  ResponseStatus: z.int().nullable().describe('Null if there was no response.'),
  Status: z.enum(['delivered', 'failed']),
  Note: answers.text().describe('Why it failed.'),
  RequestHeaders: headersAnswer(),
  ResponseHeaders: headersAnswer(),
  ResponseBody: answers.text().describe('Without secrets; cut after 4,096 characters.'),
}));

export const DeliveryResponse = answers.component('Delivery', () => ({
  DeliveryId: z.string(),
  MessageId: z.string(),
  Url: z.string(),
  EventType: z.string(),
  Ref: z.string().describe('The identifier of the record that the event is about.'),
  Attempt: answers.count(),
  Attempts: z.array(AttemptResponse).describe('The attempts that have ended, the first one first.'),
  At: answers.instant().describe('When it was last attempted or, before the first attempt, created.'),
  Status: deliveryStatusAnswer(),
  ResponseStatus: z.int().nullable(),
  NextAttemptAt: answers.maybeInstant(),
  Note: answers.text(),
  Policy: answers.text().describe('The scenario’s webhook policy that affected it.'),
  EntryId: z.int().nullable().describe('The call that caused it.'),
  ResendOf: answers.text().describe('The delivery whose message was sent again by hand.'),
  Body: z.record(z.string(), z.unknown()).describe('The message that is sent to the receiver.'),
}));
export type DeliveryResponse = z.output<typeof DeliveryResponse>;

const ReceiverResponse = answers.component('Receiver', () => ({
  Url: z.string(),
  Deliveries: answers.count(),
  Failing: answers.count().describe('How many webhooks Status=failing lists.'),
  Attempts: answers.count(),
  FailedAttempts: answers.count(),
  FailedPercent: answers.count().describe('The share of failed attempts, rounded down, but never to 0.'),
  SlowestMs: z.number().nullable().describe('Of the attempts, in real time.'),
  LastError: answers
    .text()
    .describe('The status of the latest response that was not 2xx, or why there was none.'),
  LastErrorAt: answers.maybeInstant(),
}));
export type ReceiverResponse = z.output<typeof ReceiverResponse>;

export const DeliveriesResponse = z.lazy(() =>
  answers.page('Deliveries', DeliveryResponse).extend({
    Evicted: answers.count(),
    Lost: answers.count(),
    Receivers: z
      .array(ReceiverResponse)
      .describe(
        'Of all deliveries in the log, whatever the filter: the first 100 addresses, the worst first.',
      ),
  }),
);
export type DeliveriesResponse = z.output<typeof DeliveriesResponse>;
