/** How long something waits; a distribution is drawn from the world's seed. */
export type DelaySpec =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly minMs: number; readonly maxMs: number }
  /** `sigma` is the standard deviation of the logarithm. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly sigma: number };

/** Our own limit. */
export const DELAY_MS_MAX = 60_000;
/** The largest standard deviation of a delay's logarithm. */
export const SIGMA_MAX = 5;

/** The delay of one call in whole milliseconds; `draw` gives a new number in [0, 1) each time. */
export function drawDelay(spec: DelaySpec, draw: () => number): number {
  return Math.min(DELAY_MS_MAX, Math.max(0, Math.round(drawRawDelay(spec, draw))));
}

function drawRawDelay(spec: DelaySpec, draw: () => number): number {
  switch (spec.kind) {
    case 'fixed':
      return spec.ms;
    case 'uniform':
      return spec.minMs + (spec.maxMs - spec.minMs) * draw();
    case 'lognormal':
      return spec.medianMs * Math.exp(spec.sigma * drawNormal(draw));
  }
}

function drawNormal(draw: () => number): number {
  // 1 - draw lies in (0, 1], so the logarithm is finite.
  const radius = Math.sqrt(-2 * Math.log(1 - draw()));
  return radius * Math.cos(2 * Math.PI * draw());
}
