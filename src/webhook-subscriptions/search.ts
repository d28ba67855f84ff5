import { type Found, type Order, type Page, pageByDate, whole, withinDates } from '../core/search.js';
import type { Candidates } from '../core/store.js';
import type { World } from '../world.js';
import type { Topic, WebhookSubscription } from './record.js';

/** What a search for subscriptions asks; null: anything. All that is asked must hold. */
export interface SubscriptionFilter {
  readonly id: string | null;
  readonly topic: Topic | null;
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date'> | null;
}

/** Finds the subscriptions that are not removed. */
export function searchSubscriptions(world: World, filter: SubscriptionFilter): Found<WebhookSubscription> {
  const { webhookSubscriptions: table } = world;
  const { id, topic, page, order } = filter;
  const named = id === null ? undefined : table.find(id);
  const all: Candidates<WebhookSubscription> =
    id === null ? whole(table) : named === undefined ? [] : [named];
  const tests = [({ dateRemoved }: WebhookSubscription) => dateRemoved === null];
  if (topic !== null) tests.push(({ topics }) => topics.includes(topic));
  const candidates = withinDates(all, filter);
  return pageByDate(candidates, tests, page, order === null || order.descending);
}
