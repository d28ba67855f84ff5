import { type Found, type Page, pageByDate, type Test, whole, withinDates } from '../core/search.js';
import type { World } from '../world.js';
import type { Batch } from './record.js';

/** What a search for batches asks; null: anything. All that is asked must hold. */
export interface BatchFilter {
  readonly description: string | null;
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
}

/** Finds batches, newest first. */
export function searchBatches({ batches }: World, filter: BatchFilter): Found<Batch> {
  const { description, page } = filter;
  const tests: Test<Batch>[] = description === null ? [] : [(batch) => batch.description === description];
  return pageByDate(withinDates(whole(batches), filter), tests, page, true);
}
