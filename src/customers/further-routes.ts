import { Hono } from 'hono';

import { presentMethod } from '../payment-methods/presenter.js';
import { answerMethod } from '../payment-methods/routes.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { LIMIT_MAX } from '../http/list-fields.js';
import { operation } from '../http/operation.js';
import { body, noBody, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { AddCard, AddToken, UpdateCustomer } from './change-schema.js';
import { removeCustomer, updateCustomer } from './changes.js';
import { addCard, addToken, methodsOf } from './methods.js';
import { presentCustomer } from './presenter.js';
import { SearchCustomers } from './search-schema.js';
import { searchCustomers } from './search.js';

const readSearch = query(SearchCustomers);

export function furtherCustomerRoutes(): Hono<Env> {
  return (
    new Hono<Env>()
      .get('/customer', operation('customer.search'), (c) => {
        const world = worldOf(c);
        const filter = readSearch(c);
        const { found, count } = searchCustomers(world, filter);
        const { limit, skip } = filter.page;
        const shown = found.map((customer) => presentCustomer(world, customer));
        return respond(c, { Limit: limit, Skip: skip, Count: count, Customers: shown });
      })
      .put('/customer/:id', body(UpdateCustomer), operation('customer.update'), (c) => {
        const world = worldOf(c);
        return respond(
          c,
          presentCustomer(world, updateCustomer(world, c.req.param('id'), c.req.valid('json'))),
        );
      })
      .delete('/customer/:id', noBody(), operation('customer.remove'), (c) => {
        const world = worldOf(c);
        return respond(c, presentCustomer(world, removeCustomer(world, c.req.param('id'))));
      })
      // A bare array without pages, so it has an end of its own.
      .get('/customer/:id/payment_method', operation('paymentMethod.search'), (c) => {
        const world = worldOf(c);
        const { found, count } = methodsOf(world, c.req.param('id'), LIMIT_MAX);
        if (count > found.length) {
          c.get('exchange').warnings.push(
            `the customer has ${count} payment methods, the newest ${LIMIT_MAX} are shown; GET /payment_method has pages`,
          );
        }
        return respond(
          c,
          found.map((method) => presentMethod(world, method)),
        );
      })
      .post('/customer/:id/payment_method/card', body(AddCard), operation('paymentMethod.create'), (c) => {
        const command = c.req.valid('json');
        vetPan(c, command.card.pan);
        return answerMethod(c, addCard(worldOf(c), c.req.param('id'), command, c.get('exchange').override));
      })
      .post('/customer/:id/payment_method/token', body(AddToken), operation('paymentMethod.create'), (c) =>
        answerMethod(
          c,
          addToken(worldOf(c), c.req.param('id'), c.req.valid('json'), c.get('exchange').override),
        ),
      )
  );
}
