import * as field from '../core/field.js';

export type SubscriptionStatus = 'Active' | 'Suspended' | 'Cancelled' | 'Complete';

/** Permitted changes: an ended subscription stays ended. */
export const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  Active: ['Suspended', 'Cancelled', 'Complete'],
  Suspended: ['Active', 'Cancelled', 'Complete'],
  Cancelled: [],
  Complete: [],
};

const endAfterCodec = field.record({
  count: field.maybeCount,
  amountMinor: field.maybeMinor,
  /** The last instant at which something may be charged. */
  date: field.maybeInstant,
});

/** When a subscription is complete: as soon as one of these is reached; null: not by that. */
export interface EndAfter extends field.ValueOf<typeof endAfterCodec> {}

const retryCodec = field.record({
  maximum: field.maybeCount,
  interval: field.word('Hour', 'Day'),
  /** How many intervals lie between two attempts. */
  frequency: field.orNull(field.whole(1, field.COUNT_MAX)),
});

/** How a declined charge is tried again; null when the request does not say. */
export interface Retry extends field.ValueOf<typeof retryCodec> {}

/** How often a declined charge is tried again, and after how many intervals, where a Retry does not say: our assumption. */
export const RETRY_DEFAULT = 1;

const termsFields = {
  amountMinor: field.minor,
  currency: field.currency,
  interval: field.word('Day', 'Week', 'Month', 'Year'),
  frequency: field.whole(1, field.COUNT_MAX),
  endAfter: field.orNull<EndAfter>(endAfterCodec),
  retry: field.orNull<Retry>(retryCodec),
  webhook: field.maybeWebhook,
  metadata: field.metadata,
};

/** What is charged and how often; it can be changed as a whole. */
export interface Terms extends field.ValuesOf<typeof termsFields> {}

export const subscriptionFields = (links: field.Links) => ({
  paymentMethod: links.to('paymentMethods'),
  status: field.keyOf(SUBSCRIPTION_TRANSITIONS),
  ...termsFields,
  dateAdded: field.instant,
  /** As it was asked for. */
  startDate: field.maybeInstant,
  /** The first due date; all others are counted from it. */
  anchor: field.instant,
  /** Which due date is awaited or tried again; 0: the first. */
  turn: field.count,
  /** Which retry of it is awaited; 0: none was tried yet. */
  retries: field.count,
  /** The last due date at which something was charged or declined; null: there was none. */
  lastDue: field.maybeInstant,
  /** How many charges succeeded, and what those in its present currency took together. */
  charged: field.count,
  chargedMinor: field.minor,
});

/** A payment method that is charged again and again. */
export interface Subscription extends field.RecordOf<typeof subscriptionFields> {}

/** The job of a subscription whose next charge is due. */
export const SUBSCRIPTION_CHARGE = 'subscription.charge';
