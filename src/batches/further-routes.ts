import { Hono } from 'hono';

import { operation } from '../http/operation.js';
import { query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { type Env, worldOf } from '../http/exchange.js';
import { presentBatchSummary } from './search-presenter.js';
import { SearchBatches } from './search-schema.js';
import { searchBatches } from './search.js';

const readSearch = query(SearchBatches);

export function furtherBatchRoutes(): Hono<Env> {
  return new Hono<Env>().get('/batch', operation('batch.search'), (c) => {
    const world = worldOf(c);
    const filter = readSearch(c);
    const { found, count } = searchBatches(world, filter);
    const { limit, skip } = filter.page;
    const shown = found.map(presentBatchSummary);
    return respond(c, { Limit: limit, Skip: skip, Count: count, Batches: shown });
  });
}
