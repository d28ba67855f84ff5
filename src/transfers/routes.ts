import { Hono } from 'hono';

import { body } from '../wire/body.js';
import { type Env, worldOf } from '../wire/exchange.js';
import { operation } from '../wire/operation.js';
import { query } from '../wire/query.js';
import { respond } from '../wire/respond.js';
import { CreateTransfers } from './contract.js';
import { presentTransfer } from './presenter.js';
import { SearchTransfers } from './search-contract.js';
import { searchTransfers } from './search.js';
import { createTransfers, requireTransfer } from './service.js';

const readSearch = query(SearchTransfers);

export function transferRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/transfer', body(CreateTransfers), operation('transfer.create'), (c) => {
      const world = worldOf(c);
      const made = createTransfers(world, c.req.valid('json'));
      return respond(
        c,
        made.map((transfer) => presentTransfer(world, transfer)),
      );
    })
    .get('/transfer', operation('transfer.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchTransfers(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map((transfer) => presentTransfer(world, transfer));
      return respond(c, { Limit: limit, Skip: skip, Count: count, Transfers: shown });
    })
    .get('/transfer/:id', operation('transfer.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentTransfer(world, requireTransfer(world, c.req.param('id'))));
    });
}
