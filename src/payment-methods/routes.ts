import { type Context, Hono } from 'hono';

import { body } from '../http/validation.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { requireMade, respond, respondOutcome } from '../http/respond.js';
import { CreateFromCard } from './schema.js';
import { presentMethod } from './presenter.js';
import { createFromCard, findMethod, type MethodResult } from './service.js';

export function paymentMethodRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/payment_method/card', body(CreateFromCard), operation('paymentMethod.create'), (c) => {
      const command = c.req.valid('json');
      vetPan(c, command.card.pan);
      return answerMethod(c, createFromCard(worldOf(c), command, c.get('exchange').override));
    })
    .get('/payment_method/:id', operation('paymentMethod.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentMethod(world, findMethod(world, c.req.param('id'))));
    });
}

export function answerMethod(
  c: Context<Env>,
  { method, answer }: MethodResult,
): Response | Promise<Response> {
  const detail = 'The provider did not store what was sent; no payment method was made.';
  return respondOutcome(
    c,
    answer,
    () => presentMethod(worldOf(c), requireMade(method)),
    () => ({ detail }),
  );
}
