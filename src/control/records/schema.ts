import * as z from 'zod';

import { BATCH_STATUSES } from '../../records/batch.js';
import * as answers from '../../http/answers/answers.js';

export const TimelineItemResponse = answers.component('TimelineItem', () => ({
  At: answers.instant(),
  What: z.enum(['added', 'changed', 'failed', 'ended', 'due', 'call', 'webhook']),
  Text: z.string(),
  EntryId: answers.count().nullable(),
  DeliveryId: z.string().nullable(),
}));
export type TimelineItemResponse = z.output<typeof TimelineItemResponse>;

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

export const BatchRowsResponse = z.lazy(() => answers.page('Rows', BatchRowResponse));
export type BatchRowsResponse = z.output<typeof BatchRowsResponse>;
