import { writeState } from '../../src/control/snapshots/state-write.js';
import type { Snapshot } from '../../src/world/snapshot.js';

/** A world as text, without the counts of requests: also those count that are refused. */
export function stateText(snapshot: Snapshot): string {
  const counts = snapshot.counts.filter(([name]) => name !== 'requests' && name !== 'controls');
  return [...writeState({ ...snapshot, counts })].join('');
}
