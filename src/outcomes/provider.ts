import type { Source } from '../records/payment-method.js';
import type { ConfiguredProvider } from '../records/provider.js';
import { builtInOrSteady, outcomeOfAmount, drawSlowLatency } from './built-in.js';
import {
  drawConfiguredLatency,
  drawConfiguredOutcome,
  type ProviderState,
  providerTrigger,
} from './configured.js';
import type { Override } from './header.js';
import { type Behaviour, findBehaviour } from './behaviour.js';
import type { ProviderOperation } from './magic.js';
import { APPROVE, isApproved, GATEWAY_TIMEOUT_LATENCY_MS, requireOutcome, type Outcome } from './outcomes.js';

export interface ProviderCall {
  readonly operation: ProviderOperation;
  /** Well-formed and not reserved. */
  readonly providerId: string;
  /** Null for a built-in or unknown provider. */
  readonly configured: ConfiguredProvider | null;
  /** Null for operations without an amount. */
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** The trigger stored with the card or the charge. */
  readonly trigger: string | null;
  readonly override: Override | null;
}

export interface ProviderAnswer {
  readonly outcome: Outcome;
  /** For `x-sandbox-trigger`; null if nothing special decided. */
  readonly trigger: string | null;
  readonly ccvCheck: boolean;
  /** The provider's latency, in virtual time. */
  readonly latencyMs: number;
  /** A delay in real time, which the request or a rule demands. */
  readonly delayMs: number;
  /** The charge is committed, and then the connection closed without an answer. */
  readonly hangUp: boolean;
  /** The operation is committed, and then answered with a time-out. */
  readonly timedOut: boolean;
}

/** The result of storing a source with a provider; the record is null when the provider declined. */
export interface StoreResult<R> {
  readonly made: R | null;
  readonly answer: ProviderAnswer;
  readonly source: Source;
}

/** Everything that can decide an outcome, in the order of `decideAnswer`. */
export const PRECEDENCE: readonly string[] = [
  'x-sandbox-outcome: <outcome>[,delay=<duration>] on the request itself (no state, safe in parallel), or the outcome that somebody gives a held call (POST /_sandbox/hold/{id})',
  'a queued outcome for the operation (POST /_sandbox/outcomes), used up in order',
  'a provider that the timeline of the scenario took down',
  'a rule of the active scenario',
  'the magic token or magic card number',
  "the provider's own behaviour (configured and built-in providers; amount-driven)",
  'approve',
];

const APPROVED_ANSWER: ProviderAnswer = Object.freeze({
  outcome: APPROVE,
  trigger: null,
  ccvCheck: true,
  latencyMs: 0,
  delayMs: 0,
  hangUp: false,
  timedOut: false,
});

const PROVIDER_UNAVAILABLE = requireOutcome('provider_unavailable');
const INCORRECT_CCV = requireOutcome('incorrect_ccv');
const GATEWAY_TIMEOUT = requireOutcome('gateway_timeout');

/** The answer of a provider, decided by the first in `PRECEDENCE` that applies. */
export function decideAnswer(call: ProviderCall, state: ProviderState): ProviderAnswer {
  // The header of the request, a queued outcome, a provider that is down, or a rule: the caller has chosen the first of them.
  if (call.override !== null) return decideByOverride(call.override);
  if (call.trigger !== null) {
    const behaviour = findBehaviour(call.trigger);
    const outcome = behaviour && takeNextOutcome(call.trigger, behaviour, call.operation, state);
    // Most triggers do not decide later operations on a charge. Then the provider itself answers.
    if (behaviour && outcome) return decideByTrigger(call, call.trigger, behaviour, outcome, state);
  }
  return call.configured === null
    ? decideByBuiltIn(call, state)
    : decideByConfiguration(call.configured, call.operation, state);
}

function decideByOverride(override: Override): ProviderAnswer {
  const { outcome, trigger, delayMs, isDone } = override;
  const plain = { ...buildProviderAnswer(outcome, trigger), delayMs };
  // Only a time-out can hide that the operation was done.
  return isDone && outcome === GATEWAY_TIMEOUT ? { ...plain, outcome: APPROVE, timedOut: true } : plain;
}

/** The next outcome of the trigger's sequence; undefined if the provider decides the operation. */
function takeNextOutcome(
  trigger: string,
  behaviour: Behaviour,
  operation: ProviderOperation,
  state: ProviderState,
): Outcome | undefined {
  const sequence = behaviour.outcomes[operation];
  if (sequence === null) return undefined;
  if (sequence.length === 1) return sequence[0];
  const n = state.next(counterName(trigger, operation));
  return sequence[Math.min(n, sequence.length - 1)];
}

/** Charges and storage share one count; each operation that follows a charge has its own. */
function counterName(trigger: string, operation: ProviderOperation): string {
  const isFollowUp = ['charge.capture', 'charge.void', 'charge.refund'].includes(operation);
  return isFollowUp ? `${trigger} ${operation}` : trigger;
}

function decideByTrigger(
  call: ProviderCall,
  trigger: string,
  behaviour: Behaviour,
  outcome: Outcome,
  state: ProviderState,
): ProviderAnswer {
  const plain = buildProviderAnswer(outcome, trigger);
  return {
    ...plain,
    ccvCheck: plain.ccvCheck && !behaviour.ccvMismatch,
    // The trigger decides the outcome, but the provider's latency still applies.
    latencyMs: plain.latencyMs || drawProviderLatency(call, state),
    hangUp: behaviour.hangUp && call.operation === 'charge.create',
  };
}

function decideByConfiguration(
  configured: ConfiguredProvider,
  operation: ProviderOperation,
  state: ProviderState,
): ProviderAnswer {
  const outcome = drawConfiguredOutcome(configured, operation, state);
  const latencyMs = drawConfiguredLatency(configured, state);
  if (isApproved(outcome) && latencyMs === 0) return APPROVED_ANSWER;
  const plain = buildProviderAnswer(outcome, providerTrigger(configured));
  return { ...plain, latencyMs: plain.latencyMs || latencyMs };
}

function decideByBuiltIn(call: ProviderCall, state: ProviderState): ProviderAnswer {
  switch (builtInOrSteady(call.providerId).name) {
    case 'amounts':
      return call.operation === 'charge.create' ? decideByAmount(call) : APPROVED_ANSWER;
    case 'slow':
      return { ...APPROVED_ANSWER, trigger: 'provider:slow', latencyMs: drawProviderLatency(call, state) };
    case 'flaky':
      return state.next('provider:flaky') % 3 === 2
        ? buildProviderAnswer(PROVIDER_UNAVAILABLE, 'provider:flaky')
        : APPROVED_ANSWER;
    case 'down':
      return buildProviderAnswer(PROVIDER_UNAVAILABLE, 'provider:down');
    default:
      return APPROVED_ANSWER;
  }
}

function decideByAmount(call: ProviderCall): ProviderAnswer {
  const outcome = outcomeOfAmount(call.amountMinor, call.currency);
  if (isApproved(outcome) || call.amountMinor === null) return APPROVED_ANSWER;
  const decimals = String(call.amountMinor % 100).padStart(2, '0');
  return buildProviderAnswer(outcome, `amount:${Math.floor(call.amountMinor / 100)}.${decimals}`);
}

function drawProviderLatency({ configured, providerId }: ProviderCall, state: ProviderState): number {
  if (configured !== null) return drawConfiguredLatency(configured, state);
  if (builtInOrSteady(providerId).name !== 'slow') return 0;
  return drawSlowLatency(() => state.draw('provider:slow'));
}

function buildProviderAnswer(outcome: Outcome, trigger: string): ProviderAnswer {
  return {
    outcome,
    trigger,
    ccvCheck: outcome !== INCORRECT_CCV,
    latencyMs: outcome === GATEWAY_TIMEOUT ? GATEWAY_TIMEOUT_LATENCY_MS : 0,
    delayMs: 0,
    hangUp: false,
    timedOut: false,
  };
}

/** The name of the scenario's rule that a trigger is; null for any other trigger. */
export function findRuleName(trigger: string | null | undefined): string | null {
  return trigger?.startsWith('rule:') ? trigger.slice('rule:'.length) : null;
}

/** The step of the documented precedence that a trigger belongs to. */
export function findPrecedenceStep(trigger: string): string {
  const kind = trigger.slice(0, trigger.indexOf(':'));
  if (kind === 'card' || kind === 'account' || kind === 'token') return 'magic';
  if (kind === 'hold') return 'header';
  return kind === 'amount' ? 'provider' : kind;
}
