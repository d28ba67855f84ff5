import { type Found, listed, type Order, type Page, pageByDate, whole, withinDates } from '../core/search.js';
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
  const number = id === null ? -1 : table.numberOf(id);
  const all = id === null ? whole(table) : listed(number < 0 ? [] : [number]);
  const tests = [({ dateRemoved }: WebhookSubscription) => dateRemoved === null];
  if (topic !== null) tests.push(({ topics }) => topics.includes(topic));
  const candidates = withinDates(table, all, filter);
  return pageByDate(table, candidates, tests, page, order === null || order.descending);
}
