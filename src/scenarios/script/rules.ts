import { COUNTED_BY, type FactsTest, meetsAll, stateHolds, compileConditions } from './conditions.js';
import { type Operation, OPERATIONS } from './operations.js';
import { canActOn } from './reach.js';
import type { Quota, StateValue } from '../file/effects.js';
import type { FaultSpec } from '../file/fault.js';
import type { ConditionFacts, CallFacts, Rule, ScriptStep } from './rule.js';

export type States = ReadonlyMap<string, StateValue>;

export interface RuleCounts {
  /** Calls that met the conditions, even if something else decided them. */
  readonly seen: number;
  readonly matched: number;
  /** The current window of its quota; null before the first call. */
  readonly window: { readonly start: number; readonly calls: number } | null;
  /** With the condition `each`, what it has seen of each customer or reference; the one of the latest call is the last. */
  readonly each: readonly { readonly of: string; readonly seen: number }[];
}

/** How many customers or references a rule counts apart: our own limit. It forgets the one without a call for longest. */
export const EACH_MAX = 10_000;
const UNCOUNTED: RuleCounts = { seen: 0, matched: 0, window: null, each: [] };

export interface RuleHit {
  readonly rule: Rule;
  readonly step: ScriptStep;
}

const TOO_MANY = 429;

export class ActiveRule {
  readonly #tests: readonly FactsTest[];
  readonly #isCounting: boolean;
  #seen = 0;
  #matched = 0;
  #window: RuleCounts['window'] = null;
  readonly #each = new Map<string, number>();

  constructor(
    readonly rule: Rule,
    start: number,
  ) {
    const { when } = rule;
    this.#tests = compileConditions(when, start);
    this.#isCounting = when.nth !== undefined || when.every !== undefined || when.after !== undefined;
  }

  get counts(): RuleCounts {
    const each = Array.from(this.#each, ([of, seen]) => ({ of, seen }));
    return { seen: this.#seen, matched: this.#matched, window: this.#window, each };
  }

  set counts({ seen, matched, window, each }: RuleCounts) {
    this.#seen = seen;
    this.#matched = matched;
    this.#window = window;
    this.#each.clear();
    for (const counter of each) this.#each.set(counter.of, counter.seen);
  }

  get matched(): number {
    return this.#matched;
  }

  /**
   * Returns the effect of the rule on a call, or null. A rule that counts also counts calls decided elsewhere, so that the third
   * charge is the third one wherever the rule is in the list.
   */
  applyTo(facts: ConditionFacts, states: States, isDecided: boolean): ScriptStep | null {
    if (isDecided && !this.#isCounting) return null;
    if (!meetsAll(facts, this.#tests)) return null;
    const { when, effect, times } = this.rule;
    if (when.state !== undefined && !stateHolds(when.state, states)) return null;
    if (!this.#isTurn(facts) || isDecided) return null;
    if (times !== null && this.#matched >= times) return null;
    const quotaFault = effect.quota === undefined ? null : this.#overQuota(effect.quota, facts.now);
    if (effect.quota !== undefined && quotaFault === null) return null;
    this.#matched++;
    return quotaFault === null ? effect : { ...effect, fault: quotaFault };
  }

  /** Counts a call, and returns whether the rule applies to it by its number. */
  #isTurn(facts: ConditionFacts): boolean {
    if (!this.#isCounting) return true;
    this.#seen++;
    const { nth, every = 1, after = 0, each } = this.rule.when;
    const of = each === undefined ? null : COUNTED_BY[each](facts);
    const n = (of === null ? this.#seen : this.#countOf(of)) - after;
    if (n < 1 || n % every !== 0) return false;
    return nth === undefined || nth.includes(n);
  }

  #countOf(of: string): number {
    const seen = (this.#each.get(of) ?? 0) + 1;
    this.#each.delete(of);
    this.#each.set(of, seen);
    const [oldest] = this.#each.size > EACH_MAX ? this.#each.keys() : [];
    if (oldest !== undefined) this.#each.delete(oldest);
    return seen;
  }

  /** Counts a call in the quota's window, which starts with the first call. Returns a 429 if it exceeds the quota. */
  #overQuota({ quota: limit, window: windowMs }: Quota, now: number): FaultSpec | null {
    const running = this.#window;
    const isRunning = running !== null && now < running.start + windowMs;
    const window = isRunning ? { ...running, calls: running.calls + 1 } : { start: now, calls: 1 };
    this.#window = window;
    if (window.calls <= limit) return null;
    const retryAfterSeconds = Math.ceil((window.start + windowMs - now) / 1000);
    return { kind: 'status', status: TOO_MANY, body: null, retryAfterSeconds };
  }
}

/** Whether a rule decides what one provider answers, or that this provider decides. */
function decidesProvider({ when, effect: { outcome, fault, quota, delay, advance } }: Rule): boolean {
  return (
    when.provider !== undefined &&
    (outcome !== undefined || (fault ?? quota ?? delay ?? advance) === undefined)
  );
}

/** The rules of the current scenario, or its policies for webhooks. The first that matches decides. */
export class Rules {
  readonly #rules: readonly ActiveRule[];
  readonly #byOperation: ReadonlyMap<Operation, readonly ActiveRule[]>;

  /** `start`: when the scenario came into use. */
  constructor(rules: readonly Rule[], start = 0) {
    this.#rules = rules.map((rule) => new ActiveRule(rule, start));
    this.#byOperation = new Map(OPERATIONS.map((operation) => [operation, this.#rulesFor(operation)]));
  }

  #rulesFor(operation: Operation): readonly ActiveRule[] {
    return this.#rules.filter(({ rule }) => canActOn(rule, operation));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The first rule that matches a call. `isDecided`: something else decided the call, so the rules only count it. */
  applyFirst(facts: ConditionFacts | CallFacts, states: States, isDecided = false): RuleHit | null {
    let hit: RuleHit | null = null;
    const mayAct = 'operation' in facts ? this.#byOperation.get(facts.operation) : this.#rules;
    const isFallback = 'isFallback' in facts && facts.isFallback;
    for (const active of mayAct ?? []) {
      if (isFallback && !decidesProvider(active.rule)) continue;
      const step = active.applyTo(facts, states, isDecided || hit !== null);
      if (step !== null) hit = { rule: active.rule, step };
    }
    return hit;
  }

  matched(): readonly { readonly rule: string; readonly matched: number }[] {
    return this.#rules.map(({ rule, matched }) => ({ rule: rule.name, matched }));
  }

  snapshot(): readonly RuleCounts[] {
    return this.#rules.map(({ counts }) => counts);
  }

  restore(counts: readonly RuleCounts[]): void {
    this.#rules.forEach((active, index) => {
      active.counts = counts[index] ?? UNCOUNTED;
    });
  }
}
