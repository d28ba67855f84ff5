import * as z from 'zod';

import { count, optionalMetadata, optionalText, text } from '../http/fields.js';
import { optionalQueryInstant, pageFields } from '../http/list-fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';
import type { BatchFilter } from './service.js';

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

export const SearchBatches = z
  .object({
    Description: optionalText().describe('With this description.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
  })
  .transform((asked): BatchFilter => ({
    description: asked.Description,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
  }));
