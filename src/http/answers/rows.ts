import type { Context } from 'hono';
import * as z from 'zod';

import type { Found, Page } from '../../core/store/search.js';
import type { Made } from '../../outcomes/provider.js';
import type { World } from '../../world/world.js';
import * as answers from './answers.js';
import { type Env, worldOf } from '../exchange.js';
import { presentOutcome, requireMade } from './respond.js';
import type { AnyRow } from '../route.js';
import { payerEmail } from '../fields/summaries.js';

type Said = Pick<AnyRow, 'path' | 'id' | 'operation' | 'summary' | 'text' | 'errors'>;

interface SearchRow<F, T, R extends z.ZodType> extends Said {
  readonly query: z.ZodType<F>;
  readonly list: string;
  readonly item: R;
  readonly search: (world: World, filter: F) => Found<T>;
  readonly present: (world: World, record: T, c: Context<Env>) => z.output<R>;
}

/** A row whose answer is a page of matching records. */
export function searchRow<F extends { readonly page: Page }, T, R extends z.ZodType>(
  row: SearchRow<F, T, R>,
): AnyRow {
  const { list, item, search, present, ...said } = row;
  return {
    ...said,
    method: 'get',
    response: z.lazy(() => answers.page(list, item)),
    handle: (c, { query }: { readonly query: F }) => {
      const world = worldOf(c);
      const { found, count } = search(world, query);
      const { limit, skip } = query.page;
      const shown = found.map((record) => present(world, record, c));
      return { Limit: limit, Skip: skip, Count: count, [list]: shown };
    },
  };
}

interface ReadRow<T, R extends z.ZodType> extends Said {
  readonly response: R;
  readonly find: (world: World, id: string) => T;
  readonly present: (world: World, record: T) => z.output<R> & object;
}

/** A row whose answer is the record with the identifier in its path. */
export function readRow<T, R extends z.ZodType>({ find, present, ...said }: ReadRow<T, R>): AnyRow {
  return {
    ...said,
    method: 'get',
    find,
    handle: (c, { params }: { readonly params: { readonly id: string } }) => {
      const world = worldOf(c);
      return present(world, find(world, params.id));
    },
  };
}

/** Answers a call that stores a payment source. `nothing` is the end of the message for a decline. */
export function presentMade<T, A extends object>(
  c: Context<Env>,
  { made, answer, source }: Made<T>,
  present: (world: World, record: T) => A,
  nothing: string,
): A | Promise<never> {
  return presentOutcome(
    c,
    answer,
    () => present(worldOf(c), requireMade(made)),
    (because) => ({
      detail: `${because('The provider declined')}; ${nothing}.`,
      payer: { source, email: payerEmail(source) },
    }),
  );
}
