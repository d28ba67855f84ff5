import type { AdvanceReport, ClockState } from './answers.js';
import type { Advance, ClockChange } from './asked.js';
import { ControlCalls } from './call.js';
import { isPlainObject } from './sendable.js';

/** The clock of a world. Everything that takes time follows it. */
export class WorldClock extends ControlCalls {
  /** The current time. */
  async now(): Promise<string> {
    return (await this.get()).now;
  }

  /** The mode and the time of the clock, and when the next job is due. */
  get(): Promise<ClockState> {
    return this.call('GET', '/clock');
  }

  /**
   * Moves the clock forward and runs every job that becomes due, each at its own instant. Resolves after the first attempt to
   * deliver the webhooks that these jobs cause. Rejects with code 90 for an instant in the past.
   *
   * @example
   * await world.clock.advance('7d'); // authorisations have expired now
   * await world.clock.advance({ to: '2026-12-31T23:59:59Z' });
   */
  advance(target: Advance): Promise<AdvanceReport> {
    return this.call('POST', '/clock/advance', isPlainObject(target) ? target : { by: target });
  }

  /**
   * Changes the mode of the clock.
   *
   * @example
   * await world.clock.set({ mode: 'manual', now: '2027-01-01T00:00:00Z' });
   */
  set(change: ClockChange | 'real' | 'manual'): Promise<ClockState> {
    return this.call('PUT', '/clock', isPlainObject(change) ? change : { mode: change });
  }
}
