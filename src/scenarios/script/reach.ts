import { canAnswer, FOLLOW_UP_OPERATIONS } from '../../outcomes/outcomes.js';
import type { Operation } from './operations.js';
import type { Effect, Rule } from './rule.js';

/** Operations that ask a provider or the payer's bank, so an outcome has an effect on them. */
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

/** Operations without an HTTP request, on which faults, delays and advances have no effect. */
export const WITHOUT_CONNECTION: readonly Operation[] = ['charge.settle', 'batch.row', 'subscription.charge'];

/** Whether a rule for one operation also matches another: a charge made by a subscription is also a charge. */
export function coversOperation(named: Operation, operation: Operation): boolean {
  return named === operation || (named === 'charge.create' && operation === 'subscription.charge');
}

/**
 * Whether a rule can act on calls of the operation. One without an effect on it does not count its calls and does not keep later rules
 * from applying.
 */
export function canActOn({ when, effect }: Rule, operation: Operation): boolean {
  return (
    (when.operation?.some((named) => coversOperation(named, operation)) ?? true) &&
    canAffect(effect, operation)
  );
}

/** Whether an effect is possible on calls of the operation. A rule that only keeps later rules from applying has one. */
function canAffect(effect: Effect, operation: Operation): boolean {
  const { outcome, fault, quota, delay, advance, state } = effect;
  const onTheWay = fault ?? quota ?? delay ?? advance;
  if (state !== undefined || (outcome === undefined && onTheWay === undefined)) return true;
  if (outcome !== undefined && ASKS_PROVIDER.includes(operation) && canAnswer(outcome, operation))
    return true;
  return onTheWay !== undefined && !WITHOUT_CONNECTION.includes(operation);
}

/** Why an outcome has no effect on any of these operations, and what to use; null if it has one. */
export function whyNoOutcome(outcome: string, operations: readonly Operation[]): string | null {
  const asking = operations.filter((operation) => ASKS_PROVIDER.includes(operation));
  if (asking.some((operation) => canAnswer(outcome, operation))) return null;
  if (asking.length > 0) return whyUnfitOutcome(outcome, asking);
  const does = operations.length === 1 ? 'does' : 'do';
  return `${operations.join(', ')} ${does} not ask a provider. Use a fault or a delay, or one of the operations ${ASKS_PROVIDER.join(', ')}`;
}

function whyUnfitOutcome(outcome: string, operations: readonly Operation[]): string {
  const only = FOLLOW_UP_OPERATIONS.get(outcome) ?? '';
  const fitting = Array.from(FOLLOW_UP_OPERATIONS.keys()).filter((name) =>
    operations.some((operation) => canAnswer(name, operation)),
  );
  const use = [...fitting, 'insufficient_funds'].join(', ');
  return `it is an outcome of ${only} only. For ${operations.join(', ')}, use ${use} or another decline`;
}

function whyNoFault(operations: readonly Operation[]): string | null {
  if (operations.some((operation) => !WITHOUT_CONNECTION.includes(operation))) return null;
  return `${describeNoConnection(operations)}. Use an outcome`;
}

function whyNoPhase(operations: readonly Operation[]): string | null {
  if (operations.some((operation) => !WITHOUT_CONNECTION.includes(operation))) return null;
  return `${describeNoConnection(operations)}, so nobody waits for its answer. Leave it out`;
}

export const USELESS_PHASE =
  'has no effect: after is for faults, delays and the outcome gateway_timeout. Leave it out';

export function isUselessPhase({ outcome, fault, quota, delay, phase }: Effect): boolean {
  return phase === 'after' && (fault ?? quota ?? delay) === undefined && outcome !== 'gateway_timeout';
}

function describeNoConnection(operations: readonly Operation[]): string {
  return `${operations.join(', ')} ${operations.length === 1 ? 'has' : 'have'} no connection`;
}

interface UselessField {
  readonly field: string;
  /** The value of the field, if it is one word. */
  readonly given: string | undefined;
  readonly why: string;
}

/** The fields of `then` that have no effect on any of the rule's operations. */
export function findUselessFields(
  { outcome, fault, quota, delay, advance, phase }: Effect,
  operations: readonly Operation[],
): readonly UselessField[] {
  const idle: UselessField[] = [];
  const add = (field: string, why: string, given?: string): void => void idle.push({ field, given, why });
  const noOutcome = outcome === undefined ? null : whyNoOutcome(outcome, operations);
  if (noOutcome !== null) add('outcome', noOutcome, outcome);
  const noPhase = phase === 'after' ? whyNoPhase(operations) : null;
  if (noPhase !== null) add('phase', noPhase);
  const noFault = whyNoFault(operations);
  if (noFault === null) return idle;
  if (fault?.kind === 'status') add('respond', noFault);
  else if (fault !== undefined) add('fault', noFault, fault.kind);
  if (quota !== undefined) add('fault', noFault);
  if (delay !== undefined) add('delay', noFault);
  if (advance !== undefined) add('advance', noFault);
  return idle;
}
