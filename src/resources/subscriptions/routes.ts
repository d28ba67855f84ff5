import { CODE } from '../../core/errors.js';
import { warnOfHttpReceiver, requireWorld } from '../../http/exchange.js';
import { type RefusalCode, route, type Section } from '../../http/route.js';
import { buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
import { presentSubscription } from './presenter.js';
import * as schema from './schema.js';
import * as service from './service.js';

const TERMS = [CODE.InvalidAmount, CODE.InvalidAmountMustBePositive, CODE.CurrencyNotSupported];
const CHANGE: readonly RefusalCode[] = [CODE.InvalidSubscriptionId, [CODE.UnableToUpdateSubscription, 409]];
const CHANGED = ['subscription.status.changed'] as const;

export const SUBSCRIPTIONS: Section = {
  tag: 'Subscriptions',
  text: 'Recurring charges of a payment method, made as time passes.',
  rows: [
    route({
      method: 'post',
      path: '/subscription/payment_method',
      id: 'createSubscription',
      operation: 'subscription.create',
      summary: 'Create a subscription for a payment method',
      text: 'The payment method is charged every Frequency times Interval, from StartDate (by default at once) until EndAfter is reached.',
      body: schema.CreateSubscription,
      response: schema.SubscriptionResponse,
      errors: [...TERMS, CODE.InvalidPaymentMethodId, CODE.InvalidPaymentMethodIdRemoved],
      webhooks: CHANGED,
      handle: (c, { body }) => {
        warnOfHttpReceiver(c, body.terms.webhook);
        return presentSubscription(service.createSubscription(requireWorld(c), body));
      },
    }),
    buildSearchRow({
      path: '/subscription',
      id: 'searchSubscriptions',
      operation: 'subscription.search',
      summary: 'Search subscriptions',
      text: 'Returns the records that match every filter, newest first by default.',
      query: schema.SearchSubscriptions,
      list: 'Subscriptions',
      item: schema.SubscriptionResponse,
      search: service.searchSubscriptions,
      present: (_, subscription) => presentSubscription(subscription),
    }),
    buildReadRow({
      path: '/subscription/{id}',
      id: 'getSubscription',
      operation: 'subscription.read',
      summary: 'Read a subscription',
      text: 'Returns its status and the time of its next charge, NextChargeDate.',
      response: schema.SubscriptionResponse,
      errors: [CODE.InvalidSubscriptionId],
      find: service.requireSubscription,
      present: (_, subscription) => presentSubscription(subscription),
    }),
    route({
      method: 'put',
      path: '/subscription/{id}',
      id: 'updateSubscription',
      operation: 'subscription.update',
      summary: 'Change the terms of a subscription',
      text: 'Replaces all terms. Optional terms that are left out are removed.',
      body: schema.UpdateSubscription,
      response: schema.SubscriptionResponse,
      errors: [...TERMS, ...CHANGE],
      find: service.requireSubscription,
      handle: (c, { params, body }) => {
        warnOfHttpReceiver(c, body.webhook);
        return presentSubscription(service.updateSubscription(requireWorld(c), params.id, body));
      },
    }),
    route({
      method: 'put',
      path: '/subscription/{id}/status',
      id: 'setSubscriptionStatus',
      operation: 'subscription.setStatus',
      summary: 'Suspend, resume or end a subscription',
      text: 'A subscription can go from Active to Suspended and back. Cancelled and Complete are final.',
      body: schema.SetStatus,
      response: schema.SubscriptionResponse,
      errors: CHANGE,
      webhooks: CHANGED,
      find: service.requireSubscription,
      handle: (c, { params, body }) =>
        presentSubscription(service.setSubscriptionStatus(requireWorld(c), params.id, body.status)),
    }),
    route({
      method: 'delete',
      path: '/subscription/{id}',
      id: 'cancelSubscription',
      operation: 'subscription.cancel',
      summary: 'Cancel a subscription',
      text: 'It can still be read, as Cancelled, and makes no more charges.',
      response: schema.SubscriptionResponse,
      errors: CHANGE,
      webhooks: CHANGED,
      find: service.requireSubscription,
      handle: (c, { params }) =>
        presentSubscription(service.setSubscriptionStatus(requireWorld(c), params.id, 'Cancelled')),
    }),
  ],
};
