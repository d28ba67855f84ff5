import { Hono } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { body, noBody, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { resolveWebhook } from '../http/webhook.js';
import { CreateSubscription, SearchSubscriptions } from './schema.js';
import { presentSubscription } from './presenter.js';
import { searchSubscriptions } from './search.js';
import { createSubscription, findSubscription, removeSubscription } from './service.js';

export function webhookSubscriptionRoutes(): Hono<Env> {
  const readSearch = query(SearchSubscriptions);
  return new Hono<Env>()
    .post('/webhook/subscription', body(CreateSubscription), operation('webhookSubscription.create'), (c) => {
      const { topics, ...webhook } = c.req.valid('json');
      const command = { ...resolveWebhook(c, webhook), topics };
      const world = worldOf(c);
      return respond(c, presentSubscription(world, createSubscription(world, command)));
    })
    .get('/webhook/subscription', operation('webhookSubscription.search'), (c) => {
      const world = worldOf(c);
      const { found, count } = searchSubscriptions(world, readSearch(c));
      const shown = found.map((subscription) => presentSubscription(world, subscription));
      return respond(c, { Count: count, WebhookSubscriptions: shown });
    })
    .get('/webhook/subscription/:id', operation('webhookSubscription.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentSubscription(world, findSubscription(world, c.req.param('id'))));
    })
    .delete('/webhook/subscription/:id', noBody(), operation('webhookSubscription.remove'), (c) => {
      const world = worldOf(c);
      return respond(c, presentSubscription(world, removeSubscription(world, c.req.param('id'))));
    });
}
