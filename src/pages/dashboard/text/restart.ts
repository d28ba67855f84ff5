import type { WorldEvent } from '../state/wire.js';
import { formatTime } from './when.js';

/** What a page that was open before says when its server has started again. */
export function describeRestart({ Started, Counts }: Pick<WorldEvent, 'Started' | 'Counts'>): string {
  const isEmpty = Object.values(Counts).every((count) => count === 0);
  return `The server was restarted at ${formatTime(Started)} UTC: ${isEmpty ? 'this world is new and empty' : 'this world was loaded again'}.`;
}
