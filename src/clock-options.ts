import { type ClockMode, RATE_MAX, RATE_MIN, STANDARD_RATE } from './core/clock.js';
import type { ClockOptions } from './public.js';

/** How the clocks of new worlds go, as the inside of a sandbox takes it. Throws a TypeError that says what is taken. */
export function clockOf(clock: ClockMode | ClockOptions): {
  readonly mode?: ClockMode;
  readonly rate?: number;
  readonly start?: number | null;
} {
  const { start, ...rest }: ClockOptions = typeof clock === 'string' ? { mode: clock } : clock;
  const { mode = 'real', rate } = rest;
  // A program without types may have taken the command line's word, such as x60.
  if (!Object.hasOwn(STANDARD_RATE, mode))
    refuseOption(`clock takes ${Object.keys(STANDARD_RATE).join(', ')}`);
  if (rate !== undefined && mode !== 'scaled') refuseOption('clock.rate goes with the mode scaled alone');
  if (rate !== undefined && !(rate >= RATE_MIN && rate <= RATE_MAX)) {
    refuseOption(`clock.rate takes a number from ${RATE_MIN} to ${RATE_MAX}`);
  }
  if (start === undefined) return rest;
  const instant = start === null ? null : new Date(start).getTime();
  if (Number.isNaN(instant)) refuseOption('clock.start takes an instant such as 2026-01-01T00:00:00Z');
  return { ...rest, start: instant };
}

function refuseOption(reason: string): never {
  throw new TypeError(`Failed to create a sandbox: ${reason}.`);
}
