import type { SweepProgress } from '../../sweep/public.js';
import { NODE_HOST } from '../machine/host.js';
import { stderrProgress } from '../terminal/progress.js';

/** Tells whether the time for all runs is over. No timer: in process, runs may follow each other without giving one its turn. */
export function startBudget(ms: number | null): () => boolean {
  const end = NODE_HOST.now() + (ms ?? Infinity);
  return () => NODE_HOST.now() >= end;
}

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
