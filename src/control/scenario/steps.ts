import * as z from 'zod';

import { invalid } from '../../core/store/codec.js';
import { DELAY_MS_MAX, SIGMA_MAX } from '../../core/time/delay.js';
import { formatDuration, parseAnyDuration } from '../../core/time/time.js';
import { describeType, quoteText, explainWrongType } from '../../core/text/text.js';
import { ValidationError } from '../../core/validation-error.js';
import { convertField, readDigits } from '../../http/fields/field.js';
import { DURATION_SENT } from '../../http/body/sent-schemas.js';
import { describeUnknownOutcome, OUTCOMES } from '../../outcomes/outcomes.js';
import { toDelaySpec } from '../../scenarios/file/effects.js';
import {
  type FaultSpec,
  FAULT_NAMES,
  hintFault,
  parseFaultName,
  PLAIN_FAULTS,
  STATUS_FAULT,
  defaultPhase,
} from '../../scenarios/file/fault.js';
import type { DelaySpec, ScriptStep } from '../../scenarios/script/model.js';

const STEPS_MAX = 1000;

type SentFields = Readonly<Record<string, unknown>>;

/** The fields of an object, without null values. Refuses unknown fields. */
function readFields(value: unknown, known: readonly string[]): SentFields {
  const given = Object.entries(value as object).filter(([, item]) => item !== null);
  const unknown = given.find(([name]) => !known.includes(name))?.[0];
  if (unknown !== undefined) {
    invalid(`has the unknown field ${quoteText(unknown)}; its fields are ${known.join(', ')}`);
  }
  return Object.fromEntries(given);
}

const STEP_FIELDS = ['Outcome', 'Fault', 'Status', 'Delay', 'Phase'];
const STEP_FORMS = 'the name of an outcome, {Outcome, Delay}, {Fault, Phase, Delay} or {Delay}';

/** Throws a ValidationError. */
export function readStep(value: unknown): ScriptStep {
  if (typeof value === 'string') return { outcome: readOutcome(value), phase: 'before' };
  if (describeType(value) !== 'an object') invalid(`must be ${STEP_FORMS}, not ${describeType(value)}`);
  const given = readFields(value, STEP_FIELDS);
  const { Outcome: outcome, Fault: fault, Status: status, Delay: delay, Phase: phase } = given;
  if (phase !== undefined && phase !== 'before' && phase !== 'after')
    refuseGiven('Phase', phase, 'before or after');
  if (outcome !== undefined && fault !== undefined)
    invalid('has both Outcome and Fault; send only one of them');
  if (status !== undefined && fault !== 'status') invalid('has a Status; write it as the Fault status=503');
  if ((outcome ?? fault ?? delay) === undefined) invalid(`has no effect; it must be ${STEP_FORMS}`);
  const parsedFault = fault === undefined ? undefined : readFault(fault, status);
  return {
    outcome: outcome === undefined ? undefined : readOutcome(outcome),
    fault: parsedFault,
    delay: delay === undefined ? undefined : readDelay(delay),
    phase: phase ?? defaultPhase(parsedFault),
  };
}

function readOutcome(value: unknown): string {
  if (typeof value !== 'string') return invalid(`has an Outcome that ${explainWrongType('a string', value)}`);
  if (OUTCOMES.has(value)) return value;
  if (parseFaultName(value) !== undefined) invalid(`is a fault; write {"Fault": ${quoteText(value)}}`);
  return invalid(`is the unknown outcome ${describeUnknownOutcome(value)}`);
}

function readFault(value: unknown, status: unknown): FaultSpec {
  // {"Fault": "status", "Status": 503} is the spelling of earlier versions.
  const isFormer = value === 'status' && typeof status === 'number';
  const text = isFormer ? `status=${status}` : typeof value === 'string' ? value : '';
  const hint = hintPhase(text) ?? hintFault(text);
  return parseFaultName(text) ?? refuseGiven('Fault', value, `${FAULT_NAMES}${hint}`);
}

function refuseGiven(name: string, value: unknown, accepted: string): never {
  const shown = typeof value === 'string' ? quoteText(value) : describeType(value);
  return invalid(`has an invalid ${name}, ${shown}; it must be ${accepted}`);
}

/** Ends a message about a fault with a phase, as the header x-sandbox-fault has it. */
function hintPhase(given: string): string | undefined {
  const [, fault = '', phase = ''] = /^ *([^; ]+) *; *phase=(before|after) *$/.exec(given) ?? [];
  return parseFaultName(fault) && `. Write {"Fault": "${fault}", "Phase": "${phase}"}`;
}

const DELAY_FORMS = 'a duration such as 250ms or 2s, {Min, Max} or {Median, Sigma}';

function readDelay(value: unknown): DelaySpec {
  if (typeof value === 'string') return { kind: 'fixed', ms: readTime(value, 'Delay') };
  if (describeType(value) !== 'an object') refuseGiven('Delay', value, DELAY_FORMS);
  const given = readFields(value, ['Min', 'Max', 'Median', 'Sigma']);
  const time = (name: string): number | undefined =>
    given[name] === undefined ? undefined : readTime(given[name], name);
  const sigma = given['Sigma'] === undefined ? undefined : readSigma(given['Sigma']);
  const delay = toDelaySpec({ min: time('Min'), max: time('Max'), median: time('Median'), sigma });
  if (delay === 'reversed') return invalid('has a Delay whose Min is longer than its Max');
  return delay === 'mixed' ? refuseGiven('Delay', value, DELAY_FORMS) : delay;
}

function readTime(value: unknown, name: string): number {
  const text = typeof value === 'string' ? value : '';
  const ms = parseAnyDuration(text);
  if (ms === undefined)
    return refuseGiven(name, value, name === 'Delay' ? DELAY_FORMS : 'a duration such as 250ms or 2s');
  return ms <= DELAY_MS_MAX
    ? ms
    : invalid(`has a ${name} longer than the maximum of ${formatDuration(DELAY_MS_MAX)}`);
}

function readSigma(value: unknown): number {
  const sigma = Number(readDigits(value) ?? NaN);
  return sigma >= 0 && sigma <= SIGMA_MAX
    ? sigma
    : refuseGiven('Sigma', value, `a number from 0 to ${SIGMA_MAX}`);
}

const STEPS_WRONG = `must be an array of 1 to ${STEPS_MAX} outcomes, such as ["issuer_unavailable", "approve"]`;

/** Returns the reason against the first invalid step, with its index, instead. */
function readSteps(items: readonly unknown[]): ScriptStep[] | ValidationError {
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

const DELAY_SENT = {
  anyOf: [
    DURATION_SENT,
    {
      type: 'object',
      properties: {
        ...Object.fromEntries(['Min', 'Max', 'Median'].map((name) => [name, DURATION_SENT])),
        Sigma: { type: ['number', 'string'], minimum: 0, maximum: SIGMA_MAX },
      },
    },
  ],
};

/** The JSON Schema of a step. Null counts as left out. */
const STEP_SENT = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: {
        Outcome: { type: ['string', 'null'] },
        Fault: {
          anyOf: [
            { enum: [...PLAIN_FAULTS, 'status', null] },
            { type: 'string', pattern: STATUS_FAULT.source },
          ],
        },
        Status: { type: ['integer', 'null'], minimum: 200, maximum: 599 },
        Delay: DELAY_SENT,
        Phase: { enum: ['before', 'after', null] },
      },
    },
  ],
};

export const stepsField = () =>
  convertField(z.array(z.unknown()), readSteps).meta({
    missing: STEPS_WRONG,
    wrong: STEPS_WRONG,
    description:
      'The outcomes of the next calls, in order: names of outcomes, or {Outcome, Fault, Delay, Phase}. Fault is a name such as reset or status=503.',
    sent: { type: 'array', minItems: 1, maxItems: STEPS_MAX, items: STEP_SENT },
  });
