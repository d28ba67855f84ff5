import { CODE, refuse } from '../errors.js';
import type { Host } from '../host.js';
import { formatInstant } from './time.js';

export type ClockMode = 'real' | 'manual' | 'scaled';

export interface ClockSettings {
  readonly mode: ClockMode;
  /** Virtual milliseconds for each real one; 1 in real mode, 0 in manual mode. */
  readonly rate: number;
  /** Where the clock begins, in milliseconds since 1970; null for the current wall-clock time. */
  readonly start: number | null;
}

export interface ClockChange {
  readonly mode: ClockMode;
  readonly rate: number;
}

/** An advance by some milliseconds, or to an instant. */
export type AdvanceTarget = { readonly by: number } | { readonly to: number };

/** The default rate of each mode. */
export const STANDARD_RATE: Readonly<Record<ClockMode, number>> = { real: 1, manual: 0, scaled: 60 };
/** The minimum and maximum rate of a scaled clock: our own limits. */
export const RATE_MIN = 0.001;
export const RATE_MAX = 1_000_000;
/** The default start of a manual or scaled clock: 2026-01-01T00:00:00Z. */
export const DEFAULT_START = Date.UTC(2026, 0, 1);
/** The end of the year 9999: the last instant that the wire's date format can write. */
export const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/**
 * The time of a world, both as a real and as a fake clock: virtual time runs from an anchor at a rate, and stands still at
 * the rate 0. It never goes back, even if the wall clock does.
 */
export class Clock {
  #mode: ClockMode;
  #rate: number;
  #anchor: number;
  #anchorWall: number;
  #latest: number;
  #held = false;

  constructor(
    private readonly host: Host,
    settings: ClockSettings,
  ) {
    this.#mode = settings.mode;
    this.#rate = settings.rate;
    this.#anchorWall = host.now();
    this.#anchor = settings.start ?? (settings.mode === 'real' ? this.#anchorWall : DEFAULT_START);
    this.#latest = this.#anchor;
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  get rate(): number {
    return this.#rate;
  }

  /** Now, in whole milliseconds since 1970. */
  now(): number {
    if (this.#rate === 0 || this.#held) return this.#latest;
    const reached = this.#anchor + Math.floor((this.host.now() - this.#anchorWall) * this.#rate);
    if (reached > this.#latest) this.#latest = Math.min(reached, LAST_INSTANT);
    return this.#latest;
  }

  /** The start and end of an advance. Throws 400 with code 90 if it goes back, or beyond the last instant. */
  plan(target: AdvanceTarget): { from: number; to: number } {
    const from = this.now();
    const to = 'by' in target ? from + target.by : target.to;
    if (to < from) {
      refuse(
        CODE.ValidationError,
        `The clock is at ${formatInstant(from)} and cannot go back to ${formatInstant(to)}.`,
      );
    }
    if (to > LAST_INSTANT)
      refuse(CODE.ValidationError, `The clock cannot go beyond ${formatInstant(LAST_INSTANT)}.`);
    return { from, to };
  }

  /** Moves forward to an instant and continues from there. An instant in the past changes nothing. */
  moveTo(instant: number): void {
    this.#latest = Math.max(this.now(), instant);
    this.#anchor = this.#latest;
    this.#anchorWall = this.host.now();
  }

  /** Stops the clock during an advance, so that the wall clock does not move it. */
  hold(): void {
    this.moveTo(this.now());
    this.#held = true;
  }

  /** Continues from the instant at which it was stopped. The real time in between is ignored. */
  release(): void {
    this.#held = false;
    this.#anchor = this.#latest;
    this.#anchorWall = this.host.now();
  }

  change(mode: ClockMode, rate: number): void {
    this.moveTo(this.now());
    this.#mode = mode;
    this.#rate = rate;
  }

  /** Continues from an instant, which may be in the past when a world is restored. */
  restore(instant: number, { mode, rate }: ClockChange): void {
    this.#mode = mode;
    this.#rate = rate;
    this.#latest = instant;
    this.#anchor = instant;
    this.#anchorWall = this.host.now();
  }

  /** Real milliseconds until a virtual instant; Infinity for a future one while time stands still. */
  realDelay(instant: number): number {
    if (this.#held) return Infinity;
    if (this.#rate === 0) return instant <= this.#latest ? 0 : Infinity;
    return Math.max(0, Math.ceil((instant - this.now()) / this.#rate));
  }
}
