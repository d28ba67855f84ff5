import { maskPasswords } from '../../core/text/secrets.js';
import { formatInstant } from '../../core/time/time.js';
import { presentAmount, presentInstant } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Subscription } from '../../records/subscription.js';
import { nextChargeAt } from '../../records/subscription-schedule.js';
import type { SubscriptionResponse } from './schema.js';

export function presentSubscription(subscription: Subscription): SubscriptionResponse {
  const { currency, endAfter, retry, webhook } = subscription;
  return {
    SubscriptionId: subscription.id,
    PaymentMethodId: subscription.paymentMethod,
    Amount: presentAmount(subscription.amountMinor, currency),
    Currency: currency,
    Interval: subscription.interval,
    Frequency: subscription.frequency,
    CreatedDate: formatInstant(subscription.dateAdded),
    StartDate: presentInstant(subscription.startDate),
    NextChargeDate: presentInstant(nextChargeAt(subscription)),
    EndAfter: endAfter && {
      Count: endAfter.count,
      Amount: endAfter.amountMinor === null ? null : presentAmount(endAfter.amountMinor, currency),
      Date: presentInstant(endAfter.date),
    },
    Retry: retry && { Maximum: retry.maximum, Interval: retry.interval, Frequency: retry.frequency },
    // Returned as it was sent, for client libraries.
    Webhook: webhook && { Url: webhook.url, Authorization: webhook.authorization },
    Status: subscription.status,
    Metadata: subscription.metadata,
  };
}

/** A subscription for webhooks, without the credentials of its own webhook. */
export function presentSubscriptionEvent(_world: World, subscription: Subscription): SubscriptionResponse {
  const { webhook } = subscription;
  const Webhook = webhook && { Url: maskPasswords(webhook.url), Authorization: null };
  return { ...presentSubscription(subscription), Webhook };
}
