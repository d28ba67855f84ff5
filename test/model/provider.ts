import type { Event } from './event.js';
import {
  AMOUNT_OUTCOMES,
  type Asked,
  CCV_MISMATCH,
  type Decline,
  effectsOf,
  OUTCOMES,
  PROVIDER,
} from './spec.js';
import type { State } from './state.js';

/** Who decides what a provider answers, highest first: header, queue, rule, trigger, the provider itself. */

/** The scenarios that the commands switch between. */
export const SCENARIOS = [
  { operation: 'charge.create', from: 100, outcome: 'do_not_honor', times: 2, failAt: null },
  { operation: 'charge.refund', from: 0, outcome: 'unable_to_refund', times: 1, failAt: null },
  { operation: 'customer.create', from: 0, outcome: 'processing_error', times: 1, failAt: 0.5 },
] as const;

/** A scenario as it is sent. */
export function definitionOf(n: number): object {
  const { operation, from, outcome, times, failAt } = SCENARIOS[n % SCENARIOS.length] ?? SCENARIOS[0];
  const when = from === 0 ? { operation } : { operation, amount: { gte: from } };
  const rules = [{ name: 'the rule', when, then: { outcome }, times }];
  return { name: `scenario ${n}`, rules, ...(failAt === null ? {} : { batches: { failAt } }) };
}

/** The part of a batch after which the scenario breaks it; null: it does not. */
export function failAtOf({ scenario }: State): number | null {
  return scenario === null ? null : (SCENARIOS[scenario]?.failAt ?? null);
}

/** What the script says of a call, and that it was used up by saying so. */
export interface Said {
  readonly outcome: string | null;
  readonly used: readonly Event[];
}

/** A charge that a subscription makes is a charge, too. */
const covers = (said: string, operation: string): boolean =>
  said === operation || (said === 'charge.create' && operation === 'subscription.charge');

export function askScript(state: State, operation: string, amount: string | null): Said {
  const queue = state.queues.findIndex((one) => covers(one.operation, operation));
  const queued = state.queues[queue]?.outcomes[0];
  if (queued !== undefined) return { outcome: queued, used: [{ kind: 'queueUsed', queue }] };
  const rule = state.scenario === null ? undefined : SCENARIOS[state.scenario];
  const acts =
    rule !== undefined &&
    covers(rule.operation, operation) &&
    (rule.from === 0 || (amount !== null && Number(amount) >= rule.from)) &&
    state.acted < rule.times;
  return acts ? { outcome: rule.outcome, used: [{ kind: 'ruleActed' }] } : { outcome: null, used: [] };
}

export interface Question {
  readonly asked: Asked;
  readonly provider: string;
  readonly trigger: string;
  /** As the caller wrote it; null: no amount is involved. */
  readonly minor: number | null;
  readonly currency: string | null;
  /** What the header or the script asks for. */
  readonly told: string | null;
}

export interface Reply {
  readonly decline: Decline | null;
  readonly ccvCheck: boolean;
  /** What was counted by asking. */
  readonly used: readonly Event[];
}

const replyOf = (outcome: string, mismatch = false, used: readonly Event[] = []): Reply => {
  const decline = OUTCOMES[outcome];
  if (decline === undefined) throw new Error(`The model knows no outcome ${outcome}`);
  return { decline, ccvCheck: outcome !== 'incorrect_ccv' && !mismatch, used };
};

export function askProvider(state: State, question: Question): Reply {
  const { asked, trigger, told } = question;
  if (told !== null) return replyOf(told);
  const effects = effectsOf(trigger);
  const decides = asked === 'charge' || asked === 'tokenise' || asked === 'store';
  const outcomes = effects && (effects[asked] ?? (decides ? ['approve'] : undefined));
  if (outcomes !== undefined) {
    const used: Event[] = outcomes.length > 1 ? [{ kind: 'counted', name: trigger }] : [];
    const n = Math.min(state.counts[trigger] ?? 0, outcomes.length - 1);
    return replyOf(outcomes[outcomes.length > 1 ? n : 0] ?? 'approve', trigger === CCV_MISMATCH, used);
  }
  return asked === 'settle' ? replyOf('approve') : askItself(state, question);
}

/** What a provider answers where neither a script nor a trigger does. */
export function askItself(state: State, { asked, provider, minor, currency }: Question): Reply {
  if (provider === PROVIDER.down) return replyOf('provider_unavailable');
  if (provider === PROVIDER.flaky) {
    const isThird = (state.counts['flaky'] ?? 0) % 3 === 2;
    return replyOf(isThird ? 'provider_unavailable' : 'approve', false, [{ kind: 'counted', name: 'flaky' }]);
  }
  const hasCents = currency === 'AUD' || currency === 'USD';
  if (provider !== PROVIDER.amounts || asked !== 'charge' || minor === null || !hasCents)
    return replyOf('approve');
  return replyOf(AMOUNT_OUTCOMES[String(minor % 100).padStart(2, '0')] ?? 'approve');
}
