import { drawDelay } from '../core/time/delay.js';
import { type ConfiguredProvider, type OutcomeShare, PROVIDER_NAME } from '../records/provider.js';
import type { ProviderOperation } from './magic.js';
import { APPROVE, requireOutcome, type Outcome } from './outcomes.js';

export interface ProviderState {
  /** Increments a counter, and returns its old value. */
  next(counter: string): number;
  /** A new number in [0, 1). */
  draw(purpose: string): number;
}

/** Every n-th call fails; other charges get the outcomes by their shares. */
export function drawConfiguredOutcome(
  { index, behaviour }: ConfiguredProvider,
  operation: ProviderOperation,
  state: ProviderState,
): Outcome {
  const { fails, outcomes } = behaviour;
  if (fails !== null && state.next(`provider:${index} calls`) % fails.every === fails.every - 1) {
    return requireOutcome(fails.outcome);
  }
  if (operation !== 'charge.create' || outcomes.length === 0) return APPROVE;
  return requireOutcome(pickByShare(outcomes, state.draw(`provider:${index} outcome`)));
}

/** The outcome whose share contains a number in [0, 1). */
function pickByShare(outcomes: readonly OutcomeShare[], drawn: number): string {
  let left = drawn * outcomes.reduce((sum, { weight }) => sum + weight, 0);
  for (const { outcome, weight } of outcomes) {
    if (left < weight) return outcome;
    left -= weight;
  }
  // Sums of fractions are not exact, so a remainder goes to the last outcome with a share.
  return outcomes.findLast(({ weight }) => weight > 0)?.outcome ?? APPROVE.name;
}

export function drawConfiguredLatency(
  { index, behaviour }: ConfiguredProvider,
  state: ProviderState,
): number {
  const { latency } = behaviour;
  return latency === null ? 0 : drawDelay(latency, () => state.draw(`provider:${index} latency`));
}

/** The value of `x-sandbox-trigger`. */
export function providerTrigger(provider: ConfiguredProvider): string {
  return `provider:${labelProvider(provider)}`;
}

/** The name of a provider if a scenario chose it, otherwise its identifier: the name in a call may be any text. */
export function labelProvider({ name, providerId, scripted }: ConfiguredProvider): string {
  return scripted && PROVIDER_NAME.test(name) ? name : providerId;
}
