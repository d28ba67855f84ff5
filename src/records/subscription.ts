import { INSTANT_MAX_MS } from '../core/time/time.js';
import * as field from '../core/store/field.js';

export type SubscriptionStatus = 'Active' | 'Suspended' | 'Cancelled' | 'Complete';

/** An ended subscription stays ended. */
export const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  Active: ['Suspended', 'Cancelled', 'Complete'],
  Suspended: ['Active', 'Cancelled', 'Complete'],
  Cancelled: [],
  Complete: [],
};

/** The maximum number of intervals between two due dates or retries: our own limit. Without one, a due date could be beyond all dates. */
export const FREQUENCY_MAX = 1000;
const frequency = field.whole(1, FREQUENCY_MAX);

const endAfterCodec = field.record({
  count: field.maybeCount,
  amountMinor: field.maybeMinor,
  /** The last instant at which it can charge. */
  date: field.maybeInstant,
});

/** A subscription is complete as soon as it reaches one of these limits. */
export interface EndAfter extends field.ValueOf<typeof endAfterCodec> {}

const retryCodec = field.record({
  maximum: field.maybeCount,
  interval: field.word('Hour', 'Day'),
  /** The number of intervals between two attempts. */
  frequency: field.orNull(frequency),
});

/** The retries of a declined charge. */
export interface RetryTerms extends field.ValueOf<typeof retryCodec> {}

/** The default number of retries of a declined charge, and of intervals between them: our assumption. */
export const RETRY_DEFAULT = 1;

const termsFields = {
  amountMinor: field.minor,
  currency: field.currency,
  interval: field.word('Day', 'Week', 'Month', 'Year'),
  frequency,
  endAfter: field.orNull<EndAfter>(endAfterCodec),
  retry: field.orNull<RetryTerms>(retryCodec),
  webhook: field.maybeWebhook,
  metadata: field.metadata,
};

/** The amounts and dates of the charges. They can only be replaced as a whole. */
export interface SubscriptionTerms extends field.ValuesOf<typeof termsFields> {}

export const subscriptionFields = (links: field.Links) => ({
  paymentMethod: links.to('paymentMethods'),
  status: field.tableKey(SUBSCRIPTION_TRANSITIONS),
  ...termsFields,
  dateAdded: field.instant,
  /** As in the request. */
  startDate: field.maybeInstant,
  /** The first due date. All others are computed from it. */
  anchor: field.instant,
  /** The index of the due date that is next or retried. */
  turn: field.count,
  /** The number of its next retry; 0: not tried yet. */
  retries: field.count,
  /** The last due date at which it charged or was declined; null before that. */
  lastDue: field.orNull(field.whole(0, INSTANT_MAX_MS)),
  /** How many charges succeeded, and the total of those in the current currency. */
  charged: field.count,
  chargedMinor: field.minor,
});

export interface Subscription extends field.RecordOf<typeof subscriptionFields> {}

export const SUBSCRIPTION_CHARGE = 'subscription.charge';
