import { Hono } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { AskSettlements } from './schema.js';
import { presentSettlement } from './presenter.js';
import { settlementsOf } from './service.js';

const readAsked = query(AskSettlements);

export function settlementRoutes(): Hono<Env> {
  // A bare array without pages, so it has an end of its own.
  return new Hono<Env>().get('/settlements', operation('settlement.search'), (c) => {
    const world = worldOf(c);
    const { found, count } = settlementsOf(world, readAsked(c));
    if (count > found.length) {
      c.get('exchange').warnings.push(
        `there are ${count} settlements, the latest ${found.length} are shown; ask for fewer days`,
      );
    }
    return respond(
      c,
      found.map((settlement) => presentSettlement(world, settlement)),
    );
  });
}
