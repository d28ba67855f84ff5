import { Hono, type MiddlewareHandler } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { optionalBody, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { RefundCharge } from './schema.js';
import { presentCharge } from './presenter.js';
import { answerChange, overrideOf, readAsked, refundAsked } from './routes.js';
import { SearchCharges } from './search-schema.js';
import { searchCharges } from './search.js';
import { undoCharge, undoingOf } from './undo.js';

const readSearch = query(SearchCharges);

const OPERATIONS = { void: operation('charge.void'), refund: operation('charge.refund') };

/** Whether undoing is a void or a refund depends on the charge. */
const undoOperation: MiddlewareHandler<Env> = (c, next) =>
  OPERATIONS[undoingOf(worldOf(c), c.req.param('id') ?? '', refundAsked(c))](c, next);

export function furtherChargeRoutes(): Hono<Env> {
  return new Hono<Env>()
    .get('/charge', operation('charge.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchCharges(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map((charge) => presentCharge(world, charge));
      return respond(c, { Limit: limit, Skip: skip, Count: count, Charges: shown });
    })
    .delete('/charge/:id', optionalBody(RefundCharge), readAsked, undoOperation, (c) => {
      const world = worldOf(c);
      const id = c.req.param('id');
      const asked = refundAsked(c);
      const undoing = undoingOf(world, id, asked);
      return answerChange(c, undoCharge(world, id, asked, overrideOf(c)), undoing);
    });
}
