import * as z from 'zod';

import { BATCH_STATUSES } from '../../records/batch.js';
import * as answers from '../../http/answers/answers.js';

export const TimelineItemResponse = answers.component('TimelineItem', () => ({
  At: answers.instant(),
  What: z.enum(['added', 'changed', 'failed', 'ended', 'due', 'call', 'webhook', 'attempt']),
  Text: z.string(),
  Status: z.int().nullable().describe('Of a call or an attempt; 0 if there was no answer.'),
  DurationMs: z.number().nullable().describe('Of a call or an attempt, in real time.'),
  EntryId: answers.count().nullable().describe('The call, or the call that caused it.'),
  DeliveryId: z.string().nullable(),
}));
export type TimelineItemResponse = z.output<typeof TimelineItemResponse>;

/** The trigger that decided the answer of a provider to an operation on a record, such as `token:tok_do_not_honor`. */
export const DecisionResponse = answers.component('Decision', () => ({
  At: answers.instant(),
  Operation: z.string(),
  Precedence: z.string().describe('The step of the documented precedence that decided.'),
  Trigger: z.string(),
  Rule: answers.text(),
}));
export type DecisionResponse = z.output<typeof DecisionResponse>;

const BatchRowResponse = answers.component('BatchRow', () => ({
  Row: z.int().positive().describe('Its number in the batch, from 1.'),
  PaymentMethodId: z.string(),
  Amount: z.string(),
  Currency: z.string(),
  Reference: z.string(),
  Status: z.enum(BATCH_STATUSES).describe('The status of the batch while the row waits.'),
  ChargeId: answers.maybeId().describe('Its charge, which may have been declined.'),
  FailureReason: answers.text(),
  GatewayErrorCode: answers.text(),
  GatewayErrorResponse: answers.text(),
  IsRetryable: z.boolean().nullable(),
}));
export type BatchRowResponse = z.output<typeof BatchRowResponse>;

const BatchReasonResponse = answers.component('BatchReason', () => ({
  Reason: z.string(),
  Count: z.int().positive(),
}));
export type BatchReasonResponse = z.output<typeof BatchReasonResponse>;

export const BatchRowsResponse = z.lazy(() =>
  answers.page('Rows', BatchRowResponse).extend({ Reasons: z.array(BatchReasonResponse) }),
);
export type BatchRowsResponse = z.output<typeof BatchRowsResponse>;
