import type { Host } from '../core/host.js';

/** The maximum number of running attempts of a world. */
const UNDER_WAY_MAX = 256;
/** The maximum number of running attempts to a slow receiver. A prompt one gets one at a time. */
const SLOW_MAX = 64;
/** After this time without an answer, in real milliseconds, a slow receiver no longer delays others. */
const PATIENCE_MS = 250;

interface Lane {
  readonly waiting: string[];
  underWay: number;
  slow: boolean;
}

/**
 * Runs attempts in order. A receiver that responds promptly gets one at a time, in the order in which they were due. A slow
 * one gets several at once, started in that order, so that a dead receiver costs little time.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #underWay = 0;

  constructor(
    private readonly timer: Host['timer'],
    /** Makes an attempt, and returns whether the receiver did not answer in time. */
    private readonly run: (id: string) => Promise<boolean>,
  ) {}

  /** Queues an attempt to a receiver. */
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
    const isSilent = await this.run(id);
    cancel();
    if (!isLate) lane.slow = isSilent;
    const wasFull = this.#underWay >= UNDER_WAY_MAX;
    lane.underWay--;
    this.#underWay--;
    this.#pump(receiver, lane);
    if (wasFull) for (const [other, one] of this.#lanes) this.#pump(other, one);
  }

  /** Removes all waiting attempts. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
  }
}
