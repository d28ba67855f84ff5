import { formatInstant } from '../../core/time/time.js';
import { presentInstant } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { WebhookSubscription } from '../../records/webhook-subscription.js';
import type { WebhookSubscriptionResponse } from './schema.js';

/** Replaces the credentials of an Authorization, which are never shown again. */
const HIDDEN = '********';

export function presentWebhookSubscription(
  world: World,
  subscription: WebhookSubscription,
): WebhookSubscriptionResponse {
  return {
    WebhookSubscriptionId: subscription.id,
    AccountId: world.chance.identifiers('account').at(0),
    Url: subscription.url,
    Authorization: presentAuthorization(subscription.authorization),
    Types: [...subscription.topics],
    CreatedDate: formatInstant(subscription.dateAdded),
    DateRemoved: presentInstant(subscription.dateRemoved),
  };
}

/** Only the scheme, such as `Basic`, stays readable. */
function presentAuthorization(authorization: string | null): string | null {
  if (authorization === null) return null;
  const [scheme = '', ...rest] = authorization.split(' ');
  return rest.length === 0 ? HIDDEN : `${scheme} ${HIDDEN}`;
}
