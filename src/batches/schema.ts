import * as z from 'zod';

import { count, optionalMetadata, text } from '../http/fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';

const SAMPLE = '"PaymentMethodId,Amount,Currency,Reference\\n…"';

const csvText = () => z.string().meta({ sample: SAMPLE, expected: 'CSV text' });

export const CreateBatch = z
  .object({
    Count: count().describe('How many rows the batch has.'),
    Description: text('"Subscriptions of May"').describe('In your words.'),
    Batch: csvText().describe('CSV with the header PaymentMethodId,Amount,Currency,Reference.'),
    Webhook: optionalWebhook(),
    Metadata: optionalMetadata(),
  })
  .transform((body) => ({
    count: body.Count,
    description: body.Description,
    text: body.Batch,
    webhook: webhookOf(body.Webhook),
    metadata: body.Metadata,
  }));
