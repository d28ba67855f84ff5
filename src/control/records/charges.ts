import { Hono } from 'hono';

import { presentCharge } from '../../charges/presenter.js';
import { SearchCharges } from '../../charges/schema.js';
import { searchCharges } from '../../charges/search.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { query } from '../../http/validation.js';
import { respond } from '../../http/respond.js';
import { STRICT } from '../plain.js';

const readSearch = query(SearchCharges, STRICT);

/** The charges of a world for those who check them: the search of the service, which leaves no trace in the journal. */
export function chargeListRoutes(): Hono<Env> {
  return new Hono<Env>().basePath('/_sandbox').get('/charges', (c) => {
    const world = worldOf(c);
    const filter = readSearch(c);
    const { found, count } = searchCharges(world, filter);
    const { limit, skip } = filter.page;
    const shown = found.map((charge) => presentCharge(world, charge));
    return respond(c, { Limit: limit, Skip: skip, Count: count, Charges: shown });
  });
}
