import type { Webhook } from '../charges/record.js';
import type { Metadata } from '../payment-methods/record.js';

export type SubscriptionStatus = 'Active' | 'Suspended' | 'Cancelled' | 'Complete';

/** What may follow what: what has ended stays so. */
export const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  Active: ['Suspended', 'Cancelled', 'Complete'],
  Suspended: ['Active', 'Cancelled', 'Complete'],
  Cancelled: [],
  Complete: [],
};

export type Interval = 'Day' | 'Week' | 'Month' | 'Year';
export type RetryInterval = 'Hour' | 'Day';

/** When a subscription is complete: as soon as one of these is reached; null: not by that. */
export interface EndAfter {
  /** How many charges succeeded. */
  readonly count: number | null;
  /** What they took together. */
  readonly amountMinor: number | null;
  /** The last instant at which something may be charged. */
  readonly date: number | null;
}

/** How a declined charge is tried again; null: as nobody says. */
export interface Retry {
  /** How often at most. */
  readonly maximum: number | null;
  readonly interval: RetryInterval;
  /** How many intervals lie between two attempts. */
  readonly frequency: number | null;
}

/** How often a declined charge is tried again, and after how many intervals, where a Retry does not say: our assumption. */
export const RETRY_DEFAULT = 1;

/** What is charged and how often; it can be changed as a whole. */
export interface Terms {
  readonly amountMinor: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly frequency: number;
  readonly endAfter: EndAfter | null;
  readonly retry: Retry | null;
  readonly webhook: Webhook | null;
  readonly metadata: Metadata | null;
}

/** A payment method that is charged again and again. */
export interface Subscription extends Terms {
  readonly id: string;
  readonly index: number;
  readonly paymentMethod: string;
  readonly status: SubscriptionStatus;
  readonly dateAdded: number;
  /** As it was asked for. */
  readonly startDate: number | null;
  /** The first due date; all others are counted from it. */
  readonly anchor: number;
  /** Which due date is awaited or tried again; 0: the first. */
  readonly turn: number;
  /** Which retry of it is awaited; 0: none was tried yet. */
  readonly retries: number;
  /** The last due date at which something was charged or declined; null: there was none. */
  readonly lastDue: number | null;
  /** How many charges succeeded, and what those in its present currency took together. */
  readonly charged: number;
  readonly chargedMinor: number;
}

/** The job of a subscription whose next charge is due. */
export const SUBSCRIPTION_CHARGE = 'subscription.charge';
