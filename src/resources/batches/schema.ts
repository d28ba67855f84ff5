import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { requestSchema } from '../../http/fields/field.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import { requiredCount, optionalText, requiredText } from '../../http/fields/fields.js';
import { dateFields, toListing, pageFields } from '../../http/fields/list-fields.js';
import { optionalWebhook, toWebhook } from '../../http/fields/webhook-fields.js';
import { BATCH_STATUSES } from '../../records/batch.js';

const SAMPLE = '"PaymentMethodId,Amount,Currency,Reference\\n…"';

const csvText = () => z.string().meta({ sample: SAMPLE, expected: 'CSV text' });

export const CreateBatch = requestSchema(
  () => ({
    Count: requiredCount().describe('The number of rows in the batch, without the header.'),
    Description: requiredText('"Subscriptions of May"').describe('A description of your own.'),
    Batch: csvText().describe('CSV with the header PaymentMethodId,Amount,Currency,Reference.'),
    Webhook: optionalWebhook(),
    Metadata: optionalMetadata(),
  }),
  (body) => ({
    count: body.Count,
    description: body.Description,
    text: body.Batch,
    webhook: toWebhook(body.Webhook),
    metadata: body.Metadata,
  }),
);

export const SearchBatches = requestSchema(
  () => ({
    Description: optionalText().describe('Only batches with this description.'),
    ...dateFields(),
    ...pageFields(),
  }),
  toListing,
);

const summaryAnswer = () => ({
  BatchId: answers.id(),
  Count: answers.count(),
  Description: z.string(),
  Status: z.enum(BATCH_STATUSES),
  Progress: z.number().min(0).max(1),
  DateAdded: answers.instant(),
  Metadata: answers.metadata(),
});
const statusAnswer = () => ({ ...summaryAnswer(), Success: answers.count(), Failure: answers.count() });

export const BatchSummary = answers.component('BatchSummary', summaryAnswer);
export type BatchSummary = z.output<typeof BatchSummary>;

export const BatchStatusResponse = answers.component('BatchStatus', statusAnswer);
export type BatchStatusResponse = z.output<typeof BatchStatusResponse>;

export const BatchResponse = answers.component('Batch', () => ({
  ...statusAnswer(),
  Results: z.string().describe('CSV with the result of each row, in the order of the batch.'),
}));
export type BatchResponse = z.output<typeof BatchResponse>;
