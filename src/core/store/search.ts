import type { Candidates, StoredRecord, Table } from './store.js';

export interface Page {
  readonly limit: number;
  readonly skip: number;
}

export interface SortOrder<W extends string> {
  readonly by: W;
  readonly descending: boolean;
}

/** Parses an order such as `date` or `-date` (descending); undefined for an unknown word. */
export function parseOrder<W extends string>(text: string, words: readonly W[]): SortOrder<W> | undefined {
  const descending = text.startsWith('-');
  const name = text.slice(descending ? 1 : 0).toLowerCase();
  const by = words.find((word) => word.toLowerCase() === name);
  return by && { by, descending };
}

type RecordTest<R> = (record: R) => boolean;

export interface SearchResult<R> {
  /** One page of the matches. */
  readonly found: readonly R[];
  /** The number of all matches. */
  readonly count: number;
}

export interface PagedQuery<W extends string = 'Date'> {
  /** Exclusive, as is `addedBefore`. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  /** Null for newest first. */
  readonly order: SortOrder<W> | null;
}

/** Each condition turns its argument into a test. */
type SearchConditions<R> = Readonly<Record<string, (wanted: never) => RecordTest<R>>>;

/** The arguments of the conditions, which must all hold; null for none. */
export type SearchFilter<C extends SearchConditions<never>, W extends string = 'Date'> = PagedQuery<W> & {
  readonly [Name in keyof C]: Parameters<C[Name]>[0] | null;
};

interface SearchPlan<R, C extends SearchConditions<R>, W extends string> {
  readonly conditions: C;
  /** The records that match a condition, from an index; null if the index cannot find them for this value. */
  readonly indexes?: {
    readonly [Name in keyof C]?: (wanted: Parameters<C[Name]>[0]) => Candidates<R> | null;
  };
  /** Records that are not in the table and older than all in it, the oldest first. */
  readonly older?: readonly R[];
  /** The sort keys of orders other than by date. */
  readonly orders?: Readonly<Record<Exclude<W, 'Date'>, (record: R) => string | number>>;
  readonly withRemoved?: boolean;
}

/** Newest first, unless the filter has another order. */
export function searchTable<
  R extends StoredRecord & { readonly dateAdded: number },
  C extends SearchConditions<R>,
  W extends string = 'Date',
>(table: Table<R, string>, filter: SearchFilter<C, W>, plan: SearchPlan<R, C, W>): SearchResult<R> {
  const { candidates, indexed } = findCandidates(table, filter, plan);
  const tests: RecordTest<R>[] = [];
  if (plan.withRemoved !== true && table.live < table.size) tests.push(isLiveRecord);
  for (const name in plan.conditions) {
    const wanted = filter[name];
    // The candidates of an index already match its condition.
    if (wanted === null || name === indexed) continue;
    const condition: C[string] | undefined = plan.conditions[name];
    if (condition) tests.push(condition(wanted));
  }
  const { page, order } = filter;
  const within = limitToDates(candidates, filter);
  const sorted = order === null ? undefined : plan.orders?.[order.by as Exclude<W, 'Date'>];
  const descending = order === null || order.descending;
  if (sorted === undefined) return pageByDate(within, tests, page, descending);
  const matches = listMatching(within, tests);
  matches.sort((a, b) => (descending ? -1 : 1) * compareKeys(sorted(a), sorted(b)));
  return { found: matches.slice(page.skip, page.skip + page.limit), count: matches.length };
}

/** The shortest list of candidates, and the name of its index; null for the whole table. */
function findCandidates<R extends StoredRecord, C extends SearchConditions<R>, W extends string>(
  table: Table<R, string>,
  filter: SearchFilter<C, W>,
  { indexes = {}, older = [] }: SearchPlan<R, C, W>,
): { readonly candidates: Candidates<R>; readonly indexed: string | null } {
  let best = { candidates: joinCandidates(older, allRecords(table)), indexed: null as string | null };
  for (const name in indexes) {
    const wanted = filter[name];
    const candidates = wanted === null ? null : indexes[name]?.(wanted);
    if (!candidates) continue;
    if (best.indexed === null || candidates.length < best.candidates.length)
      best = { candidates, indexed: name };
  }
  return best;
}

function isLiveRecord({ dateRemoved = null }: StoredRecord): boolean {
  return dateRemoved === null;
}

/** Compares texts by code units, so that the order is the same on every machine. */
function compareKeys(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function allRecords<R extends StoredRecord>(table: Table<R, string>): Candidates<R> {
  return { length: table.next, at: (i) => table.at(i) };
}

function joinCandidates<R>(older: readonly R[], newer: Candidates<R>): Candidates<R> {
  const { length } = older;
  if (length === 0) return newer;
  return { length: length + newer.length, at: (i) => (i < length ? older[i] : newer.at(i - length)) };
}

export function oneCandidate<R>(record: R | undefined): Candidates<R> {
  return record === undefined ? [] : [record];
}

export function* listRecords<R>(all: Candidates<R>): Generator<R, void> {
  for (let i = 0; i < all.length; i++) {
    const record = all.at(i);
    if (record !== undefined) yield record;
  }
}

/** Expects candidates in the order of their dates. */
function limitToDates<R extends { readonly dateAdded: number }>(
  all: Candidates<R>,
  bounds: { addedAfter: number | null; addedBefore: number | null },
): Candidates<R> {
  const { addedAfter, addedBefore } = bounds;
  if (addedAfter === null && addedBefore === null) return all;
  const dateAt = (i: number): number => all.at(i)?.dateAdded ?? 0;
  const from = addedAfter === null ? 0 : findFirstIndex(all.length, (i) => dateAt(i) > addedAfter);
  const to = addedBefore === null ? all.length : findFirstIndex(all.length, (i) => dateAt(i) >= addedBefore);
  return { length: Math.max(0, to - from), at: (i) => all.at(from + i) };
}

function findFirstIndex(length: number, holds: (i: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Without tests, the time does not depend on the length of the list. */
export function pageByDate<R>(
  all: Candidates<R>,
  tests: readonly RecordTest<R>[],
  page: Page,
  newestFirst: boolean,
): SearchResult<R> {
  const { skip, limit } = page;
  const recordAt = (i: number): R | undefined => all.at(newestFirst ? all.length - 1 - i : i);
  const found: R[] = [];
  const plain = tests.length === 0;
  let count = plain ? all.length : 0;
  const end = plain ? Math.min(skip + limit, all.length) : all.length;
  for (let i = plain ? skip : 0; i < end; i++) {
    const record = recordAt(i);
    if (record === undefined) continue;
    if (plain) found.push(record);
    else if (tests.every((test) => test(record))) {
      if (count >= skip && found.length < limit) found.push(record);
      count++;
    }
  }
  return { found, count };
}

function listMatching<R>(all: Candidates<R>, tests: readonly RecordTest<R>[]): R[] {
  const matches: R[] = [];
  for (let i = all.length - 1; i >= 0; i--) {
    const record = all.at(i);
    if (record !== undefined && tests.every((test) => test(record))) matches.push(record);
  }
  return matches;
}
