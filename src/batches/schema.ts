import * as z from 'zod';

import { count, Fault, kindOf, optionalMetadata, required, text } from '../http/fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';

const SAMPLE = '"PaymentMethodId,Amount,Currency,Reference\\n…"';

/** The CSV text as UTF-8. A long one comes as bytes already: the reader of large bodies gives them so. */
const csvText = () =>
  required((value): Uint8Array | Fault => {
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string') return new TextEncoder().encode(value);
    return new Fault(`must be CSV text, not ${kindOf(value)}`);
  }, SAMPLE);

export const CreateBatch = z
  .object({
    Count: count(),
    Description: text('"Subscriptions of May"'),
    Batch: csvText(),
    Webhook: optionalWebhook(),
    Metadata: optionalMetadata(),
  })
  .transform((body) => ({
    text: body.Batch,
    command: {
      count: body.Count,
      description: body.Description,
      webhook: webhookOf(body.Webhook),
      metadata: body.Metadata,
    },
  }));
