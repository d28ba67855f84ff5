import { type DelaySpec, drawDelay as drawFrom } from '../core/delay.js';
import type { ProviderState } from '../outcomes/provider.js';

export { DELAY_MS_MAX } from '../core/delay.js';

/** The delay of one call in whole milliseconds, drawn from the world's seed where it is not fixed. */
export function drawDelay(spec: DelaySpec, purpose: string, chance: ProviderState): number {
  return drawFrom(spec, () => chance.draw(purpose));
}
