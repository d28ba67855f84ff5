import { type Context, Hono } from 'hono';

import { body } from '../http/validation.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { requireMade, respond, respondOutcome } from '../http/respond.js';
import { CreateFromCard, CreateFromToken } from './schema.js';
import { presentCustomer } from './presenter.js';
import { createFromCard, createFromToken, type CustomerResult, findCustomer } from './service.js';

export function customerRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/customer/token', body(CreateFromToken), operation('customer.create'), (c) =>
      answerCustomer(c, createFromToken(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/customer/card', body(CreateFromCard), operation('customer.create'), (c) => {
      const command = c.req.valid('json');
      vetPan(c, command.card.pan);
      return answerCustomer(c, createFromCard(worldOf(c), command, c.get('exchange').override));
    })
    .get('/customer/:id', operation('customer.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentCustomer(world, findCustomer(world, c.req.param('id'))));
    });
}

export function answerCustomer(
  c: Context<Env>,
  { customer, answer }: CustomerResult,
): Response | Promise<Response> {
  const detail = 'The provider did not store what was sent; no customer was made.';
  return respondOutcome(
    c,
    answer,
    () => presentCustomer(worldOf(c), requireMade(customer)),
    () => ({ detail }),
  );
}
