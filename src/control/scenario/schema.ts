import * as z from 'zod';

import { DELAY_MS_MAX } from '../../core/delay.js';
import { formatDuration, parseDuration } from '../../core/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { describeUnknown, OUTCOMES } from '../../outcomes/outcomes.js';
import { delayOf, SIGMA_MAX } from '../../scenarios/delay.js';
import { type Fault, PLAIN_FAULTS } from '../../scenarios/fault.js';
import type { DelaySpec, Operation, QueueMatch, Step } from '../../scenarios/model.js';
import type { QueueEntry } from '../../scenarios/queue.js';
import { whyNoFault, whyNoOutcome } from '../../scenarios/reach.js';
import * as answers from '../../http/answers.js';
import {
  kindOf,
  neverBoth,
  oneGiven,
  optional,
  readAs,
  refuseValue,
  renamed,
  request,
} from '../../http/field.js';
import { digitsOf, optionalAmount, optionalText } from '../../http/fields.js';
import { type JsonValue, plainJson } from '../../http/json.js';
import { operationName } from '../journal/schema.js';

const STEPS_MAX = 1000;

function refuseStep(wrong: string): never {
  throw new ValidationError(wrong);
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object without null values. Unknown fields are refused, and other values with the message `otherwise`. */
function fieldsOf(value: unknown, known: readonly string[], otherwise: string): Fields {
  if (kindOf(value) !== 'an object') refuseStep(otherwise);
  const given = Object.entries(value as object).filter(([, one]) => one !== null);
  const unknown = given.find(([name]) => !known.includes(name))?.[0];
  if (unknown !== undefined) {
    refuseStep(`has the unknown member ${unknown.slice(0, 40)}; ${known.join(', ')} are taken`);
  }
  return Object.fromEntries(given);
}

const STEP_FIELDS = ['Outcome', 'Fault', 'Status', 'Delay', 'Phase'];
const STEP_TAKES = 'the name of an outcome, {Outcome, Delay}, {Fault, Phase, Delay} or {Delay}';

/** One queued answer: an outcome by its name, or what a rule of a scenario has under `then`. */
function readStep(value: unknown): Step {
  if (typeof value === 'string') return { outcome: readOutcome(value), phase: 'before' };
  const given = fieldsOf(value, STEP_FIELDS, `must be ${STEP_TAKES}`);
  const { Outcome: outcome, Fault: fault, Status: status, Delay: delay, Phase: phase = 'before' } = given;
  if (phase !== 'before' && phase !== 'after') refuseStep('has a Phase that is neither before nor after');
  if (outcome !== undefined && fault !== undefined) refuseStep('has both Outcome and Fault; one is taken');
  if (status !== undefined && fault !== 'status')
    refuseStep('has a Status, which goes with the Fault status');
  if ((outcome ?? fault ?? delay) === undefined) refuseStep(`does nothing; it must be ${STEP_TAKES}`);
  return {
    outcome: outcome === undefined ? undefined : readOutcome(outcome),
    fault: fault === undefined ? undefined : readFault(fault, status),
    delay: delay === undefined ? undefined : readDelay(delay),
    phase,
  };
}

function readOutcome(value: unknown): string {
  if (typeof value !== 'string') return refuseStep('has an Outcome that is no text');
  return OUTCOMES.has(value) ? value : refuseStep(`is the unknown outcome ${describeUnknown(value)}`);
}

function readFault(value: unknown, status: unknown): Fault {
  const kind = PLAIN_FAULTS.find((one) => one === value);
  if (kind !== undefined) return { kind };
  if (value !== 'status') refuseStep(`has no Fault of ${PLAIN_FAULTS.join(', ')} or status`);
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus) return refuseStep('has no Status from 200 to 599');
  return { kind: 'status', status, body: null, retryAfterSeconds: null };
}

const NO_DELAY = 'has no Delay that is a duration such as 250ms or 2s, {Min, Max} or {Median, Sigma}';

function readDelay(value: unknown): DelaySpec {
  if (typeof value === 'string') return { kind: 'fixed', ms: readTime(value, 'Delay') };
  const given = fieldsOf(value, ['Min', 'Max', 'Median', 'Sigma'], NO_DELAY);
  const time = (name: string): number | undefined =>
    given[name] === undefined ? undefined : readTime(given[name], name);
  const sigma = given['Sigma'] === undefined ? undefined : readSigma(given['Sigma']);
  const delay = delayOf({ min: time('Min'), max: time('Max'), median: time('Median'), sigma });
  if (delay === 'reversed') return refuseStep('has a Delay whose Min is longer than its Max');
  return delay === 'mixed' ? refuseStep(NO_DELAY) : delay;
}

function readTime(value: unknown, name: string): number {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms === undefined) return refuseStep(name === 'Delay' ? NO_DELAY : `has no duration as its ${name}`);
  return ms <= DELAY_MS_MAX
    ? ms
    : refuseStep(`has a ${name} that is longer than ${formatDuration(DELAY_MS_MAX)}`);
}

function readSigma(value: unknown): number {
  const sigma = Number(digitsOf(value) ?? NaN);
  return sigma >= 0 && sigma <= SIGMA_MAX ? sigma : refuseStep(`has no Sigma from 0 to ${SIGMA_MAX}`);
}

const STEPS_WRONG = `must be a list of 1 to ${STEPS_MAX} outcomes, such as ["issuer_unavailable", "approve"]`;

/** The queued answers, or the error of the first wrong one with its place. */
function readSteps(items: readonly unknown[]): Step[] | ValidationError {
  if (items.length === 0 || items.length > STEPS_MAX) return new ValidationError(STEPS_WRONG);
  let place = 0;
  try {
    return items.map((item, index) => {
      place = index;
      return readStep(item);
    });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return new ValidationError(`[${place}] ${error.message}`);
  }
}

const steps = () =>
  readAs(z.array(z.unknown()), readSteps).meta({
    missing: STEPS_WRONG,
    wrong: STEPS_WRONG,
    description:
      'What the next calls are answered, in order: names of outcomes, or {Outcome, Fault, Status, Delay, Phase}.',
    sent: { type: 'array', minItems: 1, maxItems: STEPS_MAX, items: { type: ['string', 'object'] } },
  });

/** Why a step would have no effect on an operation; null when it has one. */
function whyIdle({ outcome, fault, delay }: Step, operation: Operation): string | null {
  if (outcome !== undefined && whyNoOutcome([operation]) !== null) return whyNoOutcome([operation]);
  return (fault ?? delay) === undefined ? null : whyNoFault([operation]);
}

export const QueueOutcomes = request(
  () => ({
    Operation: operationName().meta({ sample: '"charge.create"', description: 'What is called.' }),
    Outcomes: steps(),
    Match: z
      .object({
        Reference: optionalText().describe('Your reference.'),
        ProviderId: optionalText().describe('A provider.'),
        CardNumber: optionalText().describe('A card number; * stands for any characters.'),
        Amount: optionalAmount().describe('An amount in major units, such as 15.5.'),
      })
      .optional()
      .meta({ description: 'Which calls it is about; all where it is left out.' }),
  }),
  ({ Operation: operation, Outcomes, Match }, context): QueueEntry => {
    for (const [i, step] of Outcomes.entries()) {
      const why = whyIdle(step, operation);
      if (why === null) continue;
      return refuseValue(context, `[${i}] can do nothing: ${why}`, { path: ['Outcomes'] });
    }
    return { operation, steps: Outcomes, match: Match === undefined ? {} : compact(renamed(Match)) };
  },
);

function compact(match: { [K in keyof QueueMatch]: string | null | undefined }): QueueMatch {
  return Object.fromEntries(Object.entries(match).filter(([, value]) => typeof value === 'string'));
}

export const UseScenario = z
  .lazy(() =>
    z.object({
      Name: optionalText().describe('A scenario that GET /_sandbox/scenarios lists.'),
      Definition: optional(
        readAs(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), (value) =>
          plainJson(value as JsonValue),
        ).meta({
          wrong: 'must be a scenario as an object',
          description: 'A scenario, as a file of scenarios has it.',
          sent: { type: 'object' },
        }),
      ),
    }),
  )
  .meta({ ...oneGiven(['Name'], ['Definition']), ...neverBoth('Name', 'Definition') });

export const QueuedResponse = answers.object(() => ({ OutcomeQueueId: z.int(), Left: answers.count() }));
export type QueuedResponse = z.output<typeof QueuedResponse>;

export const QueueResponse = answers.component('OutcomeQueue', () => ({
  OutcomeQueueId: z.int(),
  Operation: z.string(),
  Match: z.strictObject({
    Reference: answers.text(),
    ProviderId: answers.text(),
    CardNumber: answers.text().describe('Masked.'),
    Amount: answers.text(),
  }),
  Left: answers.count().describe('How many outcomes are left.'),
  Outcomes: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
}));
export type QueueResponse = z.output<typeof QueueResponse>;

export const QueuesResponse = answers.object(() => ({ Queues: z.array(QueueResponse) }));
export type QueuesResponse = z.output<typeof QueuesResponse>;

export const LibraryScenarioResponse = answers.object(() => ({
  Name: z.string(),
  Description: answers.text(),
  File: z.string(),
}));
export type LibraryScenarioResponse = z.output<typeof LibraryScenarioResponse>;

export const ScenariosResponse = z.lazy(() => z.array(LibraryScenarioResponse));
export type ScenariosResponse = z.output<typeof ScenariosResponse>;

const played = () => ({
  Scenario: answers.text().describe('Its name; null where none is played.'),
  Description: answers.text(),
  Rules: z
    .array(z.strictObject({ Rule: z.string(), Matched: answers.count() }))
    .describe('How often each rule acted.'),
  State: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe('The named states, in the author’s spelling.'),
});

export const PlayedResponse = answers.component('PlayedScenario', played);
export type PlayedResponse = z.output<typeof PlayedResponse>;

/** What is played, with the scenario as in its file. */
export const PlayedWholeResponse = answers.object(() => ({
  ...played(),
  Definition: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('As it is played, with cards masked; null where none is.'),
}));
export type PlayedWholeResponse = z.output<typeof PlayedWholeResponse>;

export const UnmatchedResponse = answers.object(() => ({ Rules: z.array(z.string()) }));
