import * as z from 'zod';

import { OUTCOMES } from '../outcomes/outcomes.js';
import { DELAY_MS_MAX } from './delay.js';
import { distributionOf, SIGMA_MAX } from './distribution.js';
import { PLAIN_FAULTS } from './fault.js';
import * as m from './members.js';
import { ValidationError } from '../core/validation-error.js';
import { refused } from './members.js';
import type { DelaySpec, Fault, Phase, Quota, StateValue, Effect } from './model.js';

/** What a rule may do, as it is written in a scenario file. */

const PHASES: readonly Phase[] = ['before', 'after'];
const RETRY_AFTER_MAX_S = 31_536_000;
const WINDOW_MAX_MS = 366 * 86_400_000;
const QUOTA_MAX = 1_000_000;
const BODY_LENGTH_MAX = 65_536;
const STATE_NAME = /^[\w.-]{1,64}$/;
const STATE_TEXT_MAX = 256;

/** Tells the author what is wrong with members that are good by themselves, but not together. */
export function refuseTogether(context: z.RefinementCtx, message: string, ...path: string[]): never {
  context.issues.push({ code: 'custom', message, input: undefined, path, params: { isTogether: true } });
  return z.NEVER;
}

const delayTime = (description: string) => m.duration(0, DELAY_MS_MAX, '60s', description);

const DELAY_TAKES = 'a duration such as 250ms, {min, max} or {median, sigma}';

const Distribution = m
  .object({
    min: delayTime('uniform: the shortest').optional(),
    max: delayTime('uniform: the longest').optional(),
    median: delayTime('lognormal: half of the calls wait longer').optional(),
    sigma: m.number(0, SIGMA_MAX, 'lognormal: the standard deviation of the logarithm').optional(),
  })
  .transform((parts, context): DelaySpec => {
    const delay = distributionOf(parts);
    if (delay === 'reversed') return refuseTogether(context, 'is longer than max', 'min');
    if (delay !== 'mixed') return delay;
    return refuseTogether(context, 'is a distribution of neither {min, max} nor {median, sigma}');
  });

/** How long something waits. */
export const Delay = z.union(
  [delayTime('always as long').transform((ms): DelaySpec => ({ kind: 'fixed', ms })), Distribution],
  { error: (issue) => refused(issue.input, DELAY_TAKES).message },
);

const FAULT_TAKES = `${PLAIN_FAULTS.join(', ')} or {quota, window}`;

const QuotaFault = m
  .object({
    quota: m.whole(0, QUOTA_MAX, 'so many calls pass in a window; the next are answered with 429'),
    window: m.duration(1, WINDOW_MAX_MS, '366d', "of the world's time, from the first call on"),
  })
  .transform(({ quota, window }): Quota => ({ limit: quota, windowMs: window }));

const FaultMember = z.union([m.oneOf(PLAIN_FAULTS, 'what goes wrong'), QuotaFault], {
  error: (issue) => refused(issue.input, FAULT_TAKES).message,
});

const Body = m.member({ description: 'a text as it is; an object is sent as JSON' }, (value) => {
  if (value === undefined || value === null) return null;
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return body.length <= BODY_LENGTH_MAX
    ? body
    : new ValidationError(`is longer than ${BODY_LENGTH_MAX} characters`);
});

const Respond = m
  .object({
    status: m.whole(200, 599, 'the HTTP status'),
    body: Body.optional(),
    retryAfter: m.whole(0, RETRY_AFTER_MAX_S, 'seconds, for the header Retry-After').optional(),
  })
  .transform(({ status, body, retryAfter }): Fault => ({
    kind: 'status',
    status,
    body: body ?? null,
    retryAfterSeconds: retryAfter ?? null,
  }));

const OUTCOME_TAKES = 'the name of an outcome, of which GET /_sandbox/triggers has the list';

/** The name of an outcome. */
export const OutcomeName = m.member(
  { enum: [...OUTCOMES.keys()], description: 'what the provider answers' },
  (value): string | ValidationError => {
    if (typeof value !== 'string') return refused(value, OUTCOME_TAKES);
    return OUTCOMES.has(value)
      ? value
      : refused(value, `${OUTCOME_TAKES}${m.didYouMean(value, OUTCOMES.keys())}`);
  },
);

const StateMember = m.member(
  { type: ['string', 'number', 'boolean', 'null'] },
  (value): StateValue | ValidationError => {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'string' && value.length <= STATE_TEXT_MAX) return value;
    return refused(value, `a text of at most ${STATE_TEXT_MAX} characters, a number, true, false or null`);
  },
);

/** Named states: in `when` what they must be (null: never set), in `then` what they become (null: unset). */
export const State = m.named(
  StateMember,
  (name) =>
    STATE_NAME.test(name) && name !== '__proto__'
      ? null
      : 'is no name of a state; it takes letters, digits, _, - and ., at most 64',
  'named states such as {provider: down}',
);

/** Of these a rule has one at most. */
const DECISIONS = ['outcome', 'fault', 'respond', 'nothing'] as const;

export const ThenMember = m
  .object({
    outcome: OutcomeName.optional(),
    fault: FaultMember.optional(),
    respond: Respond.optional(),
    nothing: m.oneOf([true], 'leaves the call alone, and keeps later rules away from it').optional(),
    delay: Delay.optional(),
    phase: m
      .oneOf(
        PHASES,
        'whether faults, delays and gateway_timeout come before the operation or after its commit',
      )
      .optional(),
    state: State.optional(),
  })
  .transform((then, context): Effect => {
    const decisions = DECISIONS.filter((name) => then[name] !== undefined);
    const [, second] = decisions;
    if (second !== undefined) {
      return refuseTogether(context, `stands beside ${decisions[0]}; a rule takes one of them`, second);
    }
    if (decisions.length === 0 && then.delay === undefined && then.state === undefined) {
      return refuseTogether(context, `does nothing; it takes ${DECISIONS.join(', ')}, delay or state`);
    }
    const fault = then.respond ?? (typeof then.fault === 'string' ? { kind: then.fault } : undefined);
    const quota = typeof then.fault === 'object' ? then.fault : undefined;
    return {
      ...(then.outcome === undefined ? {} : { outcome: then.outcome }),
      ...(fault === undefined ? {} : { fault }),
      ...(quota === undefined ? {} : { quota }),
      ...(then.delay === undefined ? {} : { delay: then.delay }),
      ...(then.state === undefined ? {} : { state: then.state }),
      phase: then.phase ?? 'before',
    };
  });
