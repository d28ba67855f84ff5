import { drawDelay } from '../../core/time/delay.js';
import { findBuiltIn } from '../../outcomes/built-in.js';
import { requireOutcome } from '../../outcomes/outcomes.js';
import type { ProviderState } from '../../outcomes/configured.js';
import { bareProviderId } from '../../records/provider.js';
import type { NamedState, StateValue } from '../file/effects.js';
import type { Scenario } from '../file/schema.js';
import type { Operation } from './operations.js';
import type { ConditionFacts, CallFacts, Rule, ScriptStep, ScriptDecision } from './rule.js';
import { Holds } from './holds.js';
import { type Queue, type QueueEntry, Queues, type QueuesData } from './queue.js';
import { type RuleCounts, Rules } from './rules.js';

const PROVIDER_UNAVAILABLE = requireOutcome('provider_unavailable');

/** The operations that fail when a provider is down. The service itself answers reads and stores cards. */
const UNANSWERED_WHEN_DOWN: ReadonlySet<Operation> = new Set<Operation>([
  'charge.create',
  'charge.capture',
  'charge.void',
  'charge.refund',
  'batch.row',
  'subscription.charge',
]);

/** A script as plain data. */
export interface ScriptData {
  readonly queues: QueuesData;
  readonly scenario: Scenario | null;
  /** When the scenario came into use. */
  readonly start: number;
  readonly rules: readonly RuleCounts[];
  readonly policies: readonly RuleCounts[];
  readonly state: NamedState;
  readonly down: readonly string[];
}

const NO_RULES = new Rules([]);

interface RuleMatches {
  readonly rule: string;
  readonly matched: number;
  readonly kind: 'rule' | 'policy';
}

interface InjectedRules {
  readonly rules: Rules;
  readonly policies: Rules;
  /** Their own states, which a change of the scenario does not clear. */
  readonly states: Map<string, StateValue>;
}

/** The script of a world: queued outcomes, and its scenario. */
export class Script {
  readonly #queues = new Queues();
  /** Make calls wait before they are decided. */
  readonly holds = new Holds(() => this.#updateIdle());
  #scenario: Scenario | null = null;
  #start = 0;
  #rules = NO_RULES;
  /** Null if the scenario has no policies for webhooks. */
  #policies: Rules | null = null;
  readonly #states = new Map<string, StateValue>();
  /** The ids of providers that are down, without hyphens and in lower case. */
  readonly #down = new Set<string>();
  /** Rules and policies that come before all others and stay when the scenario changes; null for none. */
  #injected: InjectedRules | null = null;
  #isIdle = true;

  /** Whether `holds.take` and `decide` need not be called: nothing is queued or held, no rule is active and no provider is down. */
  get decidesNothing(): boolean {
    return this.#isIdle;
  }

  /**
   * Decides a call: first the queues, then the timeline, then the rules in order. Counts the call. If the request's own header
   * decides, the rules only count it, and no queued outcome is used up.
   */
  decide(facts: CallFacts, chance: ProviderState, isDecided = false): ScriptDecision | null {
    const injected = this.#decideInjected(facts, chance);
    if (injected !== null) return injected;
    const first = isDecided ? null : this.#decideFirst(facts, chance);
    const hit = this.#rules.applyFirst(facts, this.#states, isDecided || first !== null);
    if (hit === null) return first;
    if (hit.rule.effect.state !== undefined) this.setState(hit.rule.effect.state);
    return stepVerdict(`rule:${hit.rule.name}`, hit.step, chance);
  }

  #decideInjected(facts: CallFacts, chance: ProviderState): ScriptDecision | null {
    const { rules, states } = this.#injected ?? {};
    const hit = states === undefined ? null : (rules?.applyFirst(facts, states) ?? null);
    if (hit === null) return null;
    for (const [name, value] of Object.entries(hit.rule.effect.state ?? {})) states?.set(name, value);
    return stepVerdict(`rule:${hit.rule.name}`, hit.step, chance);
  }

  #decideFirst(facts: CallFacts, chance: ProviderState): ScriptDecision | null {
    const queued = this.#queues.takeStep(facts);
    if (queued === null) return this.providerDown(facts);
    this.#updateIdle();
    return stepVerdict(`queue:${queued.id}`, queued.step, chance);
  }

  /** The first policy that matches a webhook. Counts the webhook. */
  policyFor(facts: () => ConditionFacts): Rule | null {
    const injected = this.#injected?.policies.applyFirst(facts(), this.#injected.states)?.rule;
    return injected ?? this.#policies?.applyFirst(facts(), this.#states)?.rule ?? null;
  }

  /** The decision of the timeline about a call whose provider is down. */
  providerDown({ operation, providerId }: CallFacts): ScriptDecision | null {
    if (this.#down.size === 0 || providerId === null || !UNANSWERED_WHEN_DOWN.has(operation)) return null;
    const bare = bareProviderId(providerId);
    if (!this.#down.has(bare)) return null;
    const trigger = `timeline:${this.#nameOf(bare)} down`;
    return { trigger, outcome: PROVIDER_UNAVAILABLE, fault: null, delayMs: 0, phase: 'before', advanceMs: 0 };
  }

  /** The name of a provider in the scenario, or of a built-in one; the id of any other. */
  #nameOf(bare: string): string {
    const own = this.#scenario?.providers.find(({ providerId }) => providerId === bare);
    return own?.name ?? findBuiltIn(bare)?.name ?? bare;
  }

  /** Queues outcomes and returns the queue's number: 1, 2, … */
  enqueue(entry: QueueEntry): number {
    const id = this.#queues.add(entry);
    this.#updateIdle();
    return id;
  }

  queues(): readonly Queue[] {
    return this.#queues.remaining();
  }

  emptyQueues(): void {
    this.#queues.clear();
    this.#updateIdle();
  }

  /** Starts a scenario from its beginning at an instant, or none. Queued outcomes stay. */
  startScenario(scenario: Scenario | null, start = 0): void {
    this.#scenario = scenario;
    this.#start = scenario === null ? 0 : start;
    this.#rules = scenario === null ? NO_RULES : new Rules(scenario.rules, start);
    this.#policies = scenario?.webhooks ? new Rules(scenario.webhooks.policies, start) : null;
    this.#states.clear();
    this.#down.clear();
    this.#updateIdle();
  }

  /** Injects the rules and policies of a scenario, or removes those that were injected. */
  inject(scenario: Scenario | null): void {
    this.#injected = scenario && {
      rules: new Rules(scenario.rules),
      policies: new Rules(scenario.webhooks?.policies ?? []),
      states: new Map(),
    };
    this.#updateIdle();
  }

  get scenario(): Scenario | null {
    return this.#scenario;
  }

  /** How often each rule of the scenario matched, in order. Policies for webhooks come last, and what was injected first. */
  matched(): readonly RuleMatches[] {
    const { rules, policies } = this.#injected ?? {};
    return [
      ...listMatches(rules, 'rule'),
      ...listMatches(policies, 'policy'),
      ...listMatches(this.#rules, 'rule'),
      ...listMatches(this.#policies, 'policy'),
    ];
  }

  unmatched(): readonly string[] {
    return this.matched().flatMap(({ rule, matched }) => (matched === 0 ? [rule] : []));
  }

  /** Takes a provider down or up again, by its id in any spelling. */
  setProviderDown(providerId: string, isDown: boolean): void {
    if (isDown) this.#down.add(bareProviderId(providerId));
    else this.#down.delete(bareProviderId(providerId));
    this.#updateIdle();
  }

  /** Sets named states; null unsets one. */
  setState(states: NamedState): void {
    for (const [name, value] of Object.entries(states)) {
      if (value === null) this.#states.delete(name);
      else this.#states.set(name, value);
    }
  }

  state(): NamedState {
    return Object.fromEntries(this.#states);
  }

  snapshot(): ScriptData {
    return {
      queues: this.#queues.snapshot(),
      scenario: this.#scenario,
      start: this.#start,
      rules: this.#rules.snapshot(),
      policies: this.#policies?.snapshot() ?? [],
      state: this.state(),
      down: [...this.#down],
    };
  }

  restore(data: ScriptData): void {
    this.startScenario(data.scenario, data.start);
    this.#queues.restore(data.queues);
    this.#rules.restore(data.rules);
    this.#policies?.restore(data.policies);
    this.setState(data.state);
    for (const id of data.down) this.#down.add(id);
    this.#updateIdle();
  }

  #updateIdle(): void {
    this.#isIdle =
      this.#injected === null &&
      this.#queues.isEmpty &&
      this.#rules.isEmpty &&
      this.#down.size === 0 &&
      this.holds.isEmpty;
  }
}

function listMatches(rules: Rules | null | undefined, kind: RuleMatches['kind']): readonly RuleMatches[] {
  return rules?.matched().map((match) => ({ ...match, kind })) ?? [];
}

function stepVerdict(trigger: string, step: ScriptStep, chance: ProviderState): ScriptDecision {
  return {
    trigger,
    outcome: step.outcome === undefined ? null : requireOutcome(step.outcome),
    fault: step.fault ?? null,
    delayMs: step.delay === undefined ? 0 : drawDelay(step.delay, () => chance.draw(`delay:${trigger}`)),
    phase: step.phase,
    advanceMs: step.advance ?? 0,
  };
}
