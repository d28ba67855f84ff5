import type { Context } from 'hono';

import type { Webhook } from '../charges/record.js';
import { type Env, worldOf } from './exchange.js';

/** Runs an operation that may name a webhook: with one, once what delivers webhooks is loaded. */
export function withWebhook<T>(
  c: Context<Env>,
  webhook: Webhook | null,
  run: (webhook: Webhook | null) => T | Promise<T>,
): T | Promise<T> {
  return webhook === null ? run(null) : resolveWebhook(c, webhook).then(run);
}

/**
 * A webhook that a request names: its messages are formatted in the dialect of the request. Resolves when what delivers is
 * loaded, and the world is at its present again.
 */
export async function resolveWebhook(c: Context<Env>, webhook: Webhook): Promise<Webhook> {
  const { dialect, warnings } = c.get('exchange');
  const world = worldOf(c);
  await world.webhooks.open();
  await world.enter();
  if (webhook.url.startsWith('http:')) {
    warnings.push(
      'Webhook.Url is http, which is taken for loopback and private hosts only; the service takes https',
    );
  }
  return { ...webhook, dialect };
}
