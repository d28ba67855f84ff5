import { describe, expect, test } from 'vitest';

import { Table } from '../../../src/core/store/store.js';
import {
  SUBSCRIPTIONS_MAX,
  listSubscribers,
  type Topic,
  TOPIC_OF_EVENT,
  TOPICS,
  WEBHOOK_SUBSCRIPTION_KEYS,
  type WebhookSubscription,
  type WebhookSubscriptionTable,
} from '../../../src/records/webhook-subscription.js';
import { tableIds } from '../../support/tables.js';

const subscription = (
  index: number,
  topics: Topic[],
  dateRemoved: number | null = null,
): WebhookSubscription => ({
  id: String(index),
  index,
  topics,
  dateRemoved,
  dateAdded: 0,
  url: 'http://localhost:4000/hooks',
  authorization: null,
});

function storeOf(...subscriptions: WebhookSubscription[]): WebhookSubscriptionTable {
  const store = new Table(tableIds(), 10, WEBHOOK_SUBSCRIPTION_KEYS);
  for (const one of subscriptions) store.add(one);
  return store;
}

const takers = (store: WebhookSubscriptionTable, topic: Topic) =>
  listSubscribers(store, topic).map(({ index }) => index);

describe('subscriptions to webhooks', () => {
  test('take the events of their topics alone, the oldest first', () => {
    const store = storeOf(
      subscription(0, ['Batch']),
      subscription(1, ['Customer', 'Batch']),
      subscription(2, ['Customer']),
    );
    expect([takers(store, 'Batch'), takers(store, 'Customer'), takers(store, 'Transaction')]).toEqual([
      [0, 1],
      [1, 2],
      [],
    ]);
  });

  test('take nothing once they are removed, also when they are loaded so', () => {
    const store = storeOf(subscription(0, ['Batch']), subscription(1, ['Batch'], 5));
    expect([takers(store, 'Batch'), store.live, store.size]).toEqual([[0], 1, 2]);
    store.replace(subscription(0, ['Batch'], 6));
    expect([takers(store, 'Batch'), store.live, store.size]).toEqual([[], 0, 2]);
    expect(store.at(0)?.dateRemoved).toBe(6);
  });

  test('have their new values after a change', () => {
    const store = storeOf(subscription(0, ['Batch']));
    store.replace(subscription(0, ['Customer']));
    expect([takers(store, 'Batch'), takers(store, 'Customer'), store.live]).toEqual([[], [0], 1]);
  });

  test('are a thousand at most', () => {
    expect(SUBSCRIPTIONS_MAX).toBe(1000);
  });
});

test('topics have the places that client libraries send, and these are the events of each', () => {
  expect(TOPICS).toEqual(['Transaction', 'Batch', 'Subscription', 'Customer', 'PaymentMethod']);
  expect(TOPIC_OF_EVENT).toEqual({
    'transaction.status.changed': 'Transaction',
    'batch.status.changed': 'Batch',
    'subscription.status.changed': 'Subscription',
    'customer.created': 'Customer',
    'customer.updated': 'Customer',
    'customer.removed': 'Customer',
    'paymentMethod.created': 'PaymentMethod',
    'paymentMethod.updated': 'PaymentMethod',
    'paymentMethod.removed': 'PaymentMethod',
  });
});
