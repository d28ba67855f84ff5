import { maskPan, parsePan } from '../core/card.js';
import { formatDuration, formatInstant } from '../core/time.js';
import type { BroughtProvider } from '../providers/record.js';
import { isTestCard } from '../outcomes/magic.js';
import { given } from '../core/given.js';
import { listOf } from './given.js';
import type {
  AmountTest,
  BatchBehaviour,
  DelaySpec,
  Effect,
  Fault,
  Rule,
  Scenario,
  TimelineEntry,
  WebhookBehaviour,
  WebhookEffect,
  When,
} from './model.js';
import { type CcvSpelling, seedDataOf, standInCcv } from './seed-definition.js';

/** How what may be somebody's secret is written down. */
interface Spelling {
  readonly cardOf: (pattern: string) => string;
  readonly ccvOf: CcvSpelling;
}

const HARMLESS: Spelling = { cardOf: withoutPan, ccvOf: standInCcv };

/** As the author wrote it. */
export const WHOLE: Spelling = { cardOf: (pattern) => pattern, ccvOf: (ccv) => ccv };

/**
 * A scenario as a file writes it, so that it can be played elsewhere: `parseScenario` reads it back. Its keys are left
 * out, since they are secrets and say where it plays. Unless the spelling is `WHOLE`, a whole card number of a rule becomes
 * the pattern of its mask, and a Ccv 123.
 */
export function definitionOf(scenario: Scenario, { cardOf, ccvOf } = HARMLESS): object {
  const { name, description, seed, clock, startTime, dialect, providers, seedData } = scenario;
  const { rules, timeline, batches, webhooks } = scenario;
  return given({
    name,
    description,
    seed,
    clock: clock === null ? null : clock.mode === 'scaled' ? `x${clock.rate}` : clock.mode,
    startTime: startTime === null ? null : formatInstant(startTime),
    dialect,
    providers: listOf(providers.map(providerOf)),
    seedData: seedData === null ? null : seedDataOf(seedData, ccvOf),
    rules: rules.map((rule) => ruleOf(rule, cardOf)),
    timeline: timeline.map(entryOf),
    batches: batches === null ? null : batchesOf(batches),
    webhooks: webhooks === null ? null : webhooksOf(webhooks),
  } satisfies Record<Exclude<keyof Scenario, 'keys'>, unknown>);
}

function providerOf(provider: BroughtProvider): object {
  const { name, providerId, type, currency, country, costs, behaviour } = provider;
  const { latency, outcomes, fails, features } = behaviour;
  const shares = outcomes.map(({ outcome, weight }) => [outcome, weight] as const);
  return given({
    name,
    providerId,
    type,
    currency,
    country,
    latency: latency === null ? null : delayOf(latency),
    outcomes: shares.length === 0 ? null : Object.fromEntries(shares),
    fails,
    features,
    costs: listOf(
      costs.map(({ scheme, transaction, percentage }) => given({ scheme, fixed: transaction, percentage })),
    ),
    fallback: provider.fallbackProviderId,
    threeDs: provider.threeDsProviderId,
  });
}

function ruleOf({ name, when, effect, times }: Rule, cardOf: (pattern: string) => string): object {
  // The file says `then`, as a story does; nothing of it can be called, so no await takes it for a promise.
  // oxlint-disable-next-line unicorn/no-thenable
  return given({ name, when: whenOf(when, cardOf), then: thenOf(effect), times });
}

function whenOf({ amount, card, ...rest }: When, cardOf: (pattern: string) => string): object {
  return given({
    ...rest,
    card: card?.map(cardOf),
    amount: amount === undefined ? null : amountOf(amount),
  });
}

/** A number that belongs to somebody is masked; as a pattern the mask fits it all the same. */
function withoutPan(pattern: string): string {
  const { pan } = parsePan(pattern);
  return pan === undefined || isTestCard(pan) ? pattern : maskPan(pan);
}

function amountOf(amount: AmountTest): unknown {
  if (amount.kind === 'equal') return amount.values;
  const { gt, gte, lt, lte } = amount;
  return given({ gt, gte, lt, lte });
}

function thenOf({ outcome, fault, quota, delay, phase, state }: Effect): object {
  const says = outcome ?? fault ?? quota ?? delay ?? state;
  return given({
    outcome,
    ...(fault === undefined ? {} : faultOf(fault)),
    ...(quota === undefined ? {} : { fault: { quota: quota.limit, window: formatDuration(quota.windowMs) } }),
    nothing: says === undefined ? true : null,
    delay: delay === undefined ? null : delayOf(delay),
    phase: phase === 'before' ? null : phase,
    state,
  });
}

function faultOf(fault: Fault): object {
  if (fault.kind !== 'status') return { fault: fault.kind };
  const { status, body, retryAfterSeconds } = fault;
  return { respond: given({ status, body, retryAfter: retryAfterSeconds }) };
}

function delayOf(delay: DelaySpec): unknown {
  switch (delay.kind) {
    case 'fixed':
      return formatDuration(delay.ms);
    case 'uniform':
      return { min: formatDuration(delay.minMs), max: formatDuration(delay.maxMs) };
    case 'lognormal':
      return { median: formatDuration(delay.medianMs), sigma: delay.sigma };
  }
}

function entryOf({ offsetMs, action }: TimelineEntry): object {
  return {
    at: `+${formatDuration(offsetMs)}`,
    do: action.kind === 'setState' ? { setState: action.state } : { [action.kind]: action.providerId },
  };
}

function batchesOf({ paceMs, failAt, stuckAt }: BatchBehaviour): object {
  const pace = paceMs === null ? null : paceMs === 0 ? 'immediate' : formatDuration(paceMs);
  return given({ pace, failAt, stuckAt });
}

function webhooksOf({ secret, policies }: WebhookBehaviour): object {
  return given({ secret, policies: listOf(policies.map(policyOf)) });
}

function policyOf({ name, when, effect, times }: Rule): object {
  // oxlint-disable-next-line unicorn/no-thenable -- as the file says it, see ruleOf
  return given({ name, when, then: troubleOf(effect.webhook), times });
}

function troubleOf(webhook: WebhookEffect | undefined): object {
  if (webhook === undefined) throw new Error('A policy for webhooks does nothing to them');
  const { duplicates, delayMs, swap, drop, badSignature, staleMs } = webhook;
  return given({
    duplicate: duplicates === 0 ? null : duplicates,
    delay: delayMs === 0 ? null : formatDuration(delayMs),
    swap: swap ? true : null,
    drop: drop ? true : null,
    badSignature: badSignature ? true : null,
    staleTimestamp: staleMs === 0 ? null : formatDuration(staleMs),
  });
}
