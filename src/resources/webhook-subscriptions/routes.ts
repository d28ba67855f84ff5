import { CODE } from '../../core/errors.js';
import { warnOfHttpReceiver, requireWorld } from '../../http/exchange.js';
import { route, type Section } from '../../http/route.js';
import { buildReadRow } from '../../http/answers/rows.js';
import { presentWebhookSubscription } from './presenter.js';
import {
  CreateWebhookSubscription,
  SearchWebhookSubscriptions,
  WebhookSubscriptionList,
  WebhookSubscriptionResponse,
} from './schema.js';
import {
  createWebhookSubscription,
  requireKnownSubscription,
  removeWebhookSubscription,
  requireLiveSubscription,
  searchWebhookSubscriptions,
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
      body: CreateWebhookSubscription,
      response: WebhookSubscriptionResponse,
      errors: [CODE.UnableToCreateWebhookSubscription],
      handle: (c, { body }) => {
        warnOfHttpReceiver(c, body);
        const world = requireWorld(c);
        return presentWebhookSubscription(world, createWebhookSubscription(world, body));
      },
    }),
    route({
      method: 'get',
      path: '/webhook/subscription',
      id: 'searchWebhookSubscriptions',
      operation: 'webhookSubscription.search',
      summary: 'Search webhook subscriptions',
      text: 'Returns the records that match every filter, newest first.',
      query: SearchWebhookSubscriptions,
      response: WebhookSubscriptionList,
      handle: (c, { query }) => {
        const world = requireWorld(c);
        const { found, count } = searchWebhookSubscriptions(world, query);
        const shown = found.map((subscription) => presentWebhookSubscription(world, subscription));
        return { Count: count, WebhookSubscriptions: shown };
      },
    }),
    buildReadRow({
      path: '/webhook/subscription/{id}',
      id: 'getWebhookSubscription',
      operation: 'webhookSubscription.read',
      summary: 'Read a webhook subscription',
      text: 'Only the scheme of its Authorization is shown.',
      response: WebhookSubscriptionResponse,
      errors: [[CODE.UnableToGetWebhookSubscription, 404]],
      find: requireKnownSubscription,
      present: presentWebhookSubscription,
    }),
    route({
      method: 'delete',
      path: '/webhook/subscription/{id}',
      id: 'unsubscribe',
      operation: 'webhookSubscription.remove',
      summary: 'Remove a webhook subscription',
      text: 'No new events are sent to its receiver.',
      response: WebhookSubscriptionResponse,
      errors: [[CODE.UnableToDeleteWebhookSubscription, 404]],
      find: requireLiveSubscription,
      handle: (c, { params }) =>
        presentWebhookSubscription(requireWorld(c), removeWebhookSubscription(requireWorld(c), params.id)),
    }),
  ],
};
