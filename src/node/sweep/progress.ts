import type { SweepProgress } from '../../sweep/public.js';
import { NODE_HOST } from '../machine/host.js';
import { stderrProgress } from '../terminal/progress.js';

/** Tells whether the time for all runs is over. No timer: in process, runs may follow each other without giving one its turn. */
export function startBudget(ms: number | null): () => boolean {
  const end = NODE_HOST.now() + (ms ?? Infinity);
  return () => NODE_HOST.now() >= end;
}

/** How often a sweep says how far it is while no run ends. */
const REPEAT_MS = 5000;

/** Shows how far a sweep is: a bar in a terminal, otherwise a line every few seconds. */
export function createSweepBar(): {
  readonly each: (progress: SweepProgress) => void;
  readonly hide: () => void;
} {
  const progress = stderrProgress();
  let last: SweepProgress = { done: 0, planned: 1, found: 0 };
  const show = (): void => {
    const { done, planned, found } = last;
    progress.note(found === 0 ? 'sweep' : `sweep, ${found} with findings`, done, planned);
  };
  show();
  // One run may take long.
  const timer = setInterval(show, REPEAT_MS);
  timer.unref();
  return {
    each: (now) => {
      last = now;
      show();
    },
    hide: () => {
      clearInterval(timer);
      progress.hide();
    },
  };
}
