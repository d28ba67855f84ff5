import {
  allMatching,
  type Found,
  type Order,
  type Page,
  pageByDate,
  whole,
  withinDates,
} from '../core/search.js';
import type { World } from '../world.js';
import type { PaymentLink } from './record.js';

/** What a search for payment links asks; null: anything. All that is asked must hold. */
export interface PaymentLinkFilter {
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date' | 'Title'> | null;
}

/** Finds payment links, newest first unless another order is asked for. */
export function searchPaymentLinks({ paymentLinks }: World, filter: PaymentLinkFilter): Found<PaymentLink> {
  const { page, order } = filter;
  const candidates = withinDates(whole(paymentLinks), filter);
  if (order?.by !== 'Title') {
    return pageByDate(candidates, [], page, order === null || order.descending);
  }
  const sign = order.descending ? -1 : 1;
  const matches = allMatching(candidates, []);
  matches.sort((a, b) => sign * compareTitles(a.title, b.title));
  return { found: matches.slice(page.skip, page.skip + page.limit), count: matches.length };
}

/** By their code units, so that the order is the same on every machine. */
function compareTitles(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
