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

/** Why an outcome can do nothing on any of these operations, and what may; null: on one of them it can. */
export function whyNoOutcome(operations: readonly Operation[]): string | null {
  if (operations.some((one) => ASKS_PROVIDER.includes(one))) return null;
  const asked = operations.length === 1 ? 'asks' : 'ask';
  return `${operations.join(', ')} ${asked} no provider; faults and delays act there, outcomes on ${ASKS_PROVIDER.join(', ')}`;
}

/** Why a fault or delay can do nothing on any of these operations, and what may; null: on one of them it can. */
export function whyNoFault(operations: readonly Operation[]): string | null {
  if (operations.some((one) => !WITHOUT_CONNECTION.includes(one))) return null;
  const come = operations.length === 1 ? 'comes' : 'come';
  return `${operations.join(', ')} ${come} by no connection; an outcome acts there`;
}

/** What stands under `then` and can do nothing on any of the rule's operations, by its name there. */
export function idleFields(
  { outcome, fault, quota, delay }: Effect,
  operations: readonly Operation[],
): readonly { readonly field: string; readonly message: string }[] {
  const idle: { field: string; message: string }[] = [];
  const note = (field: string, why: string, given?: string): void => {
    const what = given === undefined ? '' : `is '${given}', which `;
    idle.push({ field, message: `${what}can do nothing: ${why}` });
  };
  const noOutcome = whyNoOutcome(operations);
  if (outcome !== undefined && noOutcome !== null) note('outcome', noOutcome, outcome);
  const noFault = whyNoFault(operations);
  if (noFault === null) return idle;
  if (fault?.kind === 'status') note('respond', noFault);
  else if (fault !== undefined) note('fault', noFault, fault.kind);
  if (quota !== undefined) note('fault', noFault);
  if (delay !== undefined) note('delay', noFault);
  return idle;
}
