import type { Override } from '../outcomes/header.js';
import type { Facts } from '../scenarios/model.js';
import type { World } from '../world.js';

/** What a script may look at in a charge that no request is behind. */
type Unasked = Omit<Facts, 'now' | 'header'>;

/** What the world's script says of it, as the outcome that is asked for; null: nothing. */
export function scriptedOutcome(world: World, about: Unasked): Override | null {
  const facts: Facts = { ...about, now: world.now, header: () => undefined };
  const verdict = world.script.decide(facts, world.chance);
  return verdict?.outcome
    ? { outcome: verdict.outcome, delayMs: 0, trigger: verdict.trigger, isDone: false }
    : null;
}
