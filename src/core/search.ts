import type { Candidates, Stored, Table } from './store.js';

/** Searching a table: candidates from an index, conditions, one page of what matches. */

/** The part of a list that is asked for. */
export interface Page {
  readonly limit: number;
  readonly skip: number;
}

/** An order by one member. */
export interface Order<W extends string> {
  readonly by: W;
  readonly descending: boolean;
}

/** The order that a text asks for, `-` in front: descending; undefined where it names none of the words. */
export function orderNamed<W extends string>(asked: string, words: readonly W[]): Order<W> | undefined {
  const descending = asked.startsWith('-');
  const name = asked.slice(descending ? 1 : 0).toLowerCase();
  const by = words.find((word) => word.toLowerCase() === name);
  return by && { by, descending };
}

export type Test<R> = (record: R) => boolean;

/** A page of the records that match, and how many match in all. */
export interface Found<R> {
  readonly found: readonly R[];
  readonly count: number;
}

/** All records of a table. */
export function whole<R extends Stored>(table: Table<R, string>): Candidates<R> {
  return { length: table.next, at: (i) => table.at(i) };
}

/** The records among candidates, the oldest first. */
export function* recordsIn<R>(all: Candidates<R>): Generator<R, void> {
  for (let i = 0; i < all.length; i++) {
    const record = all.at(i);
    if (record !== undefined) yield record;
  }
}

/** Cuts candidates down to the dates asked for (exclusive): they are in the order of their dates. */
export function withinDates<R extends { readonly dateAdded: number }>(
  all: Candidates<R>,
  asked: { addedAfter: number | null; addedBefore: number | null },
): Candidates<R> {
  const { addedAfter, addedBefore } = asked;
  if (addedAfter === null && addedBefore === null) return all;
  const dateAt = (i: number): number => all.at(i)?.dateAdded ?? 0;
  const from = addedAfter === null ? 0 : firstWhere(all.length, (i) => dateAt(i) > addedAfter);
  const to = addedBefore === null ? all.length : firstWhere(all.length, (i) => dateAt(i) >= addedBefore);
  return { length: Math.max(0, to - from), at: (i) => all.at(from + i) };
}

/** The first index from which on a condition holds, by halving. */
function firstWhere(length: number, holds: (i: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** One page in the order of the dates. Without conditions it is cut out, however long the list is. */
export function pageByDate<R>(
  all: Candidates<R>,
  tests: readonly Test<R>[],
  page: Page,
  newestFirst: boolean,
): Found<R> {
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

/** All that match, newest first: for orders that need to see everything. */
export function allMatching<R>(all: Candidates<R>, tests: readonly Test<R>[]): R[] {
  const matches: R[] = [];
  for (let i = all.length - 1; i >= 0; i--) {
    const record = all.at(i);
    if (record !== undefined && tests.every((test) => test(record))) matches.push(record);
  }
  return matches;
}
