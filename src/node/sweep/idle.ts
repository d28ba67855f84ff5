import { NODE_HOST } from '../machine/host.js';

/** Turns of the event loop in which a program may go on by itself. */
const TURNS = 20;
/** How long a program that waits for something else is left alone. */
const CHECK_MS = 10;

/** Counts what the process waits for by kind, such as timers and sockets. Null where the runtime does not say. */
function countAwaited(): ReadonlyMap<string, number> | null {
  const info = process.getActiveResourcesInfo?.() ?? null;
  if (info === null) return null;
  const counts = new Map<string, number>();
  for (const kind of info) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  counts.delete('Immediate');
  return counts;
}

/**
 * Returns a function that resolves when the process waits for no timer but those of the sweep itself, and for nothing else that it
 * does not wait for now.
 */
export function watchIdle(ownTimers: () => number): (isCancelled: () => boolean) => Promise<void> {
  const before = countAwaited();
  const isIdle = (): boolean =>
    [...(countAwaited() ?? [])].every(
      ([kind, count]) => count <= (kind === 'Timeout' ? ownTimers() : (before?.get(kind) ?? 0)),
    );
  return async (isCancelled) => {
    while (!isCancelled()) {
      for (let turn = 0; turn < TURNS; turn++) await NODE_HOST.pause();
      if (before !== null && isIdle()) return;
      await new Promise<void>((resolve) => void NODE_HOST.timer(resolve, CHECK_MS));
    }
  };
}
