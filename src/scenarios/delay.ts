import type { ProviderState } from '../providers/provider.js';
import type { DelaySpec } from './model.js';

/** The longest delay that a script may make: our own limit, as for the header. */
export const DELAY_MS_MAX = 60_000;

/** The delay of one call in whole milliseconds, drawn from the world's seed where it is not fixed. */
export function drawDelay(spec: DelaySpec, purpose: string, chance: ProviderState): number {
  return Math.min(DELAY_MS_MAX, Math.max(0, Math.round(rawDelay(spec, purpose, chance))));
}

function rawDelay(spec: DelaySpec, purpose: string, chance: ProviderState): number {
  switch (spec.kind) {
    case 'fixed':
      return spec.ms;
    case 'uniform':
      return spec.minMs + (spec.maxMs - spec.minMs) * chance.draw(purpose);
    case 'lognormal':
      return spec.medianMs * Math.exp(spec.sigma * drawNormal(purpose, chance));
  }
}

/** A draw from the standard normal distribution, by Box-Muller. */
function drawNormal(purpose: string, chance: ProviderState): number {
  // 1 - draw lies in (0, 1], so the logarithm is finite.
  const radius = Math.sqrt(-2 * Math.log(1 - chance.draw(purpose)));
  return radius * Math.cos(2 * Math.PI * chance.draw(purpose));
}
