import type { Host } from '../host.js';

/** A timer of more than 2^31 ms would fire at once, so a longer wait is split. */
const TIMER_MS_MAX = 3_600_000;

/** Rings at a virtual instant, by a real timer. */
export class Alarm {
  #cancel: (() => void) | null = null;
  /** The virtual instant that it is set for; NaN if its delay must be computed again. */
  #instant = Infinity;

  constructor(
    private readonly host: Host,
    private readonly ring: () => void,
  ) {}

  /** Sets the alarm for an instant that is `delay()` real milliseconds away; Infinity clears it. */
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
      Math.min(ms, TIMER_MS_MAX),
    );
  }

  /** Makes the next `setFor` compute the delay again, because the clock was moved. */
  forget(): void {
    this.#instant = NaN;
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
