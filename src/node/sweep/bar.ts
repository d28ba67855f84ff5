import type { SweepProgress } from '../../sweep/public.js';
import { stderrProgress } from '../terminal/progress.js';

/** Shows how far a sweep is: a bar in a terminal, otherwise a line every few seconds. */
export function createSweepBar(): {
  readonly each: (progress: SweepProgress) => void;
  readonly hide: () => void;
} {
  const progress = stderrProgress();
  return {
    each: ({ done, planned, found }) =>
      progress.note(found === 0 ? 'sweep' : `sweep, ${found} with findings`, done, planned),
    hide: () => progress.hide(),
  };
}
