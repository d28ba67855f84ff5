import { CODE } from '../../core/errors.js';
import { vetWebhook, worldOf } from '../../http/exchange.js';
import { route, type Section } from '../../http/route.js';
import { readRow } from '../../http/answers/rows.js';
import { presentSubscription } from './presenter.js';
import { CreateSubscription, SearchSubscriptions, SubscriptionList, SubscriptionResponse } from './schema.js';
import {
  createSubscription,
  findSubscription,
  removeSubscription,
  requireSubscribed,
  searchSubscriptions,
} from './service.js';

export const WEBHOOKS: Section = {
  tag: 'Webhook subscriptions',
  text: 'Receivers that are sent every event of the topics they subscribe to.',
  rows: [
    route({
      method: 'post',
      path: '/webhook/subscription',
      id: 'subscribe',
      operation: 'webhookSubscription.create',
      summary: 'Subscribe to topics',
      text: 'From then on the receiver is sent every event of these topics.',
      body: CreateSubscription,
      response: SubscriptionResponse,
      errors: [CODE.UnableToCreateWebhookSubscription],
      handle: (c, { body }) => {
        vetWebhook(c, body);
        const world = worldOf(c);
        return presentSubscription(world, createSubscription(world, body));
      },
    }),
    route({
      method: 'get',
      path: '/webhook/subscription',
      id: 'searchWebhookSubscriptions',
      operation: 'webhookSubscription.search',
      summary: 'Search webhook subscriptions',
      text: 'Returns the records that match every filter, newest first.',
      query: SearchSubscriptions,
      response: SubscriptionList,
      handle: (c, { query }) => {
        const world = worldOf(c);
        const { found, count } = searchSubscriptions(world, query);
        const shown = found.map((subscription) => presentSubscription(world, subscription));
        return { Count: count, WebhookSubscriptions: shown };
      },
    }),
    readRow({
      path: '/webhook/subscription/{id}',
      id: 'getWebhookSubscription',
      operation: 'webhookSubscription.read',
      summary: 'Read a webhook subscription',
      text: 'Only the scheme of its Authorization is shown.',
      response: SubscriptionResponse,
      errors: [[CODE.UnableToGetWebhookSubscription, 404]],
      find: findSubscription,
      present: presentSubscription,
    }),
    route({
      method: 'delete',
      path: '/webhook/subscription/{id}',
      id: 'unsubscribe',
      operation: 'webhookSubscription.remove',
      summary: 'Remove a webhook subscription',
      text: 'No new events are sent to its receiver.',
      response: SubscriptionResponse,
      errors: [[CODE.UnableToDeleteWebhookSubscription, 404]],
      find: requireSubscribed,
      handle: (c, { params }) => presentSubscription(worldOf(c), removeSubscription(worldOf(c), params.id)),
    }),
  ],
};
