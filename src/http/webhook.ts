import type { Context } from 'hono';

import type { Webhook } from '../charges/record.js';
import { type Env, worldOf } from './exchange.js';

/**
 * A webhook that a request names: what it tells is spelt as the request is. Resolves when what tells is loaded, and the
 * world is at its present again.
 */
export async function spoken(c: Context<Env>, webhook: Webhook): Promise<Webhook> {
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
