import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { count, kindOf, optionalMetadata, text } from '../wire/fields.js';
import { optionalWebhook } from '../wire/webhook-fields.js';

const SAMPLE = '"PaymentMethodId,Amount,Currency,Reference\\n…"';

/** The CSV text as UTF-8. A long one comes as bytes already: the reader of large bodies gives them so. */
const csvText = (): z.ZodType<Uint8Array> =>
  z.unknown().transform((value, context): Uint8Array => {
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string') return new TextEncoder().encode(value);
    const message =
      value === undefined ? `is required, for example ${SAMPLE}` : `must be CSV text, not ${kindOf(value)}`;
    context.issues.push({ code: 'custom', message, input: value, params: { code: CODE.ValidationError } });
    return z.NEVER;
  });

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
      webhook: body.Webhook ? { url: body.Webhook.Url, authorization: body.Webhook.Authorization } : null,
      metadata: body.Metadata,
    },
  }));
