import * as z from 'zod';

import { DELAY_MS_MAX } from '../../core/time/delay.js';
import { OUTCOMES } from '../../outcomes/outcomes.js';
import { delayOf, partsOf, SIGMA_MAX } from './delay.js';
import { BODILESS, type Fault, PLAIN_FAULTS, usualPhase } from './fault.js';
import * as f from './field.js';
import { refuseTogether, mustBe } from './field.js';
import type { DelaySpec, Effect, Phase } from '../script/model.js';
import { IDLE_PHASE, isIdlePhase, whyNoOutcome } from '../script/reach.js';

/** What a rule does, in a scenario file. */

const PHASES: readonly Phase[] = ['before', 'after'];
const RETRY_AFTER_MAX_S = 31_536_000;
const WINDOW_MAX_MS = 366 * 86_400_000;
const QUOTA_MAX = 1_000_000;
const BODY_LENGTH_MAX = 65_536;
const STATE_NAME = /^[\w.-]{1,64}$/;
const STATE_TEXT_MAX = 256;

const delayTime = (description: string) => f.duration(0, DELAY_MS_MAX, '60s', description);

const Distribution = f.object({
  min: delayTime('uniform: the minimum').optional(),
  max: delayTime('uniform: the maximum').optional(),
  median: delayTime('log-normal: half of the calls take longer').optional(),
  sigma: f.number(0, SIGMA_MAX, 'log-normal: the standard deviation of the logarithm').optional(),
});

const DELAY_ACCEPTED = 'a duration such as 250ms, {min, max} or {median, sigma}';

/** How long a call waits. */
export const Delay = z.codec(
  z.union([delayTime('fixed'), Distribution], mustBe(DELAY_ACCEPTED)),
  z.custom<DelaySpec>(),
  {
    decode: (given, context) => {
      const delay = delayOf(given);
      if (delay === 'reversed') return refuseTogether(context, 'must not be longer than max', 'min');
      if (delay !== 'mixed') return delay;
      return refuseTogether(context, 'must have either min and max, or median and sigma');
    },
    encode: partsOf,
  },
);

/** The most calls in a window of the world's time. Further ones are refused with 429. */
const Quota = f.object({
  quota: f.whole(0, QUOTA_MAX, 'how many calls pass in a window; further calls get 429'),
  window: f.duration(1, WINDOW_MAX_MS, '366d', "on the world's clock, from the first call"),
});
export type Quota = Readonly<z.output<typeof Quota>>;

const FaultField = z.union(
  [f.oneOf(PLAIN_FAULTS, 'what the client sees'), Quota],
  mustBe(`${PLAIN_FAULTS.join(', ')} or {quota, window}`),
);

const Body = z
  .codec(z.unknown().optional(), z.custom<string | null>(), {
    decode: (value, context) => {
      if (value === undefined || value === null) return null;
      const body = typeof value === 'string' ? value : JSON.stringify(value);
      if (body.length <= BODY_LENGTH_MAX) return body;
      return f.refuse(context, `must have at most ${BODY_LENGTH_MAX} characters`, value);
    },
    encode: (body) => body ?? undefined,
  })
  .describe('a string is sent unchanged, an object as JSON');

const Respond = z.codec(
  f.object({
    status: f.whole(200, 599, 'the HTTP status'),
    body: Body,
    retryAfter: f.orNull(f.whole(0, RETRY_AFTER_MAX_S, 'seconds, for the header Retry-After')),
  }),
  z.custom<Fault & { kind: 'status' }>(),
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
const OUTCOME_ACCEPTED = 'the name of an outcome (GET /_sandbox/triggers lists them)';

export const OutcomeName = z
  .enum(NAMES, mustBe(OUTCOME_ACCEPTED, f.nearestOf(NAMES)))
  .describe('what the provider answers');

/** Refuses outcomes that no charge can have, such as unable_to_capture. */
export function requireOfCharges(outcome: string, context: z.RefinementCtx): void {
  const why = whyNoOutcome(outcome, ['charge.create']);
  if (why !== null) f.refuse(context, `'${outcome}' has no effect: ${why}`, undefined);
}

const STATE_ACCEPTED = `a string of at most ${STATE_TEXT_MAX} characters, a number, true, false or null`;

const stateWords = mustBe(STATE_ACCEPTED);

const StateField = z.union(
  [z.string(stateWords).max(STATE_TEXT_MAX, stateWords), z.number(stateWords), z.boolean(), z.null()],
  stateWords,
);

/** Named states: in `when` their required values (null: never set), in `then` their new ones (null: unset). */
export const State = f.named(
  StateField,
  (name) =>
    STATE_NAME.test(name) && name !== '__proto__'
      ? null
      : 'is not a valid name of a state; use at most 64 letters, digits, _, - and .',
  'an object of named states such as {provider: down}',
);

/** A rule has at most one of these. */
const DECISIONS = ['outcome', 'fault', 'respond', 'nothing'] as const;

const Written = f.object(
  {
    outcome: OutcomeName.optional().describe(
      'The answer of the provider, such as `insufficient_funds`. `playmoney triggers` lists all. It has an effect on every operation that asks a provider: charges, captures, voids, refunds, new customers, payment methods and tokens, settlements, rows of a batch, and charges of subscriptions (`subscription.charge`, with the fields of `charge.create`).',
    ),
    fault: FaultField.optional().describe(
      'A fault other than `status`, or `{quota: 5, window: 1s}`: five calls pass in each second of the world’s clock, and further calls get 429.',
    ),
    respond: Respond.optional().describe(
      '`{status, body, retryAfter}`: any response. An object as `body` is sent as JSON.',
    ),
    nothing: f
      .oneOf([true], '`true`: the call is handled as usual, and no later rule applies to it.')
      .optional(),
    delay: Delay.optional().describe(
      '`250ms`, `{min: 100ms, max: 2s}` (uniform) or `{median: 800ms, sigma: 0.7}` (log-normal). At most 60 s, in real time under every clock.',
    ),
    phase: f
      .oneOf(
        PHASES,
        '`before` or `after`: whether the fault and the delay come before the operation, so that nothing has happened, or after its commit. Default: `after` for `truncate` and `dribble`, which send the answer of the operation, otherwise `before`. `gateway_timeout` is the only outcome with a phase: with `after` the operation is committed, but the caller still gets the time-out.',
      )
      .optional(),
    state: State.optional().describe('Named states and their new values. `null` unsets one.'),
  },
  'an effect such as {outcome: insufficient_funds}',
);

export const ThenField = z.codec(Written, z.custom<Effect>(), {
  decode: (then, context): Effect => {
    const [first, second] = DECISIONS.filter((name) => then[name] !== undefined);
    if (second !== undefined) {
      return refuseTogether(context, `cannot be combined with ${first}; a rule has only one of them`, second);
    }
    const { outcome, fault, respond, delay, state } = then;
    if (first === undefined && delay === undefined && state === undefined) {
      return refuseTogether(context, `has no effect; add one of ${DECISIONS.join(', ')}, delay or state`);
    }
    const quota = typeof fault === 'object' ? fault : undefined;
    const onTheWay = respond ?? (typeof fault === 'string' ? { kind: fault } : undefined);
    const { phase = usualPhase(onTheWay) } = then;
    const effect: Effect = { outcome, fault: onTheWay, quota, delay, phase, state };
    return isIdlePhase(effect) ? refuseTogether(context, IDLE_PHASE, 'phase') : effect;
  },
  encode: ({ outcome, fault, quota, delay, phase, state }) => {
    const says = outcome ?? fault ?? quota ?? delay ?? state;
    return {
      outcome,
      fault: fault === undefined || fault.kind === 'status' ? quota : fault.kind,
      respond: fault?.kind === 'status' ? fault : undefined,
      nothing: says === undefined || undefined,
      delay,
      phase: phase === usualPhase(fault) ? undefined : phase,
      state,
    };
  },
});
