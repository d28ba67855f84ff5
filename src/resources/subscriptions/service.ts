import { AMOUNT_CONDITIONS } from '../charges/search.js';
import { readAmount } from '../charges/service.js';
import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import { dayNumber } from '../../core/time/periods.js';
import { formatInstant } from '../../core/time/time.js';
import { requireMethod } from '../payment-methods/service.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import type { World } from '../../world/world.js';
import {
  type EndAfter,
  type Subscription,
  SUBSCRIPTION_CHARGE,
  SUBSCRIPTION_TRANSITIONS,
  type SubscriptionStatus,
  type SubscriptionTerms,
} from '../../records/subscription.js';
import {
  changeSchedule,
  chargeDueAt,
  hasEnded,
  resumeSchedule,
} from '../../records/subscription-schedule.js';

/** Requested terms. Amounts are in the digits that were sent, because their decimals depend on the currency. */
export interface TermsInput extends Omit<SubscriptionTerms, 'amountMinor' | 'currency' | 'endAfter'> {
  readonly amount: string;
  /** If null: the provider's default, or no change. */
  readonly currency: string | null;
  readonly endAfter: {
    readonly count: number | null;
    readonly amount: string | null;
    readonly date: number | null;
  } | null;
}

export interface SubscriptionCommand {
  readonly paymentMethodId: string;
  /** The subscription begins now if this is null or in the past. */
  readonly startDate: number | null;
  readonly terms: TermsInput;
}

/** Stores a subscription. Its job makes all charges, the first one when it begins. */
export function createSubscription(world: World, command: SubscriptionCommand): Subscription {
  const { startDate } = command;
  // The default currency is the provider's, which depends on the payment method.
  const terms = readTerms(command.terms, () => providerCurrency(world, command.paymentMethodId));
  const anchor = Math.max(startDate ?? world.now, world.now);
  requireReachableEnd(terms.endAfter, anchor);
  const method = requireMethod(world, command.paymentMethodId);
  world.requireRoom(world.subscriptions, 'subscriptions');
  const made: Subscription = {
    ...terms,
    id: world.subscriptions.nextId,
    index: world.subscriptions.next,
    paymentMethod: method.id,
    status: 'Active',
    dateAdded: world.now,
    startDate,
    anchor,
    turn: 0,
    retries: 0,
    lastDue: null,
    charged: 0,
    chargedMinor: 0,
  };
  world.subscriptions.add(made);
  return storeAndSchedule(world, made);
}

/** Returns a subscription. Unknown: 404 with code 104. */
export function requireSubscription(world: World, id: string): Subscription {
  return (
    world.subscriptions.find(id) ??
    refuseUnknownId(CODE.InvalidSubscriptionId, id, 'subscription', 'SubscriptionId')
  );
}

/** Replaces the terms of a subscription. If it has ended: 409 with code 108. */
export function updateSubscription(world: World, id: string, input: TermsInput): Subscription {
  const terms = readTerms(input, () => requireSubscription(world, id).currency);
  const found = requireSubscription(world, id);
  if (SUBSCRIPTION_TRANSITIONS[found.status].length === 0) {
    refuseSubscriptionStatus(
      id,
      `is ${found.status}; only Active and Suspended subscriptions can be changed.`,
    );
  }
  const chargedMinor = terms.currency === found.currency ? found.chargedMinor : 0;
  return storeAndSchedule(world, changeSchedule(found, { ...found, ...terms, chargedMinor }, world.now));
}

/** Changes the status of a subscription. A change that is not permitted: 409 with code 108. */
export function setSubscriptionStatus(world: World, id: string, status: SubscriptionStatus): Subscription {
  const found = requireSubscription(world, id);
  const allowed = SUBSCRIPTION_TRANSITIONS[found.status];
  if (!allowed.includes(status)) {
    const why =
      allowed.length === 0
        ? `, which is final; it cannot become ${status}.`
        : `; it can become ${allowed.join(' or ')}, not ${status}.`;
    refuseSubscriptionStatus(id, `is ${found.status}${why}`);
  }
  const moved = { ...found, status };
  return storeAndSchedule(world, status === 'Active' ? resumeSchedule(moved, world.now) : moved);
}

/** Stores a changed subscription, sends its webhook and schedules its next charge, or completes it if there is none. */
export function storeAndSchedule(world: World, changed: Subscription): Subscription {
  const { id } = changed;
  const isComplete = changed.status === 'Active' && hasEnded(changed);
  const after: Subscription = isComplete ? { ...changed, status: 'Complete' } : changed;
  const before = world.subscriptions.find(id)?.status;
  world.subscriptions.replace(after);
  if (after.status !== before) world.webhooks.notify('subscription.status.changed', id, after.webhook);
  if (after.status === 'Active') world.jobs.schedule(chargeDueAt(after), SUBSCRIPTION_CHARGE, id);
  else world.jobs.cancel(SUBSCRIPTION_CHARGE, id);
  return after;
}

/** The default currency of a payment method's provider. */
function providerCurrency(world: World, paymentMethodId: string): string {
  const { providerId } = requireMethod(world, paymentMethodId);
  return world.providers.findByProviderId(providerId)?.currency ?? DEFAULT_CURRENCY;
}

function readTerms(
  { amount, endAfter, ...input }: TermsInput,
  defaultCurrency: () => string,
): SubscriptionTerms {
  const others = { ...input, currency: input.currency ?? defaultCurrency() };
  const amountMinor = readAmount(amount, others.currency);
  if (endAfter === null) return { ...others, amountMinor, endAfter };
  const { count, date } = endAfter;
  const limit =
    endAfter.amount === null ? null : readAmount(endAfter.amount, others.currency, 'EndAfter.Amount');
  return { ...others, amountMinor, endAfter: { count, amountMinor: limit, date } };
}

/** Refuses an end before the first charge, because the subscription would never charge anything. */
function requireReachableEnd(endAfter: EndAfter | null, anchor: number): void {
  const date = endAfter?.date ?? null;
  if (date === null || dayNumber(date) >= dayNumber(anchor)) return;
  const reason = `must not be before the first charge, which is due at ${formatInstant(anchor)}`;
  refuseField(CODE.ValidationError, 'EndAfter.Date', reason);
}

function refuseSubscriptionStatus(id: string, why: string): never {
  return refuse(CODE.UnableToUpdateSubscription, `The subscription ${id} ${why}`, { httpStatus: 409 });
}

const CONDITIONS = {
  ...AMOUNT_CONDITIONS,
  status: (wanted: SubscriptionStatus) => (subscription: Subscription) => subscription.status === wanted,
};

export type SubscriptionFilter = SearchFilter<typeof CONDITIONS, 'Date' | 'Status' | 'Currency'>;

export function searchSubscriptions(
  { subscriptions }: World,
  filter: SubscriptionFilter,
): SearchResult<Subscription> {
  return searchTable(subscriptions, filter, {
    conditions: CONDITIONS,
    orders: {
      Status: (subscription) => subscription.status,
      Currency: (subscription) => subscription.currency,
    },
  });
}
