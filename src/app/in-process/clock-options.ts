import { type ClockMode, RATE_MAX, RATE_MIN, STANDARD_RATE } from '../../core/time/clock.js';
import type { ClockOptions } from '../../client/public.js';

/** Converts the public clock options into settings for new worlds. Throws a TypeError for an invalid option. */
export function readClockOptions(clock: ClockMode | ClockOptions): {
  readonly mode?: ClockMode;
  readonly rate?: number;
  readonly start?: number | null;
} {
  const { start, ...rest }: ClockOptions = typeof clock === 'string' ? { mode: clock } : clock;
  const { mode = 'real', rate } = rest;
  // A program without types may pass a value of the command line, such as x60.
  if (!Object.hasOwn(STANDARD_RATE, mode)) {
    refuseOption(`the clock mode must be one of ${Object.keys(STANDARD_RATE).join(', ')}, not "${mode}"`);
  }
  if (rate !== undefined && mode !== 'scaled') refuseOption(`clock.rate needs the mode scaled, not ${mode}`);
  if (rate !== undefined && !(rate >= RATE_MIN && rate <= RATE_MAX)) {
    refuseOption(`clock.rate must be a number from ${RATE_MIN} to ${RATE_MAX}, not ${rate}`);
  }
  if (start === undefined) return rest;
  const instant = start === null ? null : new Date(start).getTime();
  if (Number.isNaN(instant)) refuseOption('clock.start must be an instant such as 2026-01-01T00:00:00Z');
  return { ...rest, start: instant };
}

function refuseOption(reason: string): never {
  throw new TypeError(`Failed to create a sandbox: ${reason}.`);
}
