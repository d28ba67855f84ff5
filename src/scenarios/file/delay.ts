import type { DelaySpec } from '../../core/time/delay.js';

/** The largest standard deviation of a delay's logarithm. */
export const SIGMA_MAX = 5;

export interface DelayParts {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly median?: number | undefined;
  readonly sigma?: number | undefined;
}

/** Returns `mixed` for a combination that is no delay, and `reversed` if the minimum is above the maximum. */
export function toDelaySpec(given: number | DelayParts): DelaySpec | 'mixed' | 'reversed' {
  if (typeof given === 'number') return { kind: 'fixed', ms: given };
  const { min, max, median, sigma } = given;
  if ([min, max, median, sigma].filter((part) => part !== undefined).length !== 2) return 'mixed';
  if (median !== undefined && sigma !== undefined) return { kind: 'lognormal', medianMs: median, sigma };
  if (min === undefined || max === undefined) return 'mixed';
  return min <= max ? { kind: 'uniform', minMs: min, maxMs: max } : 'reversed';
}

export function toDelayParts(delay: DelaySpec): number | DelayParts {
  switch (delay.kind) {
    case 'fixed':
      return delay.ms;
    case 'uniform':
      return { min: delay.minMs, max: delay.maxMs };
    case 'lognormal':
      return { median: delay.medianMs, sigma: delay.sigma };
  }
}
