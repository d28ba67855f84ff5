import type { Host } from './host.js';

/** A timer of more than 2^31 ms would fire at once; an hour is soon enough to look again. */
const TIMER_MAX = 3_600_000;

/** One real timer for the next of many virtual instants. */
export class Alarm {
  #cancel: (() => void) | null = null;
  /** The virtual instant that it is set for; NaN when that must be judged anew. */
  #instant = Infinity;

  constructor(
    private readonly host: Host,
    private readonly ring: () => void,
  ) {}

  /** Sets the alarm for an instant that is `delay()` real milliseconds away; Infinity: for none. */
  setFor(instant: number, delay: (instant: number) => number): void {
    if (instant === this.#instant) return;
    this.clear();
    this.#instant = instant;
    const ms = instant === Infinity ? Infinity : delay(instant);
    if (ms === Infinity) return;
    this.#cancel = this.host.timer(
      () => {
        this.#instant = Infinity;
        this.ring();
      },
      Math.min(ms, TIMER_MAX),
    );
  }

  /** Whatever it was set for: the clock has moved under it. */
  forget(): void {
    this.#instant = NaN;
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
