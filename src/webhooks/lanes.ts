import type { Host } from '../core/host.js';

/** How many attempts of a world are under way at a time, to all receivers. */
const UNDER_WAY_MAX = 256;
/** How many to a receiver that is slow; one that is prompt gets one after the other. */
const SLOW_MAX = 64;
/** After this time without an answer, in real milliseconds, a slow receiver no longer delays others. */
const PATIENCE_MS = 250;

interface Lane {
  readonly waiting: string[];
  underWay: number;
  slow: boolean;
}

/**
 * Attempts in order: each receiver gets one at a time, in the order in which they were due, as long as it answers
 * promptly. To one that does not, several go at once, begun in that order, so that a dead one costs little time.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #underWay = 0;

  constructor(
    private readonly timer: Host['timer'],
    private readonly run: (id: string) => Promise<void>,
  ) {}

  /** Runs an attempt to a receiver in its turn. */
  add(receiver: string, id: string): void {
    const lane = this.#lanes.get(receiver) ?? { waiting: [], underWay: 0, slow: false };
    this.#lanes.set(receiver, lane);
    lane.waiting.push(id);
    this.#pump(receiver, lane);
  }

  #pump(receiver: string, lane: Lane): void {
    while (lane.waiting.length > 0 && lane.underWay < (lane.slow ? SLOW_MAX : 1)) {
      if (this.#underWay >= UNDER_WAY_MAX) return;
      const [id = ''] = lane.waiting.splice(0, 1);
      void this.#attempt(receiver, lane, id);
    }
    if (lane.waiting.length === 0 && lane.underWay === 0) this.#lanes.delete(receiver);
  }

  async #attempt(receiver: string, lane: Lane, id: string): Promise<void> {
    lane.underWay++;
    this.#underWay++;
    let isLate = false;
    const cancel = this.timer(() => {
      isLate = true;
      lane.slow = true;
      this.#pump(receiver, lane);
    }, PATIENCE_MS);
    await this.run(id);
    cancel();
    if (!isLate) lane.slow = false;
    const wasFull = this.#underWay >= UNDER_WAY_MAX;
    lane.underWay--;
    this.#underWay--;
    this.#pump(receiver, lane);
    if (wasFull) for (const [other, one] of this.#lanes) this.#pump(other, one);
  }

  /** Forgets what waits. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
  }
}
