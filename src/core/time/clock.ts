import { CODE, refuse } from '../errors.js';
import type { Host } from '../host.js';
import { formatInstant, INSTANT_MAX_MS } from './time.js';

export type ClockMode = 'real' | 'manual' | 'scaled';

export interface ClockSpeed {
  readonly mode: ClockMode;
  /** Virtual milliseconds for each real one; 1 in real mode, 0 in manual mode. */
  readonly rate: number;
}

export interface ClockSettings extends ClockSpeed {
  /** In milliseconds since 1970; null for the default of the mode. */
  readonly start: number | null;
}

export type AdvanceTarget = { readonly by: number } | { readonly to: number };

export const STANDARD_RATE: Readonly<Record<ClockMode, number>> = { real: 1, manual: 0, scaled: 60 };
/** Our own limits of the rate of a scaled clock. */
export const RATE_MIN = 0.001;
export const RATE_MAX = 1_000_000;
/** The default start of a manual or scaled clock: 2026-01-01T00:00:00Z. */
export const DEFAULT_START = Date.UTC(2026, 0, 1);

/** The time of a world. It runs from an anchor at a rate, and never goes back, even if the wall clock does. */
export class Clock {
  #mode: ClockMode;
  #rate: number;
  #anchor: number;
  /** The real time at which the clock was at its anchor. */
  #anchorWall: number;
  #latest: number;
  #ahead = 0;
  #isHeld = false;

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

  now(): number {
    if (this.#rate === 0 || this.#isHeld) return this.#latest;
    const reached = this.#anchor + Math.floor((this.host.now() - this.#anchorWall) * this.#rate);
    if (reached >= this.#latest) {
      this.#latest = Math.min(reached, INSTANT_MAX_MS);
      this.#ahead = 0;
    } else if (this.#mode === 'real') this.#ahead = this.#latest - reached;
    // A scaled clock has no right time to wait for.
    else this.#continueFrom(this.#latest);
    return this.#latest;
  }

  /**
   * By how many milliseconds a real clock is ahead of the wall clock, apart from how far it was moved, because the wall clock was set
   * back. It stands still until that has caught up; if it is moved or saved before, it must not stay ahead.
   */
  get ahead(): number {
    this.now();
    return this.#ahead;
  }

  /** The start and end of an advance. Throws 400 with code 90 if it goes back, or beyond the last instant. */
  plan(target: AdvanceTarget): { from: number; to: number } {
    const from = this.now();
    const to = 'by' in target ? from + target.by : target.to;
    if (to < from) {
      const detail = `The clock is at ${formatInstant(from)} and cannot go back to ${formatInstant(to)}.`;
      refuse(CODE.ValidationError, detail);
    }
    if (to > INSTANT_MAX_MS)
      refuse(CODE.ValidationError, `The clock cannot go beyond ${formatInstant(INSTANT_MAX_MS)}.`);
    return { from, to };
  }

  /** An instant in the past changes nothing. */
  moveTo(instant: number): void {
    this.#continueFrom(Math.max(this.now(), instant));
  }

  /** Stops the clock during an advance, so that the wall clock does not move it. */
  hold(): void {
    this.moveTo(this.now());
    this.#isHeld = true;
  }

  release(): void {
    this.#continueFrom(this.#latest);
    this.#isHeld = false;
  }

  change(change: ClockSpeed): void {
    this.restore(this.now(), change, this.#ahead);
  }

  /** Continues from an instant, which may be earlier when a world is restored. */
  restore(instant: number, { mode, rate }: ClockSpeed, ahead = 0): void {
    this.#mode = mode;
    this.#rate = rate;
    this.#ahead = mode === 'real' ? ahead : 0;
    this.#continueFrom(instant);
  }

  #continueFrom(instant: number): void {
    const wall = this.host.now();
    if (this.#isHeld && this.#mode === 'real') this.#ahead += Math.max(0, this.#anchorWall - wall);
    this.#latest = instant;
    this.#anchor = instant - this.#ahead;
    this.#anchorWall = wall;
  }

  /** Real milliseconds until a virtual instant; Infinity for a future one while time stands still. */
  realDelay(instant: number): number {
    if (this.#isHeld) return Infinity;
    if (this.#rate === 0) return instant <= this.#latest ? 0 : Infinity;
    return Math.max(0, Math.ceil((instant - this.now()) / this.#rate));
  }
}
