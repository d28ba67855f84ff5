import {
  type Found,
  type Order,
  type Page,
  pageByDate,
  type Test,
  whole,
  withinDates,
} from '../core/search.js';
import type { Candidates } from '../core/store.js';
import { sameProvider } from '../outcomes/built-in.js';
import type { World } from '../world.js';
import type { Transfer, TransferStatus } from './record.js';

/** What a search for transfers asks; null: anything. All that is asked must hold. */
export interface TransferFilter {
  readonly reference: string | null;
  readonly providerId: string | null;
  readonly status: TransferStatus | null;
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date'> | null;
}

/** Finds transfers, newest first unless another order is asked for. */
export function searchTransfers({ transfers }: World, filter: TransferFilter): Found<Transfer> {
  const { reference, providerId, status, page, order } = filter;
  const all: Candidates<Transfer> =
    reference === null ? whole(transfers) : transfers.by('reference', reference);
  const tests: Test<Transfer>[] = [];
  if (providerId !== null) tests.push((one) => sameProvider(one.providerId, providerId));
  if (status !== null) tests.push((one) => one.status === status);
  const newestFirst = order === null || order.descending;
  return pageByDate(withinDates(all, filter), tests, page, newestFirst);
}
