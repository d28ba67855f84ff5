import * as z from 'zod';

import { quoted } from '../core/text.js';
import {
  type AdvanceTarget,
  type ClockChange,
  type ClockMode,
  RATE_MAX,
  RATE_MIN,
  STANDARD_RATE,
} from '../core/clock.js';
import { CODE } from '../core/errors.js';
import { DURATION_MAX_MS, formatDuration, parseDuration } from '../core/time.js';
import {
  Fault,
  kindOf,
  type Member,
  optional,
  optionalInstant,
  optionalText,
  required,
} from '../http/fields.js';
import { NumberText } from '../http/json.js';

/** The longest text that a seed may be: our own limit. */
export const SEED_LENGTH_MAX = 256;
/** How long a settle waits at most, and unless told otherwise. */
export const SETTLE_MAX_MS = 60_000;
export const SETTLE_DEFAULT_MS = 10_000;

function duration(maxMs: number): Member<number | null> {
  return optional((value) => {
    const ms = typeof value === 'string' ? parseDuration(value) : undefined;
    if (ms === undefined) {
      const given = typeof value === 'string' ? quoted(value) : kindOf(value);
      return new Fault(`is ${given}, a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H is taken`);
    }
    return ms <= maxMs ? ms : new Fault(`is longer than ${formatDuration(maxMs)}`);
  });
}

/** The issue of members that are good by themselves, but not together. */
function refuseTogether(context: z.RefinementCtx, message: string, member?: string): never {
  const path = member === undefined ? [] : [member];
  context.issues.push({ code: 'custom', message, input: undefined, path });
  return z.NEVER;
}

export const NoQuery = z.object({});

/** A seed is a text; a whole number stands for its digits. */
const seed = (): Member<string | null> =>
  optional((value) => {
    const text = typeof value === 'number' ? String(value) : value instanceof NumberText ? value.text : value;
    if (typeof text === 'string' && text !== '' && text.length <= SEED_LENGTH_MAX) return text;
    return new Fault(`must be a text of 1 to ${SEED_LENGTH_MAX} characters, for example "42"`);
  });

export const ResetWorld = z
  .object({ Seed: seed(), Scenario: optionalText() })
  .transform(({ Seed, Scenario }) => ({ seed: Seed, scenario: Scenario }));

const ADVANCES = '{"By": "2h"} or {"To": "2030-01-01T00:00:00Z"}';

export const AdvanceClock = z
  .object({ By: duration(DURATION_MAX_MS), To: optionalInstant(CODE.ValidationError) })
  .transform(({ By, To }, context): AdvanceTarget => {
    if (By !== null && To === null) return { by: By };
    if (To !== null && By === null) return { to: To };
    return refuseTogether(context, `takes exactly one of By and To, for example ${ADVANCES}`);
  });

const MODES: ClockMode[] = ['real', 'manual', 'scaled'];

const mode = (): Member<ClockMode> =>
  required(
    (value) => {
      const known = MODES.find((one) => one === value);
      return known ?? new Fault(`must be one of ${MODES.join(', ')}`);
    },
    '"manual"',
    MODES,
  );

const rate = (): Member<number | null> =>
  optional((value) => {
    const number = value instanceof NumberText ? Number(value.text) : value;
    if (typeof number === 'number' && number >= RATE_MIN && number <= RATE_MAX) return number;
    return new Fault(`must be a number from ${RATE_MIN} to ${RATE_MAX}`);
  });

/** What a clock shall be from now on, and where it shall stand before that; null: where it is. */
export interface ClockWish {
  readonly change: ClockChange;
  readonly to: number | null;
}

export const ChangeClock = z
  .object({ Mode: mode(), Rate: rate(), Now: optionalInstant(CODE.ValidationError) })
  .transform(({ Mode, Rate, Now }, context): ClockWish => {
    if (Rate !== null && Mode !== 'scaled') {
      return refuseTogether(context, `goes with the Mode scaled alone, not with ${Mode}`, 'Rate');
    }
    return { change: { mode: Mode, rate: Rate ?? STANDARD_RATE[Mode] }, to: Now };
  });

export const Settle = z
  .object({ Timeout: duration(SETTLE_MAX_MS) })
  .transform((body) => ({ timeoutMs: body.Timeout ?? SETTLE_DEFAULT_MS }));
