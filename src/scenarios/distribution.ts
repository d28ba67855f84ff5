import type { DelaySpec } from './model.js';

/** The largest standard deviation of a delay's logarithm. */
export const SIGMA_MAX = 5;

/** The parts of a distribution as an author gave them; times in milliseconds. */
export interface DelayParts {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly median?: number | undefined;
  readonly sigma?: number | undefined;
}

/** The distribution that has these parts; `mixed`: none has, `reversed`: the shortest delay is above the longest. */
export function distributionOf({ min, max, median, sigma }: DelayParts): DelaySpec | 'mixed' | 'reversed' {
  const given = [min, max, median, sigma].filter((part) => part !== undefined).length;
  if (given !== 2) return 'mixed';
  if (median !== undefined && sigma !== undefined) return { kind: 'lognormal', medianMs: median, sigma };
  if (min === undefined || max === undefined) return 'mixed';
  return min <= max ? { kind: 'uniform', minMs: min, maxMs: max } : 'reversed';
}
