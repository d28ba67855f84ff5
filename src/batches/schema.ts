import * as z from 'zod';

import { count, Fault, kindOf, optionalMetadata, required, text } from '../http/fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';

const SAMPLE = '"PaymentMethodId,Amount,Currency,Reference\\n…"';

const csvText = () =>
  required(
    (value) => (typeof value === 'string' ? value : new Fault(`must be CSV text, not ${kindOf(value)}`)),
    SAMPLE,
  );

export const CreateBatch = z
  .object({
    Count: count(),
    Description: text('"Subscriptions of May"'),
    Batch: csvText(),
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
