import { keyOf, orNull, record, type ValueOf, type ValuesOf, whole, word } from '../core/codec.js';
import {
  count,
  COUNT_MAX,
  currency,
  instant,
  type Links,
  maybeCount,
  maybeInstant,
  maybeMinor,
  maybeWebhook,
  metadata,
  minor,
  type RecordOf,
} from '../core/record-fields.js';

export type SubscriptionStatus = 'Active' | 'Suspended' | 'Cancelled' | 'Complete';

/** What may follow what: what has ended stays so. */
export const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  Active: ['Suspended', 'Cancelled', 'Complete'],
  Suspended: ['Active', 'Cancelled', 'Complete'],
  Cancelled: [],
  Complete: [],
};

const endAfterCodec = record({
  /** How many charges succeeded. */
  count: maybeCount,
  /** What they took together. */
  amountMinor: maybeMinor,
  /** The last instant at which something may be charged. */
  date: maybeInstant,
});

/** When a subscription is complete: as soon as one of these is reached; null: not by that. */
export interface EndAfter extends ValueOf<typeof endAfterCodec> {}

const retryCodec = record({
  /** How often at most. */
  maximum: maybeCount,
  interval: word('Hour', 'Day'),
  /** How many intervals lie between two attempts. */
  frequency: orNull(whole(1, COUNT_MAX)),
});

/** How a declined charge is tried again; null when the request does not say. */
export interface Retry extends ValueOf<typeof retryCodec> {}

/** How often a declined charge is tried again, and after how many intervals, where a Retry does not say: our assumption. */
export const RETRY_DEFAULT = 1;

const termsFields = {
  amountMinor: minor,
  currency,
  interval: word('Day', 'Week', 'Month', 'Year'),
  frequency: whole(1, COUNT_MAX),
  endAfter: orNull<EndAfter>(endAfterCodec),
  retry: orNull<Retry>(retryCodec),
  webhook: maybeWebhook,
  metadata,
};

/** What is charged and how often; it can be changed as a whole. */
export interface Terms extends ValuesOf<typeof termsFields> {}

export const subscriptionFields = (links: Links) => ({
  paymentMethod: links.to('paymentMethods'),
  status: keyOf(SUBSCRIPTION_TRANSITIONS),
  ...termsFields,
  dateAdded: instant,
  /** As it was asked for. */
  startDate: maybeInstant,
  /** The first due date; all others are counted from it. */
  anchor: instant,
  /** Which due date is awaited or tried again; 0: the first. */
  turn: count,
  /** Which retry of it is awaited; 0: none was tried yet. */
  retries: count,
  /** The last due date at which something was charged or declined; null: there was none. */
  lastDue: maybeInstant,
  /** How many charges succeeded, and what those in its present currency took together. */
  charged: count,
  chargedMinor: minor,
});

/** A payment method that is charged again and again. */
export interface Subscription extends RecordOf<typeof subscriptionFields> {}

/** The job of a subscription whose next charge is due. */
export const SUBSCRIPTION_CHARGE = 'subscription.charge';
