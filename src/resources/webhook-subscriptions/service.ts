import type { Webhook } from '../../core/store/field.js';
import { shortenId } from '../../core/cards/card.js';
import { CODE, refuse, refuseFull, refuseUnknownId } from '../../core/errors.js';
import { type SearchFilter, type SearchResult, searchTable, oneCandidate } from '../../core/store/search.js';
import type { World } from '../../world/world.js';
import {
  SUBSCRIPTIONS_MAX,
  type Topic,
  type WebhookSubscription,
} from '../../records/webhook-subscription.js';

/** Subscribes an address to the events of some topics. Earlier events are not sent. */
export function createWebhookSubscription(
  world: World,
  command: Webhook & { readonly topics: readonly Topic[] },
): WebhookSubscription {
  const { webhookSubscriptions } = world;
  world.requireRoom(webhookSubscriptions, 'webhook subscriptions');
  if (webhookSubscriptions.live >= SUBSCRIPTIONS_MAX) {
    const detail = `A world can have at most ${SUBSCRIPTIONS_MAX} webhook subscriptions. Delete one first.`;
    refuseFull(detail);
  }
  const { url, authorization, topics } = command;
  const subscription: WebhookSubscription = {
    id: webhookSubscriptions.nextId,
    index: webhookSubscriptions.next,
    url,
    authorization,
    topics,
    dateAdded: world.now,
    dateRemoved: null,
  };
  webhookSubscriptions.add(subscription);
  return subscription;
}

/** Returns a subscription, even a removed one. Unknown: 404 with code 110. */
export function requireKnownSubscription(world: World, id: string): WebhookSubscription {
  return (
    world.webhookSubscriptions.find(id) ?? refuseUnknownSubscription(CODE.UnableToGetWebhookSubscription, id)
  );
}

/** Ends a subscription. Unknown or removed: 404 with code 111. */
export function removeWebhookSubscription(world: World, id: string): WebhookSubscription {
  const removed = { ...requireLiveSubscription(world, id), dateRemoved: world.now };
  world.webhookSubscriptions.replace(removed);
  return removed;
}

export function requireLiveSubscription(world: World, id: string): WebhookSubscription {
  const code = CODE.UnableToDeleteWebhookSubscription;
  const found = world.webhookSubscriptions.find(id) ?? refuseUnknownSubscription(code, id);
  if (found.dateRemoved === null) return found;
  return refuse(code, `The webhook subscription ${shortenId(id)} was already removed.`, { httpStatus: 404 });
}

function refuseUnknownSubscription(code: number, id: string): never {
  return refuseUnknownId(code, id, 'webhook subscription', 'WebhookSubscriptionId', { httpStatus: 404 });
}

const CONDITIONS = {
  id: (wanted: string) => (subscription: WebhookSubscription) => subscription.id === wanted,
  type: (wanted: Topic) => (subscription: WebhookSubscription) => subscription.topics.includes(wanted),
};

export type WebhookSubscriptionFilter = SearchFilter<typeof CONDITIONS>;

export function searchWebhookSubscriptions(
  { webhookSubscriptions }: World,
  filter: WebhookSubscriptionFilter,
): SearchResult<WebhookSubscription> {
  return searchTable(webhookSubscriptions, filter, {
    conditions: CONDITIONS,
    indexes: { id: (wanted) => oneCandidate(webhookSubscriptions.find(wanted)) },
  });
}
