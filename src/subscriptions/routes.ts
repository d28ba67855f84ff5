import { type Context, Hono } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { body, noBody, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { resolveWebhook } from '../http/webhook.js';
import { CreateSubscription, SetStatus, UpdateSubscription } from './schema.js';
import type { Subscription } from './record.js';
import { presentSubscription } from './presenter.js';
import { SearchSubscriptions } from './search-schema.js';
import { searchSubscriptions } from './search.js';
import {
  type AskedTerms,
  createSubscription,
  requireSubscription,
  setStatus,
  updateSubscription,
} from './service.js';

const readSearch = query(SearchSubscriptions);

export function subscriptionRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/subscription/payment_method', body(CreateSubscription), operation('subscription.create'), (c) => {
      const command = c.req.valid('json');
      return withTerms(c, command.terms, (terms) => createSubscription(worldOf(c), { ...command, terms }));
    })
    .get('/subscription', operation('subscription.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchSubscriptions(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map(presentSubscription);
      return respond(c, { Limit: limit, Skip: skip, Count: count, Subscriptions: shown });
    })
    .get('/subscription/:id', operation('subscription.read'), (c) =>
      answer(c, requireSubscription(worldOf(c), c.req.param('id'))),
    )
    .put('/subscription/:id', body(UpdateSubscription), operation('subscription.update'), (c) =>
      withTerms(c, c.req.valid('json'), (terms) => updateSubscription(worldOf(c), c.req.param('id'), terms)),
    )
    .put('/subscription/:id/status', body(SetStatus), operation('subscription.setStatus'), (c) =>
      answer(c, setStatus(worldOf(c), c.req.param('id'), c.req.valid('json').status)),
    )
    .delete('/subscription/:id', noBody(), operation('subscription.cancel'), (c) =>
      answer(c, setStatus(worldOf(c), c.req.param('id'), 'Cancelled')),
    );
}

/** Acts on terms, which may name a webhook. */
function withTerms(
  c: Context<Env>,
  terms: AskedTerms,
  act: (terms: AskedTerms) => Subscription,
): Response | Promise<Response> {
  const { webhook } = terms;
  if (webhook === null) return answer(c, act(terms));
  return answer(c, act({ ...terms, webhook: resolveWebhook(c, webhook) }));
}

function answer(c: Context<Env>, subscription: Subscription): Response | Promise<Response> {
  return respond(c, presentSubscription(subscription));
}
