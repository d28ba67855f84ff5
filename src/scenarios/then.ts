import * as z from 'zod';

import { DELAY_MS_MAX } from '../core/delay.js';
import { OUTCOMES } from '../outcomes/outcomes.js';
import { delayOf, partsOf, SIGMA_MAX } from './delay.js';
import { type Fault, PLAIN_FAULTS } from './fault.js';
import * as f from './field.js';
import { refuseTogether, takes } from './field.js';
import type { DelaySpec, Effect, Phase } from './model.js';

/** What a rule may do, as a scenario file says it. */

const PHASES: readonly Phase[] = ['before', 'after'];
const RETRY_AFTER_MAX_S = 31_536_000;
const WINDOW_MAX_MS = 366 * 86_400_000;
const QUOTA_MAX = 1_000_000;
const BODY_LENGTH_MAX = 65_536;
const STATE_NAME = /^[\w.-]{1,64}$/;
const STATE_TEXT_MAX = 256;

const delayTime = (description: string) => f.duration(0, DELAY_MS_MAX, '60s', description);

const Distribution = f.object({
  min: delayTime('uniform: the shortest').optional(),
  max: delayTime('uniform: the longest').optional(),
  median: delayTime('lognormal: half of the calls wait longer').optional(),
  sigma: f.number(0, SIGMA_MAX, 'lognormal: the standard deviation of the logarithm').optional(),
});

const DELAY_TAKES = 'a duration such as 250ms, {min, max} or {median, sigma}';

/** How long something waits. */
export const Delay = z.codec(
  z.union([delayTime('always as long'), Distribution], takes(DELAY_TAKES)),
  z.custom<DelaySpec>(),
  {
    decode: (given, context) => {
      const delay = delayOf(given);
      if (delay === 'reversed') return refuseTogether(context, 'is longer than max', 'min');
      if (delay !== 'mixed') return delay;
      return refuseTogether(context, 'is a distribution of neither {min, max} nor {median, sigma}');
    },
    encode: partsOf,
  },
);

/** The most calls in a window of the world's time. Further ones are refused with 429. */
const Quota = f.object({
  quota: f.whole(0, QUOTA_MAX, 'so many calls pass in a window; the next are answered with 429'),
  window: f.duration(1, WINDOW_MAX_MS, '366d', "of the world's time, from the first call on"),
});
export type Quota = Readonly<z.output<typeof Quota>>;

const FaultField = z.union(
  [f.oneOf(PLAIN_FAULTS, 'what goes wrong'), Quota],
  takes(`${PLAIN_FAULTS.join(', ')} or {quota, window}`),
);

const Body = z
  .codec(z.unknown().optional(), z.custom<string | null>(), {
    decode: (value, context) => {
      if (value === undefined || value === null) return null;
      const body = typeof value === 'string' ? value : JSON.stringify(value);
      if (body.length <= BODY_LENGTH_MAX) return body;
      return f.refuse(context, `is longer than ${BODY_LENGTH_MAX} characters`, value);
    },
    encode: (body) => body ?? undefined,
  })
  .describe('a text as it is; an object is sent as JSON');

const Respond = z.codec(
  f.object({
    status: f.whole(200, 599, 'the HTTP status'),
    body: Body,
    retryAfter: f.orNull(f.whole(0, RETRY_AFTER_MAX_S, 'seconds, for the header Retry-After')),
  }),
  z.custom<Fault & { kind: 'status' }>(),
  {
    decode: ({ retryAfter, ...rest }) => ({
      kind: 'status' as const,
      ...rest,
      retryAfterSeconds: retryAfter,
    }),
    encode: ({ status, body, retryAfterSeconds }) => ({ status, body, retryAfter: retryAfterSeconds }),
  },
);

const NAMES = [...OUTCOMES.keys()];
const OUTCOME_TAKES = 'the name of an outcome, of which GET /_sandbox/triggers has the list';

/** The name of an outcome. */
export const OutcomeName = z
  .enum(NAMES, takes(OUTCOME_TAKES, f.nearestOf(NAMES)))
  .describe('what the provider answers');

const STATE_TAKES = `a text of at most ${STATE_TEXT_MAX} characters, a number, true, false or null`;

const stateWords = takes(STATE_TAKES);

const StateField = z.union(
  [z.string(stateWords).max(STATE_TEXT_MAX, stateWords), z.number(stateWords), z.boolean(), z.null()],
  stateWords,
);

/** Named states: in `when` what they must be (null: never set), in `then` what they become (null: unset). */
export const State = f.named(
  StateField,
  (name) =>
    STATE_NAME.test(name) && name !== '__proto__'
      ? null
      : 'is no name of a state; it takes letters, digits, _, - and ., at most 64',
  'named states such as {provider: down}',
);

/** Of these a rule has one at most. */
const DECISIONS = ['outcome', 'fault', 'respond', 'nothing'] as const;

const Written = f.object(
  {
    outcome: OutcomeName.optional(),
    fault: FaultField.optional(),
    respond: Respond.optional(),
    nothing: f.oneOf([true], 'leaves the call alone, and keeps later rules away from it').optional(),
    delay: Delay.optional(),
    phase: f
      .oneOf(
        PHASES,
        'whether faults, delays and gateway_timeout come before the operation or after its commit',
      )
      .optional(),
    state: State.optional(),
  },
  'what the rule does, such as {outcome: insufficient_funds}',
);

export const ThenField = z.codec(Written, z.custom<Effect>(), {
  decode: (then, context): Effect => {
    const [first, second] = DECISIONS.filter((name) => then[name] !== undefined);
    if (second !== undefined) {
      return refuseTogether(context, `stands beside ${first}; a rule takes one of them`, second);
    }
    const { outcome, fault, respond, delay, state, phase = 'before' } = then;
    if (first === undefined && delay === undefined && state === undefined) {
      return refuseTogether(context, `does nothing; it takes ${DECISIONS.join(', ')}, delay or state`);
    }
    const quota = typeof fault === 'object' ? fault : undefined;
    const onTheWay = respond ?? (typeof fault === 'string' ? { kind: fault } : undefined);
    return { outcome, fault: onTheWay, quota, delay, phase, state };
  },
  encode: ({ outcome, fault, quota, delay, phase, state }) => {
    const says = outcome ?? fault ?? quota ?? delay ?? state;
    return {
      outcome,
      fault: fault === undefined || fault.kind === 'status' ? quota : fault.kind,
      respond: fault?.kind === 'status' ? fault : undefined,
      nothing: says === undefined || undefined,
      delay,
      phase: phase === 'after' ? phase : undefined,
      state,
    };
  },
});
