import * as z from 'zod';

import { DAY_MS } from '../../core/time/time.js';
import { suggest } from '../../core/text/nearest.js';
import { DELAY_MS_MAX, type DelaySpec, SIGMA_MAX } from '../../core/time/delay.js';
import { findNearestOutcomes, OUTCOMES } from '../../outcomes/outcomes.js';
import {
  BODILESS,
  type FaultSpec,
  FAULT_NAMES,
  hintFault,
  faultName,
  parseFaultName,
  PLAIN_FAULTS,
  STATUS_FAULT,
} from './fault.js';
import * as f from './field.js';
import { mustBe, refuseTogether } from './field.js';

/** The fields of `then`, which providers, policies and seed data use as well. */

const RETRY_AFTER_MAX_S = 31_536_000;
const WINDOW_MAX_MS = 366 * DAY_MS;
const QUOTA_MAX = 1_000_000;
const BODY_LENGTH_MAX = 65_536;
const STATE_NAME = /^[\w.-]{1,64}$/;
const STATE_TEXT_MAX = 256;

const delayDuration = () => f.duration(0, DELAY_MS_MAX, '60s');

const Distribution = f.object({
  min: delayDuration().describe('uniform: the minimum').optional(),
  max: delayDuration().describe('uniform: the maximum').optional(),
  median: delayDuration().describe('log-normal: half of the calls take longer').optional(),
  sigma: f.number(0, SIGMA_MAX).describe('log-normal: the standard deviation of the logarithm').optional(),
});

const DELAY_ACCEPTED = 'a duration such as 250ms, {min, max} or {median, sigma}';

interface DelayParts {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly median?: number | undefined;
  readonly sigma?: number | undefined;
}

/** Returns `mixed` for a combination that is no delay, and `reversed` if the minimum is above the maximum. */
export function toDelaySpec(given: number | DelayParts): DelaySpec | 'mixed' | 'reversed' {
  if (typeof given === 'number') return { kind: 'fixed', ms: given };
  const { min, max, median, sigma } = given;
  if ([min, max, median, sigma].filter((part) => part !== undefined).length !== 2) return 'mixed';
  if (median !== undefined && sigma !== undefined) return { kind: 'lognormal', medianMs: median, sigma };
  if (min === undefined || max === undefined) return 'mixed';
  return min <= max ? { kind: 'uniform', minMs: min, maxMs: max } : 'reversed';
}

function toDelayParts(delay: DelaySpec): number | DelayParts {
  switch (delay.kind) {
    case 'fixed':
      return delay.ms;
    case 'uniform':
      return { min: delay.minMs, max: delay.maxMs };
    case 'lognormal':
      return { median: delay.medianMs, sigma: delay.sigma };
  }
}

export const Delay = z.codec(
  z.union([delayDuration().describe('fixed'), Distribution], mustBe(DELAY_ACCEPTED)),
  z.custom<DelaySpec>(),
  {
    decode: (given, context) => {
      const delay = toDelaySpec(given);
      if (delay === 'reversed') return refuseTogether(context, 'must not be longer than max', 'min');
      if (delay !== 'mixed') return delay;
      return refuseTogether(context, 'must have either min and max, or median and sigma');
    },
    encode: toDelayParts,
  },
);

const Quota = f.object(
  {
    quota: f.whole(0, QUOTA_MAX).describe('how many calls pass in a window; further calls get 429'),
    window: f.duration(1, WINDOW_MAX_MS, '366d').describe("on the world's clock, from the first call"),
  },
  undefined,
  'a status is written as one word, such as status=503',
);
export type Quota = Readonly<z.output<typeof Quota>>;

const FAULT_ACCEPTED = `${FAULT_NAMES}, or {quota, window}`;

const faultWords = mustBe(FAULT_ACCEPTED, (value) =>
  typeof value === 'string' || typeof value === 'number' ? hintFault(String(value)) : '',
);

const FaultNameField = z.codec(
  z.union(
    [
      z.literal(PLAIN_FAULTS, faultWords).describe('what the client sees'),
      z.string(faultWords).regex(STATUS_FAULT, faultWords).describe('a status such as status=503'),
    ],
    faultWords,
  ),
  z.custom<FaultSpec>(),
  {
    decode: (name, context) =>
      parseFaultName(name) ?? f.refuseInput(context, faultWords.error({ input: name }), name),
    encode: faultName,
  },
);

export const FaultField = z.union([FaultNameField, Quota], faultWords);

const Body = z
  .codec(z.unknown().optional(), z.custom<string | null>(), {
    decode: (value, context) => {
      if (value === undefined || value === null) return null;
      const body = typeof value === 'string' ? value : JSON.stringify(value);
      if (body.length <= BODY_LENGTH_MAX) return body;
      return f.refuseInput(context, `must have at most ${BODY_LENGTH_MAX} characters`, value);
    },
    encode: (body) => body ?? undefined,
  })
  .describe('a string is sent unchanged, an object as JSON');

export const Respond = z.codec(
  f.object({
    status: f.whole(200, 599).describe('the HTTP status'),
    body: Body,
    retryAfter: f.orNull(f.whole(0, RETRY_AFTER_MAX_S).describe('seconds, for the header Retry-After')),
  }),
  z.custom<FaultSpec & { kind: 'status' }>(),
  {
    decode: ({ retryAfter, ...rest }, context) => {
      if (BODILESS.has(rest.status) && rest.body) {
        return refuseTogether(
          context,
          `must be left out, because an answer with status ${rest.status} has no body`,
          'body',
        );
      }
      return { kind: 'status' as const, ...rest, retryAfterSeconds: retryAfter };
    },
    encode: ({ status, body, retryAfterSeconds }) => ({ status, body, retryAfter: retryAfterSeconds }),
  },
);

const NAMES = [...OUTCOMES.keys()];
const OUTCOME_ACCEPTED =
  'the name of an outcome such as insufficient_funds (GET /_sandbox/triggers lists them)';

function hintOutcome(value: unknown): string {
  if (typeof value !== 'string') return '';
  if (parseFaultName(value) !== undefined) return `. It is a fault: in a rule, write fault: ${value}`;
  return suggest(findNearestOutcomes(value)[0]);
}

export const OutcomeName = z
  .enum(NAMES, mustBe(OUTCOME_ACCEPTED, hintOutcome))
  .describe('what the provider answers');

const STATE_ACCEPTED = `a string of at most ${STATE_TEXT_MAX} characters, a number, true, false or null`;

const stateWords = mustBe(STATE_ACCEPTED);

const StateField = z.union(
  [z.string(stateWords).max(STATE_TEXT_MAX, stateWords), z.number(stateWords), z.boolean(), z.null()],
  stateWords,
);

/** The value of a named state; null: never set, or unset again. */
export type StateValue = z.output<typeof StateField>;

/** Named states: in `when` their required values (null: never set), in `then` their new ones (null: unset). */
export const State = f.namedValues(
  StateField,
  (name) =>
    STATE_NAME.test(name) && name !== '__proto__'
      ? null
      : 'is not a valid name of a state; use at most 64 letters, digits, _, - and .',
  'an object of named states such as {provider: down}',
);
export type NamedState = Readonly<z.output<typeof State>>;
