import type { JournalEntry } from '../client/answers.js';
import type { World } from '../client/world.js';
import { RULE_PREFIX } from './points.js';
import type { Trial } from './trial.js';

export function isInFlight(trial: Trial): boolean {
  return trial.some(({ fault }) => fault.name === 'in flight');
}

/** The call of a run that its client has given up on. It arrives after the next search, so that this finds nothing. */
export class CallInFlight {
  #hasArrived = false;

  constructor(
    private readonly world: World,
    private readonly noteArrival: (call: JournalEntry) => void = () => {},
  ) {}

  /** To be called after each answer, and when the flow has ended (`isOver`). */
  async arrive(isOver: boolean): Promise<void> {
    if (this.#hasArrived) return;
    const entries = await this.world.journal.entries({ undone: false });
    const at = entries.findIndex(({ rule }) => rule === `${RULE_PREFIX} 1`);
    const hit = entries[at];
    const isDue = isOver || entries.slice(at + 1).some(({ operation }) => operation?.endsWith('.search'));
    // Another call may have let it arrive during the read.
    if (hit === undefined || !isDue || this.#hasArrived) return;
    this.#hasArrived = true;
    this.noteArrival(hit);
    await this.world.fetch(`/_sandbox/journal/${hit.entryId}/repeat`, { method: 'POST' });
  }
}
