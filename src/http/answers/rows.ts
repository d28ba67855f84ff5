import type { Context } from 'hono';
import * as z from 'zod';

import type { SearchResult, Page } from '../../core/store/search.js';
import type { StoreResult } from '../../outcomes/provider.js';
import type { World } from '../../world/world.js';
import * as answers from './answers.js';
import { type Env, requireWorld } from '../exchange.js';
import { presentOutcome, requireMadeRecord } from './respond.js';
import type { AnyRow } from '../route.js';
import { findPayerEmail } from '../fields/summaries.js';

type RowHead = Pick<
  AnyRow,
  'path' | 'id' | 'operation' | 'summary' | 'text' | 'errors' | 'headers' | 'access'
>;

interface SearchRow<F, T, R extends z.ZodType> extends RowHead {
  readonly query: z.ZodType<F>;
  readonly list: string;
  readonly item: R;
  readonly search: (world: World, filter: F) => SearchResult<T>;
  readonly present: (world: World, record: T, c: Context<Env>) => z.output<R>;
}

/** A row whose answer is a page of matching records. */
export function buildSearchRow<F extends { readonly page: Page }, T, R extends z.ZodType>(
  row: SearchRow<F, T, R>,
): AnyRow {
  const { list, item, search, present, ...head } = row;
  return {
    ...head,
    method: 'get',
    response: z.lazy(() => answers.page(list, item)),
    handle: (c, { query }: { readonly query: F }) => {
      const world = requireWorld(c);
      const { found, count } = search(world, query);
      const { limit, skip } = query.page;
      const shown = found.map((record) => present(world, record, c));
      return { Limit: limit, Skip: skip, Count: count, [list]: shown };
    },
  };
}

interface ReadRow<T, R extends z.ZodType> extends RowHead {
  /** The identifier is read from `{id}`. */
  readonly path: `${string}/{id}${string}`;
  readonly response: R;
  readonly find: (world: World, id: string) => T;
  readonly present: (world: World, record: T) => z.output<R> & object;
}

/** A row whose answer is the record with the identifier in its path. */
export function buildReadRow<T, R extends z.ZodType>({ find, present, ...head }: ReadRow<T, R>): AnyRow {
  return {
    ...head,
    method: 'get',
    find,
    handle: (c, { params }: { readonly params: { readonly id: string } }) => {
      const world = requireWorld(c);
      return present(world, find(world, params.id));
    },
  };
}

/** Answers a call that stores a payment source. `nothing` is the end of the message for a decline. */
export function presentStoredSource<T, A extends object>(
  c: Context<Env>,
  { made, answer, source }: StoreResult<T>,
  present: (world: World, record: T) => A,
  nothing: string,
): A | Promise<never> {
  return presentOutcome(
    c,
    answer,
    () => present(requireWorld(c), requireMadeRecord(made)),
    (because) => ({
      detail: `${because('The provider declined')}; ${nothing}.`,
      payer: { source, email: findPayerEmail(source) },
    }),
  );
}
