import { type Context, Hono } from 'hono';
import * as z from 'zod';

import { presentBatchStatus } from '../../batches/presenter.js';
import { SearchBatches } from '../../batches/schema.js';
import { searchBatches } from '../../batches/service.js';
import { presentCharge } from '../../charges/presenter.js';
import { SearchCharges } from '../../charges/schema.js';
import { searchCharges } from '../../charges/search.js';
import { shownId } from '../../core/card.js';
import { CODE, refuse } from '../../core/errors.js';
import { type Found, type Page, pageByDate, whole } from '../../core/search.js';
import { presentCustomer } from '../../customers/presenter.js';
import { SearchCustomers } from '../../customers/schema.js';
import { searchCustomers } from '../../customers/search.js';
import { presentMethod } from '../../payment-methods/presenter.js';
import { SearchMethods } from '../../payment-methods/schema.js';
import { searchMethods } from '../../payment-methods/search.js';
import type { RecordTypes } from '../../records.js';
import type { VaultEntry } from '../../vault/record.js';
import { presentEntry } from '../../vault/presenter.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { pageFields } from '../../http/list-fields.js';
import { query } from '../../http/validation.js';
import { respond } from '../../http/respond.js';
import type { World } from '../../world.js';
import { plain, STRICT } from '../plain.js';
import { presentTimeline } from './record-timeline.js';
import { TABLE_ROWS } from './tables.js';
import type { TimedTable } from './timeline.js';

export const SearchEntries = z
  .object(pageFields())
  .transform((asked) => ({ page: { limit: asked.Limit, skip: asked.Skip } }));

/** How records of a kind are found, and shown as the service shows them. */
interface Kind<T extends TimedTable, F extends { readonly page: Page }> {
  readonly table: T;
  readonly read: (c: Context<Env>) => F;
  readonly search: (world: World, filter: F) => Found<RecordTypes[T]>;
  readonly present: (world: World, record: RecordTypes[T]) => object;
}

/**
 * The records of a world, to be looked at from outside the story: unlike reads of the service, these stand in no journal,
 * no scenario sees them, and no identifier moves. Card numbers are masked throughout.
 */
export function recordRoutes(): Hono<Env> {
  const app = new Hono<Env>().basePath('/_sandbox/records');
  mount(app, '/charges', {
    table: 'charges',
    read: query(SearchCharges, STRICT),
    search: searchCharges,
    present: presentCharge,
  });
  mount(app, '/customers', {
    table: 'customers',
    read: query(SearchCustomers, STRICT),
    search: searchCustomers,
    present: presentCustomer,
  });
  mount(app, '/payment-methods', {
    table: 'paymentMethods',
    read: query(SearchMethods, STRICT),
    search: searchMethods,
    present: presentMethod,
  });
  mount(app, '/vault', {
    table: 'vault',
    read: query(SearchEntries, STRICT),
    search: searchEntries,
    present: presentEntry,
  });
  mount(app, '/batches', {
    table: 'batches',
    read: query(SearchBatches, STRICT),
    search: searchBatches,
    present: presentBatchStatus,
  });
  return app;
}

function mount<T extends TimedTable, F extends { readonly page: Page }>(
  app: Hono<Env>,
  path: string,
  { table, read, search, present }: Kind<T, F>,
): void {
  app.get(path, (c) => {
    const world = worldOf(c);
    const filter = read(c);
    const { found, count } = search(world, filter);
    const { limit, skip } = filter.page;
    return respond(c, {
      Limit: limit,
      Skip: skip,
      Count: count,
      Records: found.map((record) => present(world, record)),
    });
  });
  app.get(`${path}/:id`, plain, (c) => {
    const world = worldOf(c);
    const record = requireRecord(world, table, c.req.param('id') ?? '');
    return respond(c, { Record: present(world, record), Timeline: presentTimeline(world, table, record) });
  });
}

/** All entries, newest first; those that have gone leave gaps, which have to be stepped over. */
function searchEntries({ vault }: World, { page }: { readonly page: Page }): Found<VaultEntry> {
  const hasGaps = vault.size < vault.next;
  return pageByDate(whole(vault), hasGaps ? [() => true] : [], page, true);
}

function requireRecord<T extends TimedTable>(world: World, table: T, id: string): RecordTypes[T] {
  const found = world[table].find(id) as RecordTypes[T] | undefined;
  if (found !== undefined) return found;
  return refuse(
    CODE.ValidationError,
    `This world has no ${TABLE_ROWS[table].kind} ${JSON.stringify(shownId(id))}; it may have gone.`,
    { httpStatus: 404 },
  );
}
