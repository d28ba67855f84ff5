import { toUnits } from '../core/money.js';
import {
  allMatching,
  type Found,
  type Order,
  type Page,
  pageByDate,
  type Test,
  whole,
  withinDates,
} from '../core/search.js';
import type { World } from '../world.js';
import type { Subscription, SubscriptionStatus } from './record.js';

/** What a search for subscriptions asks; null: anything. All that is asked must hold. */
export interface SubscriptionFilter {
  /** In units of 0.0001, exclusive. */
  readonly amountAbove: number | null;
  readonly amountBelow: number | null;
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly currency: string | null;
  readonly status: SubscriptionStatus | null;
  readonly page: Page;
  readonly order: Order<'Date' | 'Status' | 'Currency'> | null;
}

/** Finds subscriptions, newest first unless another order is asked for. */
export function searchSubscriptions(
  { subscriptions }: World,
  filter: SubscriptionFilter,
): Found<Subscription> {
  const { page, order } = filter;
  const candidates = withinDates(whole(subscriptions), filter);
  const tests = testsOf(filter);
  if (order === null || order.by === 'Date') {
    return pageByDate(candidates, tests, page, order === null || order.descending);
  }
  const wordOf = ({ status, currency }: Subscription): string => (order.by === 'Status' ? status : currency);
  const sign = order.descending ? -1 : 1;
  const matches = allMatching(candidates, tests);
  matches.sort((a, b) => sign * compareWords(wordOf(a), wordOf(b)));
  return { found: matches.slice(page.skip, page.skip + page.limit), count: matches.length };
}

function testsOf(filter: SubscriptionFilter): Test<Subscription>[] {
  const { amountAbove, amountBelow, currency, status } = filter;
  const tests: Test<Subscription>[] = [];
  const units = (one: Subscription): number => toUnits(one.amountMinor, one.currency);
  if (amountAbove !== null) tests.push((one) => units(one) > amountAbove);
  if (amountBelow !== null) tests.push((one) => units(one) < amountBelow);
  if (currency !== null) tests.push((one) => one.currency === currency);
  if (status !== null) tests.push((one) => one.status === status);
  return tests;
}

function compareWords(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
