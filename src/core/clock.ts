import { CODE, refuse } from './errors.js';
import type { Host } from './host.js';
import { formatInstant } from './time.js';

export type ClockMode = 'real' | 'manual' | 'scaled';

export interface ClockSettings {
  readonly mode: ClockMode;
  /** Virtual milliseconds for each real one; 1 in real mode, 0 in manual mode. */
  readonly rate: number;
  /** Where the clock begins, in milliseconds since 1970; null: the wall clock now. */
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
/** The slowest and the fastest that a scaled clock goes: our own limits. */
export const RATE_MIN = 0.001;
export const RATE_MAX = 1_000_000;
/** The default start of a manual or scaled clock: 2026-01-01T00:00:00Z. */
export const DEFAULT_START = Date.UTC(2026, 0, 1);
/** The end of the year 9999: the last instant that the wire's date format can write. */
export const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/**
 * One world's time. A real and a fake clock at once: virtual time runs from an anchor at a rate, and a
 * rate of 0 stands still. It never goes back, also when the wall clock does.
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

  /** From where to where a target leads; backwards and beyond the last instant: 400 with code 90. */
  plan(target: AdvanceTarget): { from: number; to: number } {
    const from = this.now();
    const to = 'by' in target ? from + target.by : target.to;
    if (to < from) {
      refuse(
        CODE.ValidationError,
        `The clock stands at ${formatInstant(from)} and only goes forward; ${formatInstant(to)} is before that.`,
      );
    }
    if (to > LAST_INSTANT) refuse(CODE.ValidationError, `The clock ends at ${formatInstant(LAST_INSTANT)}.`);
    return { from, to };
  }

  /** Moves forward to an instant and goes on from there; an instant already passed changes nothing. */
  moveTo(instant: number): void {
    this.#latest = Math.max(this.now(), instant);
    this.#anchor = this.#latest;
    this.#anchorWall = this.host.now();
  }

  /** Stands still at each instant that an advance moves to, whatever the wall clock does meanwhile. */
  hold(): void {
    this.moveTo(this.now());
    this.#held = true;
  }

  /** Goes on from the instant at which it stood; the real time that passed meanwhile is left out. */
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

  /** Goes on from an instant, which may lie before now: a restored world's time goes back. */
  restore(instant: number, { mode, rate }: ClockChange): void {
    this.#mode = mode;
    this.#rate = rate;
    this.#latest = instant;
    this.#anchor = instant;
    this.#anchorWall = this.host.now();
  }

  /** Real milliseconds until a virtual instant; infinite for one to come when time stands still. */
  realDelay(instant: number): number {
    if (this.#held) return Infinity;
    if (this.#rate === 0) return instant <= this.#latest ? 0 : Infinity;
    return Math.max(0, Math.ceil((instant - this.now()) / this.#rate));
  }
}
