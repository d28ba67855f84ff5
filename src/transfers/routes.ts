import { Hono } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { body, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { CreateTransfers } from './schema.js';
import { presentTransfer } from './presenter.js';
import { SearchTransfers } from './search-schema.js';
import { searchTransfers } from './search.js';
import { createTransfers, requireTransfer } from './service.js';

const readSearch = query(SearchTransfers);

export function transferRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/transfer', body(CreateTransfers), operation('transfer.create'), (c) => {
      const world = worldOf(c);
      const made = createTransfers(world, c.req.valid('json'));
      return respond(c, made.map(presentTransfer));
    })
    .get('/transfer', operation('transfer.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchTransfers(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map(presentTransfer);
      return respond(c, { Limit: limit, Skip: skip, Count: count, Transfers: shown });
    })
    .get('/transfer/:id', operation('transfer.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentTransfer(requireTransfer(world, c.req.param('id'))));
    });
}
