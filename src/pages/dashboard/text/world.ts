import type { WorldEvent } from '../state/wire.js';
import { formatTime } from './when.js';

/** What a page that was open before says when its server has started again. */
export function describeRestart({ Started, Counts }: Pick<WorldEvent, 'Started' | 'Counts'>): string {
  const isEmpty = Object.values(Counts).every((count) => count === 0);
  return `The server was restarted at ${formatTime(Started)} UTC: ${isEmpty ? 'this world is new and empty' : 'this world was loaded again'}.`;
}

/** The time of a world in milliseconds since 1970, some real milliseconds after it was seen. */
export function estimateNow(
  seen: Pick<WorldEvent, 'Now' | 'Mode' | 'Rate'> | null,
  passedMs: number,
): number {
  if (seen === null) return NaN;
  return Date.parse(seen.Now) + (seen.Mode === 'manual' ? 0 : passedMs * seen.Rate);
}
