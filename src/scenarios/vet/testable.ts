import { type EventType, TOPIC_OF_EVENT, type Topic } from '../../records/webhook-subscription.js';
import { type Operation, OPERATIONS } from '../script/operations.js';
import { coversOperation, WITHOUT_CONNECTION } from '../script/reach.js';
import type { When } from '../script/rule.js';

/** The values of an operation's calls that conditions can test, besides headers. A condition on any other value never holds. */
const TESTABLE_OF_CALLS: Readonly<Partial<Record<Operation, string>>> = {
  'charge.create': 'provider card amount currency reference customer',
  'charge.capture': 'provider card amount currency reference customer',
  'charge.void': 'provider card amount currency reference customer',
  'charge.refund': 'provider card amount currency reference customer',
  'charge.read': 'provider card amount currency reference customer',
  // Only bank accounts settle later.
  'charge.settle': 'provider amount currency reference customer',
  'charge.search': 'reference',
  'customer.create': 'provider card reference',
  'customer.read': 'customer',
  'customer.search': 'reference',
  'customer.update': 'customer reference',
  'customer.remove': 'customer',
  'paymentMethod.create': 'provider card customer',
  'paymentMethod.read': 'provider card customer',
  'paymentMethod.search': 'customer',
  'paymentMethod.update': 'provider card customer',
  'paymentMethod.remove': 'provider card customer',
  'vault.create': 'card',
  'batch.row': 'provider card amount currency reference customer',
  'token.create': 'provider card amount',
  'checkout.create': 'provider amount currency',
  'authentication.create': 'card',
  'info.read': 'provider',
  'provider.create': 'currency',
  'provider.update': 'currency',
  'subscription.create': 'provider card amount currency customer',
  'subscription.update': 'amount currency',
  'subscription.charge': 'provider card amount currency customer',
  'paymentLink.create': 'amount currency',
  'transfer.create': 'provider',
  'transfer.search': 'reference',
};

/** The values of a topic's webhooks that policies can test, besides the event and the Url. */
const TESTABLE_OF_WEBHOOKS: Readonly<Record<Topic, string>> = {
  Transaction: 'status reference customer',
  Batch: 'status',
  Subscription: 'status',
  Customer: 'reference customer',
  PaymentMethod: 'customer',
};

const NEEDS_CALL = [
  'provider',
  'card',
  'amount',
  'currency',
  'reference',
  'customer',
  'status',
  'header',
] as const;
export type Testable = (typeof NEEDS_CALL)[number];

/** Lists the values that a call must have for the conditions to hold, such as `customer` for `each: customer`. */
export function listNeeded(when: When): readonly Testable[] {
  return NEEDS_CALL.filter((condition) => when[condition] !== undefined || when.each === condition);
}

export function testableOf(operation: Operation): readonly string[] {
  const own = (TESTABLE_OF_CALLS[operation] ?? '').split(' ');
  return WITHOUT_CONNECTION.includes(operation) ? own : [...own, 'header'];
}

export function testableOfWebhook(event: EventType): readonly string[] {
  return TESTABLE_OF_WEBHOOKS[TOPIC_OF_EVENT[event]].split(' ');
}

/** Lists the needed values that no call of these operations has; empty if the calls of one operation have them all. */
export function missingInCalls(
  operations: readonly Operation[],
  needed: readonly Testable[],
): readonly Testable[] {
  const calls = OPERATIONS.filter((call) => operations.some((named) => coversOperation(named, call)));
  return fewestMissing(calls.map(testableOf), needed);
}

export function missingInWebhooks(
  events: readonly EventType[],
  needed: readonly Testable[],
): readonly Testable[] {
  return fewestMissing(events.map(testableOfWebhook), needed);
}

function fewestMissing(
  all: readonly (readonly string[])[],
  needed: readonly Testable[],
): readonly Testable[] {
  const missing = all.map((has) => needed.filter((field) => !has.includes(field)));
  return missing.toSorted((a, b) => a.length - b.length)[0] ?? [];
}
