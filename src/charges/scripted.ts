import type { Override } from '../outcomes/header.js';
import type { Facts } from '../scenarios/model.js';
import type { World } from '../world.js';

/** What a script may look at in a charge that no request is behind. */
interface Unasked extends Pick<
  Facts,
  'operation' | 'providerId' | 'cardNumber' | 'amount' | 'currency' | 'reference'
> {
  readonly customer: number | null;
  readonly paymentMethod: number | null;
}

/** What the world's script says of it, as the outcome that is asked for; null: nothing. */
export function scriptedOutcome(
  world: World,
  { customer, paymentMethod, ...about }: Unasked,
): Override | null {
  const facts: Facts = {
    ...about,
    now: world.now,
    customerId: presentId(world.customers, customer),
    paymentMethodId: presentId(world.paymentMethods, paymentMethod),
    header: () => undefined,
  };
  const verdict = world.script.decide(facts, world.chance);
  return verdict?.outcome
    ? { outcome: verdict.outcome, delayMs: 0, trigger: verdict.trigger, isDone: false }
    : null;
}

function presentId(table: { idOf(n: number): string }, n: number | null): string | null {
  return n === null ? null : table.idOf(n);
}
