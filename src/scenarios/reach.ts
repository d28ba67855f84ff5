import type { Effect, Operation } from './model.js';

/** The operations that put a question to a provider, so that an outcome can answer it. */
export const ASKS_PROVIDER: readonly Operation[] = [
  'charge.create',
  'charge.capture',
  'charge.void',
  'charge.refund',
  'customer.create',
  'paymentMethod.create',
  'token.create',
  'batch.row',
];

/** The operation that comes by no request of its own, so that no fault or delay can happen on its way. */
export const WITHOUT_CONNECTION: Operation = 'batch.row';

/** Whether a rule does anything to a call of the operation; one that keeps later rules away does. */
export function reaches({ outcome, fault, quota, delay, state }: Effect, operation: Operation): boolean {
  const onTheWay = fault ?? quota ?? delay;
  if (state !== undefined || (outcome === undefined && onTheWay === undefined)) return true;
  if (outcome !== undefined && ASKS_PROVIDER.includes(operation)) return true;
  return onTheWay !== undefined && operation !== WITHOUT_CONNECTION;
}
