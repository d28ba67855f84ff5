import * as z from 'zod';

import { quoteText } from '../core/text/text.js';
import {
  type AdvanceTarget,
  type ClockSpeed,
  type ClockMode,
  RATE_MAX,
  RATE_MIN,
  STANDARD_RATE,
} from '../core/time/clock.js';
import { DURATION_MAX_MS, formatDuration, parseAnyDuration } from '../core/time/time.js';
import { ValidationError } from '../core/validation-error.js';
import { DURATION_SENT } from '../http/body/sent-schemas.js';
import {
  neverBoth,
  oneGiven,
  optionalField,
  convertField,
  refuseValue,
  requestSchema,
} from '../http/fields/field.js';
import { optionalInstant } from '../http/fields/fields.js';

/** The maximum and the default wait of a settle, in real milliseconds. */
export const SETTLE_MAX_MS = 60_000;
export const SETTLE_DEFAULT_MS = 10_000;

const explainWrongDuration = (given: string): string =>
  `is ${given}; it must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H`;

/** A duration of at most so many milliseconds, or null. */
export const durationField = (maxMs: number) =>
  optionalField(
    convertField(z.string(), (value) => {
      const ms = parseAnyDuration(value);
      if (ms === undefined) return new ValidationError(explainWrongDuration(quoteText(value)));
      return ms <= maxMs ? ms : new ValidationError(`is longer than the maximum of ${formatDuration(maxMs)}`);
    }).meta({ wrong: explainWrongDuration, sent: DURATION_SENT }),
  );

const ADVANCES = '{"By": "2h"} or {"To": "2030-01-01T00:00:00Z"}';

export const AdvanceClock = requestSchema(
  () => ({
    By: durationField(DURATION_MAX_MS).describe(
      `How far to advance; at most ${formatDuration(DURATION_MAX_MS)}.`,
    ),
    To: optionalInstant().describe('The time to advance to.'),
  }),
  ({ By, To }, context): AdvanceTarget => {
    if (By !== null && To === null) return { by: By };
    if (To !== null && By === null) return { to: To };
    return refuseValue(context, `must have exactly one of By and To, for example ${ADVANCES}`);
  },
).meta({ ...oneGiven(['By'], ['To']), ...neverBoth('By', 'To') });

/** How time can pass. */
export const MODES = ['real', 'manual', 'scaled'] as const satisfies readonly ClockMode[];

const modeField = () => z.enum(MODES).meta({ sample: '"manual"' });

const RATE_WRONG = `must be a number from ${RATE_MIN} to ${RATE_MAX}`;

const rateField = () =>
  optionalField(
    z
      .number()
      .refine((value) => value >= RATE_MIN && value <= RATE_MAX, {
        error: ({ input }) => `${RATE_WRONG}, not ${String(input)}`,
      })
      .meta({ wrong: RATE_WRONG, minimum: RATE_MIN, maximum: RATE_MAX }),
  );

interface ClockBody {
  readonly Mode: ClockMode;
  readonly Rate: number | null;
}

/** The mode and the rate of a body; refused if they contradict each other. */
export function readClockSpeed(
  { Mode, Rate }: ClockBody,
  context: { readonly issues: unknown[] },
): ClockSpeed {
  if (Rate !== null && Mode !== 'scaled') {
    return refuseValue(context, `is allowed only with the Mode scaled, not with ${Mode}`, { path: ['Rate'] });
  }
  return { mode: Mode, rate: Rate ?? STANDARD_RATE[Mode] };
}

export const clockFields = (now: string) => ({
  Mode: modeField().describe('How time passes.'),
  Rate: rateField().describe('The speed of a scaled clock, as a multiple of real time.'),
  Now: optionalInstant().describe(now),
});

/** A change of the clock's mode and rate, and the time to advance to first; null to stay at the current time. */
export interface ClockRequest {
  readonly change: ClockSpeed;
  readonly to: number | null;
}

export const ChangeClock = requestSchema(
  () => clockFields('The new time of the clock. It cannot be earlier than its current time.'),
  (body, context): ClockRequest => ({ change: readClockSpeed(body, context), to: body.Now }),
);

export const Settle = requestSchema(
  () => ({
    Timeout: durationField(SETTLE_MAX_MS).describe(
      'How long to wait, in real time; at most 60s. Default: 10s.',
    ),
  }),
  (body) => ({ timeoutMs: body.Timeout ?? SETTLE_DEFAULT_MS }),
);
