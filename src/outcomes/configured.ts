import { drawDelay } from '../core/delay.js';
import { type ConfiguredProvider, type OutcomeShare, PROVIDER_NAME } from '../providers/record.js';
import type { ProviderOperation } from './magic.js';
import { APPROVE, knownOutcome, type Outcome } from './outcomes.js';

/** How a configured provider answers by itself. */

/** What a world counts and draws for its providers. */
export interface ProviderState {
  /** 0, 1, 2, … for each counter; counts the call. */
  next(counter: string): number;
  /** A number in [0, 1), a new one each time. */
  draw(purpose: string): number;
}

/** What the provider answers to an operation: every so-manieth call fails, charges meet their shares of outcomes. */
export function configuredOutcome(
  { index, behaviour }: ConfiguredProvider,
  operation: ProviderOperation,
  state: ProviderState,
): Outcome {
  const { fails, outcomes } = behaviour;
  if (fails !== null && state.next(`provider:${index} calls`) % fails.every === fails.every - 1) {
    return knownOutcome(fails.outcome);
  }
  if (operation !== 'charge.create' || outcomes.length === 0) return APPROVE;
  return knownOutcome(drawOutcome(outcomes, state.draw(`provider:${index} outcome`)));
}

/** The outcome into whose share a number in [0, 1) falls. */
function drawOutcome(outcomes: readonly OutcomeShare[], drawn: number): string {
  let left = drawn * outcomes.reduce((sum, { weight }) => sum + weight, 0);
  for (const { outcome, weight } of outcomes) {
    if (left < weight) return outcome;
    left -= weight;
  }
  // Sums of fractions are not exact: what is left over belongs to the last that is ever met.
  return outcomes.findLast(({ weight }) => weight > 0)?.outcome ?? APPROVE.name;
}

/** The provider's own latency for one call, in whole milliseconds. */
export function configuredLatencyMs({ index, behaviour }: ConfiguredProvider, state: ProviderState): number {
  const { latency } = behaviour;
  return latency === null ? 0 : drawDelay(latency, () => state.draw(`provider:${index} latency`));
}

/** What stands in `x-sandbox-trigger`: a scenario's own name for the provider; the name that a call gave may be anything. */
export function triggerOf({ name, providerId, scripted }: ConfiguredProvider): string {
  return `provider:${scripted && PROVIDER_NAME.test(name) ? name : providerId}`;
}
