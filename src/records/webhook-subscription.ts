import { listRecords } from '../core/store/search.js';
import type { Table } from '../core/store/store.js';
import * as field from '../core/store/field.js';

/** In the order of client libraries, some of which send the position in this list. */
export const TOPICS = ['Transaction', 'Batch', 'Subscription', 'Customer', 'PaymentMethod'] as const;

export type Topic = (typeof TOPICS)[number];

export const TOPIC_OF_EVENT = {
  'transaction.status.changed': 'Transaction',
  'batch.status.changed': 'Batch',
  'subscription.status.changed': 'Subscription',
  'customer.created': 'Customer',
  'customer.updated': 'Customer',
  'customer.removed': 'Customer',
  'paymentMethod.created': 'PaymentMethod',
  'paymentMethod.updated': 'PaymentMethod',
  'paymentMethod.removed': 'PaymentMethod',
} as const satisfies Record<string, Topic>;

export type EventType = keyof typeof TOPIC_OF_EVENT;
export type EventTopic = (typeof TOPIC_OF_EVENT)[EventType];

export const webhookSubscriptionFields = () => ({
  ...field.webhookFields,
  topics: field.list(field.word(...TOPICS)),
  dateAdded: field.instant,
  dateRemoved: field.maybeInstant,
});

export interface WebhookSubscription extends field.RecordOf<typeof webhookSubscriptionFields> {}

/** The maximum number of live subscriptions in a world. */
export const SUBSCRIPTIONS_MAX = 1000;

/** The key of all live subscriptions, which each event looks for. */
const LIVE = 'live';

export const WEBHOOK_SUBSCRIPTION_KEYS = {
  status: ({ dateRemoved }: WebhookSubscription) => (dateRemoved === null ? LIVE : null),
};

export type WebhookSubscriptionTable = Table<WebhookSubscription, keyof typeof WEBHOOK_SUBSCRIPTION_KEYS>;

/** The oldest first. */
export function listSubscribers(table: WebhookSubscriptionTable, topic: Topic): WebhookSubscription[] {
  return [...listRecords(table.by('status', LIVE))].filter(({ topics }) => topics.includes(topic));
}
