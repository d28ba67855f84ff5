import type { Effect, Operation } from './model.js';

/** The operations that put a question to a provider, or to a payer's bank, so that an outcome can answer it. */
export const ASKS_PROVIDER: readonly Operation[] = [
  'charge.create',
  'charge.capture',
  'charge.void',
  'charge.refund',
  'charge.settle',
  'customer.create',
  'paymentMethod.create',
  'token.create',
  'batch.row',
  'subscription.charge',
];

/** The operations that come by no request of their own, so that no fault or delay can happen on their way. */
export const WITHOUT_CONNECTION: readonly Operation[] = ['charge.settle', 'batch.row', 'subscription.charge'];

/** Whether what is said of one operation holds for another: a charge that a subscription makes is a charge as well. */
export function covers(said: Operation, operation: Operation): boolean {
  return said === operation || (said === 'charge.create' && operation === 'subscription.charge');
}

/** Whether a rule does anything to a call of the operation; one that keeps later rules away does. */
export function reaches({ outcome, fault, quota, delay, state }: Effect, operation: Operation): boolean {
  const onTheWay = fault ?? quota ?? delay;
  if (state !== undefined || (outcome === undefined && onTheWay === undefined)) return true;
  if (outcome !== undefined && ASKS_PROVIDER.includes(operation)) return true;
  return onTheWay !== undefined && !WITHOUT_CONNECTION.includes(operation);
}
