import * as z from 'zod';

import { DURATION_MAX_MS } from '../core/time.js';
import { isWebhookSecret, SECRET_TAKES } from '../core/webhook-secret.js';
import { TOPIC_OF_EVENT } from '../webhook-subscriptions/record.js';
import { glob, PATTERN_LENGTH_MAX } from './conditions.js';
import * as m from './members.js';
import type { ValidationError } from '../core/validation-error.js';
import { refused, refusedSecret } from './members.js';
import type { Rule, WebhookBehaviour, WebhookEffect } from './model.js';
import { refuseTogether, State } from './then.js';
import { counting, pattern } from './when.js';

/** What happens to webhooks, as it is written in a scenario file. */

/** How many policies a scenario has at most: our own limit. */
const POLICIES_MAX = 100;
const DUPLICATES_MAX = 10;
const TIMES_MAX = 1_000_000_000;
const EVENTS = Object.keys(TOPIC_OF_EVENT);

const Secret = m.member({ type: 'string', description: 'what webhooks are signed with' }, (value) => {
  if (typeof value === 'string' && isWebhookSecret(value)) return value;
  // A secret is not repeated.
  return refusedSecret(value, 'is no secret', SECRET_TAKES);
});

const EventPattern = m.member(
  { type: 'string', description: 'an event such as batch.status.changed, or batch.*' },
  (value): string | ValidationError => {
    const takes = `one of ${EVENTS.join(', ')}, or a pattern such as batch.*`;
    if (typeof value !== 'string') return refused(value, takes);
    const isMeant = glob(value.slice(0, PATTERN_LENGTH_MAX));
    return EVENTS.some(isMeant) ? value : refused(value, `${takes}${m.didYouMean(value, EVENTS)}`);
  },
);

const WhenMember = m.object({
  event: m.oneOrMany(EventPattern).optional(),
  url: m.oneOrMany(pattern('the Url of a webhook')).optional(),
  status: m.oneOrMany(pattern('the Status that is told')).optional(),
  reference: m.oneOrMany(pattern('a Reference')).optional(),
  state: State.optional(),
  ...counting,
});

const only = (description: string) => m.oneOf([true], description).optional();

const time = (description: string) => m.duration(1, DURATION_MAX_MS, '100 years', description).optional();

/** Of these a policy has one at most: they say when and how often a webhook is sent. */
const WAYS = ['duplicate', 'delay', 'swap', 'drop'] as const;

const ThenMember = m
  .object({
    duplicate: m.whole(1, DUPLICATES_MAX, 'how many more copies are sent').optional(),
    delay: time("how much later it is sent, by the world's clock"),
    swap: only('lets the next webhook to the same Url pass'),
    drop: only('never sends it'),
    badSignature: only('signs another text'),
    staleTimestamp: time('how old its timestamp is'),
  })
  .transform((then, context): WebhookEffect => {
    const given = Object.entries(then).filter(([, value]) => value !== undefined);
    if (given.length === 0) {
      const takes = 'duplicate, delay, swap, drop, badSignature, staleTimestamp';
      return refuseTogether(context, `does nothing; it takes ${takes}`);
    }
    const [first, second] = WAYS.filter((way) => then[way] !== undefined);
    if (second !== undefined) {
      return refuseTogether(context, `stands beside ${first}; a policy takes one of them`, second);
    }
    return {
      duplicates: then.duplicate ?? 0,
      delayMs: then.delay ?? 0,
      swap: then.swap ?? false,
      drop: then.drop ?? false,
      badSignature: then.badSignature ?? false,
      staleMs: then.staleTimestamp ?? 0,
    };
  });

const PolicyMember = m.object({
  name: m.textUpTo(64, 'what the policy is called').optional(),
  when: WhenMember.optional(),
  // The file says `then`, as a story does; nothing of it can be called, so no await takes it for a promise.
  // oxlint-disable-next-line unicorn/no-thenable
  then: m.required(ThenMember, 'what the policy does, such as {duplicate: 1}'),
  times: m.whole(1, TIMES_MAX, 'how often the policy acts at most').optional(),
});

/** Policies without a name are called by their place, from 1. */
function named(policies: readonly z.output<typeof PolicyMember>[]): readonly Rule[] {
  return policies.map(({ name, when, then, times }, index) => ({
    name: name ?? `webhook ${index + 1}`,
    when: (when ?? {}) as Rule['when'],
    effect: { phase: 'after', webhook: then },
    times: times ?? null,
  }));
}

const PoliciesMember = z
  .array(PolicyMember, { error: (issue) => refused(issue.input, 'a list of {when, then}').message })
  .max(POLICIES_MAX, { error: `is a list of more than ${POLICIES_MAX}, which is the most` })
  .transform(named);

export const WebhooksMember = m
  .object({ secret: Secret.optional(), policies: PoliciesMember.optional() })
  .transform(({ secret, policies }): WebhookBehaviour => ({
    secret: secret ?? null,
    policies: policies ?? [],
  }));
