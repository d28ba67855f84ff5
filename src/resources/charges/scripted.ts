import type { Override } from '../../outcomes/header.js';
import type { Charge } from '../../records/charge.js';
import { findCard } from '../../records/payment-method.js';
import type { CallFacts } from '../../scenarios/script/model.js';
import type { World } from '../../world/world.js';

export type ChargedMethod = Pick<Charge, 'providerId' | 'source' | 'customer' | 'paymentMethod'>;

/** The scripted outcome of a charge without an HTTP request, or at a fallback; null if none. Faults and delays have no effect on it. */
export function findScriptedOutcome(
  world: World,
  operation: CallFacts['operation'],
  { providerId, source, customer, paymentMethod }: ChargedMethod,
  ownFacts: Pick<CallFacts, 'amount' | 'currency' | 'reference' | 'isFallback'>,
): Override | null {
  if (world.script.decidesNothing) return null;
  const facts: CallFacts = {
    ...ownFacts,
    operation,
    providerId,
    cardNumber: findCard(source)?.masked ?? null,
    customerId: customer,
    paymentMethodId: paymentMethod,
    now: world.now,
    header: () => undefined,
  };
  const verdict = world.script.decide(facts, world.chance);
  if (!verdict?.outcome) return null;
  const isDone = ownFacts.isFallback === true && verdict.phase === 'after';
  return { outcome: verdict.outcome, delayMs: 0, trigger: verdict.trigger, isDone };
}
