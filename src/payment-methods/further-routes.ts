import { Hono } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { body, noBody, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { CreateFromToken, UpdateMethod } from './change-schema.js';
import { createFromToken, removeMethod, updateMethod } from './changes.js';
import { createFromVault } from './from-vault.js';
import { CreateFromVault } from './from-vault-schema.js';
import { presentMethod } from './presenter.js';
import { answerMethod } from './routes.js';
import { SearchMethods } from './search-schema.js';
import { searchMethods } from './search.js';

const readSearch = query(SearchMethods);

export function furtherPaymentMethodRoutes(): Hono<Env> {
  return new Hono<Env>()
    .get('/payment_method', operation('paymentMethod.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchMethods(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map((method) => presentMethod(world, method));
      return respond(c, { Limit: limit, Skip: skip, Count: count, PaymentMethods: shown });
    })
    .post('/payment_method/token', body(CreateFromToken), operation('paymentMethod.create'), (c) =>
      answerMethod(c, createFromToken(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/payment_method/vault', body(CreateFromVault), operation('paymentMethod.create'), (c) =>
      answerMethod(c, createFromVault(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .put('/payment_method/:id', body(UpdateMethod), operation('paymentMethod.update'), (c) => {
      const world = worldOf(c);
      return respond(c, presentMethod(world, updateMethod(world, c.req.param('id'), c.req.valid('json'))));
    })
    .delete('/payment_method/:id', noBody(), operation('paymentMethod.remove'), (c) => {
      const world = worldOf(c);
      return respond(c, presentMethod(world, removeMethod(world, c.req.param('id'))));
    });
}
