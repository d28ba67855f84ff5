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
import { DURATION_MAX_MS, formatDuration, parseDuration } from '../core/time.js';
import { digits, Invalid, optional, readAs, refuseValue } from '../http/field.js';
import { optionalInstant, optionalText } from '../http/fields.js';

/** The longest text that a seed may be: our own limit. */
export const SEED_LENGTH_MAX = 256;
/** How long a settle waits at most, and unless told otherwise. */
export const SETTLE_MAX_MS = 60_000;
export const SETTLE_DEFAULT_MS = 10_000;

const durationWrong = (given: string): string =>
  `is ${given}, a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H is taken`;

const duration = (maxMs: number) =>
  optional(
    readAs(z.string(), (value) => {
      const ms = parseDuration(value);
      if (ms === undefined) return new Invalid(durationWrong(quoted(value)));
      return ms <= maxMs ? ms : new Invalid(`is longer than ${formatDuration(maxMs)}`);
    }).meta({ wrong: durationWrong, examples: ['250ms', '30s', '2h', 'PT2H'] }),
  );

export const NoQuery = z.object({});

/** A seed is a text; a whole number stands for its digits. */
const SEED_WRONG = `must be a text of 1 to ${SEED_LENGTH_MAX} characters, for example "42"`;

const seed = () =>
  optional(
    readAs(digits(), (value) => {
      const text = String(value);
      return text !== '' && text.length <= SEED_LENGTH_MAX ? text : new Invalid(SEED_WRONG);
    }).meta({ wrong: SEED_WRONG, sent: { type: ['string', 'number'] } }),
  );

export const ResetWorld = z
  .object({
    Seed: seed().describe('What identifiers and draws are made from.'),
    Scenario: optionalText().describe('A scenario that GET /_sandbox/scenarios lists.'),
  })
  .transform(({ Seed, Scenario }) => ({ seed: Seed, scenario: Scenario }));

const ADVANCES = '{"By": "2h"} or {"To": "2030-01-01T00:00:00Z"}';

export const AdvanceClock = z
  .object({
    By: duration(DURATION_MAX_MS).describe(`How far, up to ${formatDuration(DURATION_MAX_MS)}.`),
    To: optionalInstant().describe('Until which instant.'),
  })
  .transform(({ By, To }, context): AdvanceTarget => {
    if (By !== null && To === null) return { by: By };
    if (To !== null && By === null) return { to: To };
    return refuseValue(context, `takes exactly one of By and To, for example ${ADVANCES}`);
  });

const MODES = ['real', 'manual', 'scaled'] as const satisfies readonly ClockMode[];

const mode = () => z.enum(MODES).meta({ sample: '"manual"' });

const RATE_WRONG = `must be a number from ${RATE_MIN} to ${RATE_MAX}`;

const rate = () =>
  optional(
    z
      .number()
      .refine((value) => value >= RATE_MIN && value <= RATE_MAX, { error: RATE_WRONG })
      .meta({ wrong: RATE_WRONG }),
  );

/** What a clock shall be from now on, and where it shall stand before that; null: where it is. */
export interface ClockWish {
  readonly change: ClockChange;
  readonly to: number | null;
}

export const ChangeClock = z
  .object({
    Mode: mode().describe('How time passes.'),
    Rate: rate().describe('How much faster a scaled clock runs.'),
    Now: optionalInstant().describe('Where the clock shall stand; not before where it is.'),
  })
  .transform(({ Mode, Rate, Now }, context): ClockWish => {
    if (Rate !== null && Mode !== 'scaled') {
      return refuseValue(context, `goes with the Mode scaled alone, not with ${Mode}`, { path: ['Rate'] });
    }
    return { change: { mode: Mode, rate: Rate ?? STANDARD_RATE[Mode] }, to: Now };
  });

export const Settle = z
  .object({ Timeout: duration(SETTLE_MAX_MS).describe('How long it may take, in real time; at most 60s.') })
  .transform((body) => ({ timeoutMs: body.Timeout ?? SETTLE_DEFAULT_MS }));
