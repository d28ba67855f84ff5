import * as z from 'zod';

import type { Page, SearchResult } from '../../core/store/search.js';
import { optionalText } from '../../http/fields/fields.js';

/** The query of a list, as `requestSchema` builds it. */
export type SearchSchema<F> = z.ZodLazy<z.ZodPipe<z.ZodObject, z.ZodType<F>>>;

/** The texts of records that people choose, by which they look for them; and the identifier, of which they see a part. */
const FOUND_BY = ['id', 'reference', 'description', 'title', 'email', 'firstName', 'lastName', 'account'];

/** The query of a list with a filter that finds parts of texts, which no list of the service has. */
export function addContains<F>(query: SearchSchema<F>): z.ZodType<F & { readonly contains: string | null }> {
  return z.lazy(() => {
    const { in: fields, out: command } = query.unwrap();
    const Contains = optionalText().describe(
      'Only records whose identifier, reference, description, title, account, name or e-mail contains this text, in any letter case.',
    );
    return z.object({ ...fields.shape, Contains }).transform((body) => {
      const { Contains: contains, ...rest } = body;
      return { ...command.parse(rest), contains };
    });
  });
}

/** A page of the records that a search finds and that contain a text. */
export function searchContaining<F extends { readonly page: Page }, R extends object>(
  { contains, ...filter }: F & { readonly contains: string | null },
  search: (filter: F) => SearchResult<R>,
): SearchResult<R> {
  const { page } = filter;
  const given = filter as unknown as F;
  if (contains === null) return search(given);
  const wanted = contains.toLowerCase();
  const hasText = (value: unknown): boolean =>
    typeof value === 'string' && value.toLowerCase().includes(wanted);
  const fits = (record: R): boolean =>
    FOUND_BY.some((name) => hasText((record as Readonly<Record<string, unknown>>)[name]));
  const all = search({ ...given, page: { skip: 0, limit: Infinity } }).found.filter(fits);
  return { found: all.slice(page.skip, page.skip + page.limit), count: all.length };
}
