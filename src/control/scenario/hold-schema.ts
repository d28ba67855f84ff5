import * as z from 'zod';

import { ValidationError } from '../../core/validation-error.js';
import * as answers from '../../http/answers/answers.js';
import { neverBoth, refuseValue, requestSchema } from '../../http/fields/field.js';
import { optionalText } from '../../http/fields/fields.js';
import { HELD_CALLS_MAX, type Hold } from '../../scenarios/script/holds.js';
import type { ScriptStep } from '../../scenarios/script/model.js';
import { OPERATIONS } from '../../scenarios/script/operations.js';
import { WITHOUT_CONNECTION } from '../../scenarios/script/reach.js';
import { durationField } from '../clock-schema.js';
import { boundedNumber } from '../journal/schema.js';
import { matchedAnswer, matchedFields } from './schema.js';
import { readStep } from './steps.js';

/** How long a call waits for somebody to decide it, by default and at most, in real milliseconds. */
const HOLD_DEFAULT_MS = 60_000;
const HOLD_MAX_MS = 3_600_000;

/** Only these have an answer that somebody waits for. */
const WITH_CONNECTION = OPERATIONS.filter((operation) => !WITHOUT_CONNECTION.includes(operation));

export const HoldCalls = requestSchema(
  () => ({
    ...matchedFields('The operation whose calls wait.', WITH_CONNECTION),
    Count: boundedNumber(1, HELD_CALLS_MAX).default(1).describe('How many calls wait. Default: 1.'),
    Timeout: durationField(HOLD_MAX_MS).describe(
      'How long each call waits, in real time; at most 1h. Then it is decided as usual. Default: 60s.',
    ),
  }),
  ({ Operation: operation, Match: match, Count: count, Timeout }, context): Hold => {
    if (!WITHOUT_CONNECTION.includes(operation))
      return { operation, match, count, timeoutMs: Timeout ?? HOLD_DEFAULT_MS };
    const why = `is ${operation}, which has no connection, so nobody waits for its answer`;
    return refuseValue(context, why, { path: ['Operation'] });
  },
);

export const DecideCall = requestSchema(
  () => ({
    Outcome: optionalText().describe('The outcome, as for x-sandbox-outcome.'),
    Fault: optionalText().describe('A fault such as reset or status=503.'),
    Phase: optionalText().describe(
      'When the fault happens: before or after the operation. With after and no Fault, the call is performed, and its answer waits again.',
    ),
  }),
  (given, context): ScriptStep | null => {
    const { Outcome, Fault, Phase } = given;
    const isUsual = Outcome === null && Fault === null;
    if (isUsual && (Phase === null || Phase === 'before')) return null;
    if (isUsual && Phase === 'after') return { phase: Phase };
    try {
      return readStep(given);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return refuseValue(context, error.message, {
        path: Outcome === null || Phase !== null ? [] : ['Outcome'],
      });
    }
  },
).meta(neverBoth('Outcome', 'Fault'));

export const HeldCallResponse = answers.component('HeldCall', () => ({
  HoldId: z.int(),
  At: answers.instant().describe('When it arrived, by the world’s clock.'),
  Operation: z.string(),
  Method: z.string(),
  Path: z.string(),
  Answer: z.boolean().describe('Whether the call was performed, and only its answer waits.'),
  Reference: answers.text(),
  Amount: answers.maybeAmount(),
  Currency: answers.text(),
  Since: answers.instant().describe('When it arrived, by the computer’s clock.'),
  Until: answers.instant().describe('How long it waits, by the computer’s clock.'),
}));
export type HeldCallResponse = z.output<typeof HeldCallResponse>;

export const HoldsResponse = answers.object(() => ({
  Holds: z.array(
    z.strictObject({
      ...matchedAnswer(),
      Count: answers.count().describe('How many calls it is still for.'),
      Timeout: z.string(),
    }),
  ),
  Waiting: z.array(HeldCallResponse).describe('The calls that wait, the first one first.'),
}));
export type HoldsResponse = z.output<typeof HoldsResponse>;
