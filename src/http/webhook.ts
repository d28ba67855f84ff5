import type { Context } from 'hono';

import type { Webhook } from '../core/record-fields.js';
import type { Env } from './exchange.js';

/** A webhook that a request names: its messages are formatted in the dialect of the request. */
export function resolveWebhook(c: Context<Env>, webhook: Webhook): Webhook {
  const { dialect, warnings } = c.get('exchange');
  if (webhook.url.startsWith('http:')) {
    warnings.push(
      'Webhook.Url is http, which is taken for loopback and private hosts only; the service takes https',
    );
  }
  return { ...webhook, dialect };
}
