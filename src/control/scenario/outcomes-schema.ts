import * as z from 'zod';

import { formatDuration, parseDuration } from '../../core/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { describeUnknown, type Outcome, outcomeNamed } from '../../outcomes/outcomes.js';
import { DELAY_MS_MAX, delayOf, SIGMA_MAX } from '../../scenarios/delay.js';
import { type Fault, PLAIN_FAULTS } from '../../scenarios/fault.js';
import { type DelaySpec, type Operation, type QueueMatch, type Step } from '../../scenarios/model.js';
import type { QueueEntry } from '../../scenarios/queue.js';
import { whyNoFault, whyNoOutcome } from '../../scenarios/reach.js';
import { kindOf, readAs, refuseValue } from '../../http/field.js';
import { digitsOf, optionalAmount, optionalText } from '../../http/fields.js';
import { operationName } from '../journal/schema.js';

/** How many outcomes one call queues at most. */
const STEPS_MAX = 1000;

function refuseStep(wrong: string): never {
  throw new ValidationError(wrong);
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object but those that are null, of which each must be known; anything else is `otherwise`. */
function membersOf(value: unknown, known: readonly string[], otherwise: string): Members {
  if (kindOf(value) !== 'an object') refuseStep(otherwise);
  const given = Object.entries(value as object).filter(([, one]) => one !== null);
  const unknown = given.find(([name]) => !known.includes(name))?.[0];
  if (unknown !== undefined) {
    refuseStep(`has the unknown member ${unknown.slice(0, 40)}; ${known.join(', ')} are taken`);
  }
  return Object.fromEntries(given);
}

const STEP_MEMBERS = ['Outcome', 'Fault', 'Status', 'Delay', 'Phase'];
const STEP_TAKES = 'the name of an outcome, {Outcome, Delay}, {Fault, Phase, Delay} or {Delay}';

/** One queued answer: an outcome by its name, or what a rule of a scenario has under `then`. */
function readStep(value: unknown): Step {
  if (typeof value === 'string') return { outcome: readOutcome(value), phase: 'before' };
  const given = membersOf(value, STEP_MEMBERS, `must be ${STEP_TAKES}`);
  const { Outcome: outcome, Fault: fault, Status: status, Delay: delay, Phase: phase = 'before' } = given;
  if (phase !== 'before' && phase !== 'after') refuseStep('has a Phase that is neither before nor after');
  if (outcome !== undefined && fault !== undefined) refuseStep('has both Outcome and Fault; one is taken');
  if (status !== undefined && fault !== 'status')
    refuseStep('has a Status, which goes with the Fault status');
  if ((outcome ?? fault ?? delay) === undefined) refuseStep(`does nothing; it must be ${STEP_TAKES}`);
  return {
    ...(outcome === undefined ? {} : { outcome: readOutcome(outcome) }),
    ...(fault === undefined ? {} : { fault: readFault(fault, status) }),
    ...(delay === undefined ? {} : { delay: readDelay(delay) }),
    phase,
  };
}

function readOutcome(value: unknown): Outcome {
  if (typeof value !== 'string') return refuseStep('has an Outcome that is no text');
  return outcomeNamed(value) ?? refuseStep(`is the unknown outcome ${describeUnknown(value)}`);
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
  const given = membersOf(value, ['Min', 'Max', 'Median', 'Sigma'], NO_DELAY);
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

const steps = () =>
  readAs(z.array(z.unknown()), (items) =>
    items.length === 0 || items.length > STEPS_MAX
      ? new ValidationError(STEPS_WRONG)
      : checked(items, readStep),
  ).meta({
    missing: STEPS_WRONG,
    wrong: STEPS_WRONG,
    description:
      'What the next calls are answered, in order: names of outcomes, or {Outcome, Fault, Status, Delay, Phase}.',
    sent: { type: 'array', minItems: 1, maxItems: STEPS_MAX, items: { type: ['string', 'object'] } },
  });

/** What is read of each item, or the first that is refused, by its place. */
function checked<T>(items: readonly unknown[], read: (item: unknown) => T): T[] | ValidationError {
  const taken: T[] = [];
  for (const [i, item] of items.entries()) {
    try {
      taken.push(read(item));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return new ValidationError(`[${i}] ${error.message}`);
    }
  }
  return taken;
}

/** Why a step can do nothing on an operation; null: it can. */
function whyIdle({ outcome, fault, delay }: Step, operation: Operation): string | null {
  if (outcome !== undefined && whyNoOutcome([operation]) !== null) return whyNoOutcome([operation]);
  return (fault ?? delay) === undefined ? null : whyNoFault([operation]);
}

export const QueueOutcomes = z.lazy(() =>
  z
    .object({
      Operation: operationName().meta({ sample: '"charge.create"', description: 'What is called.' }),
      Outcomes: steps().describe(
        'What the next calls are answered, in order: names of outcomes, or {Outcome, Fault, Status, Delay, Phase}.',
      ),
      Match: z
        .object({
          Reference: optionalText().describe('Your reference.'),
          ProviderId: optionalText().describe('A provider.'),
          CardNumber: optionalText().describe('A card number; * stands for any characters.'),
          Amount: optionalAmount().describe('An amount in major units, such as 15.5.'),
        })
        .optional()
        .meta({ description: 'Which calls it is about; all where it is left out.' }),
    })
    .transform(({ Operation: operation, Outcomes, Match }, context): QueueEntry => {
      for (const [i, step] of Outcomes.entries()) {
        const why = whyIdle(step, operation);
        if (why === null) continue;
        return refuseValue(context, `[${i}] can do nothing: ${why}`, { path: ['Outcomes'] });
      }
      const { Reference, ProviderId, CardNumber, Amount } = Match ?? {};
      const match = { reference: Reference, providerId: ProviderId, cardNumber: CardNumber, amount: Amount };
      return { operation, steps: Outcomes, match: compact(match) };
    }),
);

function compact(match: { [K in keyof QueueMatch]: string | null | undefined }): QueueMatch {
  return Object.fromEntries(Object.entries(match).filter(([, value]) => typeof value === 'string'));
}
