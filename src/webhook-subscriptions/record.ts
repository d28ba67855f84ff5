import type { Webhook } from '../charges/record.js';
import { Table } from '../core/store.js';

/** What a subscription can be for, in the order of client libraries, some of which send the place in this list. */
export const TOPICS = ['Transaction', 'Batch', 'Subscription', 'Customer', 'PaymentMethod'] as const;

export type Topic = (typeof TOPICS)[number];

/** What receivers are told of, and the topic under which it is subscribed to. */
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
/** The topics that there are events of. */
export type EventTopic = (typeof TOPIC_OF_EVENT)[EventType];

/** Where to tell of all events of some topics. */
export interface WebhookSubscription extends Webhook {
  readonly id: string;
  readonly index: number;
  readonly topics: readonly Topic[];
  readonly dateAdded: number;
  readonly dateRemoved: number | null;
}

/** How many subscriptions may be live at a time: each event is told to all that are for its topic. */
export const SUBSCRIPTIONS_MAX = 1000;

export class SubscriptionStore extends Table<WebhookSubscription> {
  readonly #live = new Map<number, WebhookSubscription>();

  /** How many are not removed. */
  get live(): number {
    return this.#live.size;
  }

  /** Those that want to be told of a topic, the oldest first. */
  takersOf(topic: Topic): WebhookSubscription[] {
    return [...this.#live.values()].filter(({ topics }) => topics.includes(topic));
  }

  override add(subscription: WebhookSubscription): number {
    this.#note(subscription);
    return super.add(subscription);
  }

  override replace(n: number, subscription: WebhookSubscription): void {
    this.#note(subscription);
    super.replace(n, subscription);
  }

  #note(subscription: WebhookSubscription): void {
    if (subscription.dateRemoved === null) this.#live.set(subscription.index, subscription);
    else this.#live.delete(subscription.index);
  }
}
