import type { Source } from '../records/payment-method.js';
import type { ConfiguredProvider } from '../records/provider.js';
import { builtInFor, outcomeOfAmount, slowLatencyMs } from './built-in.js';
import { configuredLatencyMs, configuredOutcome, type ProviderState, triggerOf } from './configured.js';
import type { Override } from './header.js';
import { type Behaviour, behaviourOf } from './behaviour.js';
import { type ProviderOperation } from './magic.js';
import { APPROVE, approved, GATEWAY_TIMEOUT_LATENCY_MS, knownOutcome, type Outcome } from './outcomes.js';

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
export interface Made<R> {
  readonly made: R | null;
  readonly answer: ProviderAnswer;
  readonly source: Source;
}

/** Everything that can decide an outcome, in the order of `answerCall`. */
export const PRECEDENCE: readonly string[] = [
  'x-sandbox-outcome: <outcome>[,delay=<duration>] on the request itself (no state, safe in parallel)',
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

const PROVIDER_UNAVAILABLE = knownOutcome('provider_unavailable');
const INCORRECT_CCV = knownOutcome('incorrect_ccv');
const GATEWAY_TIMEOUT = knownOutcome('gateway_timeout');

/** The answer of a provider, decided by the first in `PRECEDENCE` that applies. */
export function answerCall(call: ProviderCall, state: ProviderState): ProviderAnswer {
  // The header of the request, a queued outcome, a provider that is down, or a rule: the caller has chosen the first of them.
  if (call.override !== null) return answerOverride(call.override);
  if (call.trigger !== null) {
    const behaviour = behaviourOf(call.trigger);
    const outcome = behaviour && nextOutcome(call.trigger, behaviour, call.operation, state);
    // Most triggers do not decide later operations on a charge. Then the provider itself answers.
    if (behaviour && outcome) return answerTrigger(call, call.trigger, behaviour, outcome, state);
  }
  return call.configured === null
    ? answerBuiltIn(call, state)
    : answerConfigured(call.configured, call.operation, state);
}

function answerOverride(override: Override): ProviderAnswer {
  const { outcome, trigger, delayMs, isDone } = override;
  const plain = { ...answer(outcome, trigger), delayMs };
  // Only a time-out can hide that the operation was done.
  return isDone && outcome === GATEWAY_TIMEOUT ? { ...plain, outcome: APPROVE, timedOut: true } : plain;
}

/** The next outcome of the trigger's sequence; undefined if the provider decides the operation. */
function nextOutcome(
  trigger: string,
  behaviour: Behaviour,
  operation: ProviderOperation,
  state: ProviderState,
): Outcome | undefined {
  const sequence = behaviour.outcomes[operation];
  if (sequence === null) return undefined;
  if (sequence.length === 1) return sequence[0];
  const n = state.next(counterOf(trigger, operation));
  return sequence[Math.min(n, sequence.length - 1)];
}

/** Charges and storage share one count; each operation that follows a charge has its own. */
function counterOf(trigger: string, operation: ProviderOperation): string {
  const isFollowUp = ['charge.capture', 'charge.void', 'charge.refund'].includes(operation);
  return isFollowUp ? `${trigger} ${operation}` : trigger;
}

function answerTrigger(
  call: ProviderCall,
  trigger: string,
  behaviour: Behaviour,
  outcome: Outcome,
  state: ProviderState,
): ProviderAnswer {
  const plain = answer(outcome, trigger);
  return {
    ...plain,
    ccvCheck: plain.ccvCheck && !behaviour.ccvMismatch,
    // The trigger decides the outcome, but the provider's latency still applies.
    latencyMs: plain.latencyMs || ownLatencyMs(call, state),
    hangUp: behaviour.hangUp && call.operation === 'charge.create',
  };
}

function answerConfigured(
  configured: ConfiguredProvider,
  operation: ProviderOperation,
  state: ProviderState,
): ProviderAnswer {
  const outcome = configuredOutcome(configured, operation, state);
  const latencyMs = configuredLatencyMs(configured, state);
  if (approved(outcome) && latencyMs === 0) return APPROVED_ANSWER;
  const plain = answer(outcome, triggerOf(configured));
  return { ...plain, latencyMs: plain.latencyMs || latencyMs };
}

function answerBuiltIn(call: ProviderCall, state: ProviderState): ProviderAnswer {
  switch (builtInFor(call.providerId).name) {
    case 'amounts':
      return call.operation === 'charge.create' ? answerAmount(call) : APPROVED_ANSWER;
    case 'slow':
      return { ...APPROVED_ANSWER, trigger: 'provider:slow', latencyMs: ownLatencyMs(call, state) };
    case 'flaky':
      return state.next('provider:flaky') % 3 === 2
        ? answer(PROVIDER_UNAVAILABLE, 'provider:flaky')
        : APPROVED_ANSWER;
    case 'down':
      return answer(PROVIDER_UNAVAILABLE, 'provider:down');
    default:
      return APPROVED_ANSWER;
  }
}

function answerAmount(call: ProviderCall): ProviderAnswer {
  const outcome = outcomeOfAmount(call.amountMinor, call.currency);
  if (approved(outcome) || call.amountMinor === null) return APPROVED_ANSWER;
  const decimals = String(call.amountMinor % 100).padStart(2, '0');
  return answer(outcome, `amount:${Math.floor(call.amountMinor / 100)}.${decimals}`);
}

function ownLatencyMs({ configured, providerId }: ProviderCall, state: ProviderState): number {
  if (configured !== null) return configuredLatencyMs(configured, state);
  if (builtInFor(providerId).name !== 'slow') return 0;
  return slowLatencyMs(() => state.draw('provider:slow'));
}

function answer(outcome: Outcome, trigger: string): ProviderAnswer {
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
