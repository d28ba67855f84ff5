import {
  type Found,
  type Order,
  type Page,
  pageByDate,
  type Test,
  whole,
  withinDates,
} from '../core/search.js';
import { sameProvider } from '../outcomes/built-in.js';
import type { World } from '../world.js';
import { type Token, type TokenStatus, tokenStatus } from './record.js';

/** What a search for tokens asks; null: anything. All that is asked must hold. */
export interface TokenFilter {
  readonly providerId: string | null;
  readonly status: TokenStatus | null;
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date'> | null;
}

/** Finds tokens, whatever became of them. */
export function searchTokens({ tokens }: World, filter: TokenFilter): Found<Token> {
  const { providerId, status, page, order } = filter;
  const tests: Test<Token>[] = [];
  if (providerId !== null) tests.push((token) => sameProvider(token.providerId, providerId));
  if (status !== null) tests.push((token) => tokenStatus(token) === status);
  const candidates = withinDates(whole(tokens), filter);
  return pageByDate(candidates, tests, page, order === null || order.descending);
}
