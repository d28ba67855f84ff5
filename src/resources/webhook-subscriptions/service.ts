import type { Webhook } from '../../core/store/field.js';
import { shownId } from '../../core/cards/card.js';
import { CODE, refuse, refuseFull } from '../../core/errors.js';
import { type Filter, type Found, search, single } from '../../core/store/search.js';
import type { World } from '../../world/world.js';
import {
  SUBSCRIPTIONS_MAX,
  type Topic,
  type WebhookSubscription,
} from '../../records/webhook-subscription.js';

/** Subscribes an address to the events of some topics. Earlier events are not sent. */
export function createSubscription(
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
export function findSubscription(world: World, id: string): WebhookSubscription {
  const found = world.webhookSubscriptions.find(id);
  if (found) return found;
  const detail = `There is no webhook subscription ${shownId(id)} in this world. Each x-secretkey has its own.`;
  return refuse(CODE.UnableToGetWebhookSubscription, detail, { httpStatus: 404 });
}

/** Ends a subscription. Unknown or removed: 404 with code 111. */
export function removeSubscription(world: World, id: string): WebhookSubscription {
  const found = world.webhookSubscriptions.find(id);
  if (!found || found.dateRemoved !== null) {
    const why = found ? 'was already removed' : 'does not exist in this world';
    return refuse(CODE.UnableToDeleteWebhookSubscription, `The webhook subscription ${shownId(id)} ${why}.`, {
      httpStatus: 404,
    });
  }
  const removed = { ...found, dateRemoved: world.now };
  world.webhookSubscriptions.replace(removed);
  return removed;
}

const CONDITIONS = {
  id: (asked: string) => (one: WebhookSubscription) => one.id === asked,
  type: (asked: Topic) => (one: WebhookSubscription) => one.topics.includes(asked),
};

export type SubscriptionFilter = Filter<typeof CONDITIONS>;

export function searchSubscriptions(
  { webhookSubscriptions }: World,
  filter: SubscriptionFilter,
): Found<WebhookSubscription> {
  return search(webhookSubscriptions, filter, {
    conditions: CONDITIONS,
    indexes: { id: (asked) => single(webhookSubscriptions.find(asked)) },
  });
}
