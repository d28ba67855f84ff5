import * as z from 'zod';

import * as answers from '../http/answers/answers.js';

import { quoteText } from '../core/text/text.js';
import {
  type AdvanceTarget,
  type ClockSpeed,
  type ClockMode,
  RATE_MAX,
  RATE_MIN,
  STANDARD_RATE,
} from '../core/time/clock.js';
import { DURATION_MAX_MS, formatDuration, parseDuration } from '../core/time/time.js';
import { ValidationError } from '../core/validation-error.js';
import { KINDS } from '../world/tables.js';
import {
  neverBoth,
  oneGiven,
  optionalField,
  convertField,
  refuseValue,
  requestSchema,
} from '../http/fields/field.js';
import { optionalInstant } from '../http/fields/fields.js';
import { pageFields } from '../http/fields/list-fields.js';
import { DURATION_SENT } from '../http/body/sent-fields.js';

/** The maximum and the default wait of a settle, in real milliseconds. */
export const SETTLE_MAX_MS = 60_000;
export const SETTLE_DEFAULT_MS = 10_000;

const explainWrongDuration = (given: string): string =>
  `is ${given}; it must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H`;

/** A duration of at most so many milliseconds, or null. */
export const durationField = (maxMs: number) =>
  optionalField(
    convertField(z.string(), (value) => {
      const ms = parseDuration(value);
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

const MODES = ['real', 'manual', 'scaled'] as const satisfies readonly ClockMode[];

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

export const HealthResponse = answers.object(() => ({
  Status: z.literal('ok'),
  Version: z.string(),
  Uptime: answers.count().describe('In whole seconds.'),
  Worlds: answers.count(),
  Node: z.string(),
  SavedUntil: answers
    .maybeInstant()
    .describe('With --state: all calls that were answered before this instant of the wall clock are saved.'),
}));
export type HealthResponse = z.output<typeof HealthResponse>;

export const ReadyResponse = answers.object(() => ({ Status: z.literal('ready') }));
export type ReadyResponse = z.output<typeof ReadyResponse>;

/** Counts of records by the names of their tables, and of the given other things. */
const countsAnswer = (...names: string[]) =>
  z.strictObject(
    Object.fromEntries(
      [...Object.values(KINDS).map((row) => row.counted), ...names].map((name) => [name, answers.count()]),
    ),
  );
const Counts = z.lazy(() => countsAnswer('JournalEntries', 'QueuedJobs').meta({ id: 'Counts' }));
/** The counts of a snapshot, which has no journal. */
export const SavedCounts = z.lazy(() => countsAnswer('QueuedJobs').meta({ id: 'SavedCounts' }));

const modeAnswer = () => z.enum(MODES);
const rateAnswer = () => z.number().describe('The speed of the clock, as a multiple of real time.');
const nextDueAnswer = () =>
  answers.maybeInstant().describe('The time of the next job, or null if there is none.');

const worldNameAnswer = () =>
  answers.text().describe('The name that a reset gave the world; null if its identifiers come from its key.');

export const WorldResponse = answers.component('World', () => ({
  World: z.string().describe('A short hash of the key.'),
  Name: worldNameAnswer(),
  Seed: z.string(),
  Dialect: z.enum(['documented', 'sdk']),
  Clock: z.strictObject({ Now: answers.instant(), Mode: modeAnswer(), Rate: rateAnswer() }),
  Scenario: answers.text(),
  Counts: Counts.describe('The number of records of each kind, of journal entries and of queued jobs.'),
  PublicKey: z
    .string()
    .optional()
    .describe(
      'The public key of the world, where it is a hash of the secret key: on Cloudflare. Only this call returns it.',
    ),
}));
export type WorldResponse = z.output<typeof WorldResponse>;

export const UnreadableWorldResponse = answers.component('UnreadableWorld', () => ({
  World: z.string(),
  Problem: z.string().describe('What is wrong with what is saved of it, and where that is.'),
}));

export type UnreadableWorldResponse = z.output<typeof UnreadableWorldResponse>;

/** The deleted world, or the problem of one that cannot be read: null fields would look as if the world had been empty. */
export const DeletedWorldResponse = z.lazy(() => z.union([WorldResponse, UnreadableWorldResponse]));

export const ListWorlds = requestSchema(
  () => pageFields(),
  ({ Limit, Skip }) => ({ limit: Limit, skip: Skip }),
);

export const WorldsResponse = answers.object(() => ({
  Count: answers.count().describe('How many worlds there are in all.'),
  Awake: answers.count().describe('How many of them are in memory. They come first.'),
  Worlds: z.array(
    z.strictObject({
      World: z.string(),
      Name: worldNameAnswer(),
      Scenario: answers.text(),
      Now: answers.instant(),
      Awake: z
        .boolean()
        .describe('Whether it is in memory. With --state, the next call with its key loads it.'),
      Counts,
    }),
  ),
  Unreadable: z
    .array(UnreadableWorldResponse)
    .describe('The worlds of this page that are saved, but cannot be read.'),
}));
export type WorldsResponse = z.output<typeof WorldsResponse>;

export const ClockResponse = answers.component('Clock', () => ({
  Now: answers.instant(),
  Mode: modeAnswer(),
  Rate: rateAnswer(),
  NextDue: nextDueAnswer(),
}));
export type ClockResponse = z.output<typeof ClockResponse>;

export const SettledResponse = answers.object(() => ({ Now: answers.instant(), NextDue: nextDueAnswer() }));
export type SettledResponse = z.output<typeof SettledResponse>;

export const JobResponse = answers.component('Job', () => ({
  At: answers.instant().describe('When it is due.'),
  Kind: z.string(),
  Ref: z.string().describe('The identifier of its record, or the event of a timeline.'),
}));
export type JobResponse = z.output<typeof JobResponse>;

export const AdvanceResponse = answers.object(() => ({
  From: answers.instant(),
  Now: answers.instant(),
  Ran: z.array(JobResponse).describe('The first thousand jobs that ran.'),
  Jobs: answers.count().describe('The number of jobs that ran.'),
  Deliveries: answers.count().describe('The number of webhooks that were sent.'),
}));
export type AdvanceResponse = z.output<typeof AdvanceResponse>;

const effectList = <const N extends string>(name: N) =>
  z.array(z.strictObject({ ...({ [name]: z.string() } as Record<N, z.ZodString>), Effect: z.string() }));

export const TriggersResponse = answers.object(() => ({
  Precedence: z.array(z.string()),
  Outcomes: z.array(
    z.strictObject({
      Outcome: z.string(),
      Code: z.int().nullable(),
      GatewayCode: answers.text(),
      GatewayMessage: answers.text(),
      IsRetryable: z.boolean(),
      HttpStatus: z.int().nullable(),
    }),
  ),
  Cards: z.array(z.strictObject({ CardNumber: z.string(), Scheme: z.string(), Effect: z.string() })),
  Accounts: effectList('AccountNumber'),
  PayIds: effectList('PayId'),
  Tokens: effectList('Token'),
  Providers: z.array(z.strictObject({ ProviderId: z.string(), Name: answers.text(), Behaviour: z.string() })),
}));
export type TriggersResponse = z.output<typeof TriggersResponse>;
