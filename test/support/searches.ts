import { expect, test } from 'vitest';

import { type Answer, type Client, warningOf } from './sandbox.js';
import { expectRefused } from './stored.js';

/** Records to search, each in a world of its own: asks with a query, and tells which were found by their names. */
export type Open<Name> = () => Promise<{
  search(query: string): Promise<Answer>;
  found(answer: Answer): Name[];
}>;

/** Searches of a path, whose answers list records under a name; a record is named by the place of its identifier in `ids`. */
export function searchesIn(api: Client, path: string, list: string, idName: string, ids: readonly unknown[]) {
  return {
    search: (query: string) => api.get(`${path}${query}`),
    found: (answer: Answer): number[] =>
      (answer.body[list] as Readonly<Record<string, unknown>>[]).map((record) => ids.indexOf(record[idName])),
  };
}

/** A test for each query of what it finds, in order. */
export function findsEach<Name>(
  open: Open<Name>,
  rows: readonly (readonly [query: string, found: Name[]])[],
) {
  test.each(rows)('finds by %s', async (query, expected) => {
    const { found, search } = await open();
    const answer = await search(query);
    expect(answer.status, answer.text).toBe(200);
    expect(found(answer)).toEqual(expected);
    expect(answer.body['Count']).toBe(expected.length);
    expect(warningOf(answer)).toBeNull();
  });
}

/** The members of a page besides its records; Count is that of all that fit. */
export interface Page {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

/** A test for each query of the page that it shows. */
export function pagesEach<Name>(
  open: Open<Name>,
  rows: readonly (readonly [query: string, page: Page, found: Name[]])[],
) {
  test.each(rows)('pages by %s', async (query, page, expected) => {
    const { found, search } = await open();
    const answer = await search(query);
    expect(answer.body).toMatchObject(page);
    expect(found(answer)).toEqual(expected);
  });
}

/** A test for each filter that is refused; Details names it alone. */
export function refusesFilters(open: Open<unknown>, filters: readonly string[]) {
  test.each(filters)('refuses %s, and names the filter', async (filter) => {
    const { search } = await open();
    const answer = await search(`?${filter}`);
    expectRefused(answer, 400, 90);
    expect(Object.keys(answer.body['Details'] as object)).toEqual([filter.split('=')[0]]);
  });
}
