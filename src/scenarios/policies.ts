import type { Conditioned, Rule } from './model.js';
import { ActiveRule, type RuleCounts, type States } from './rules.js';

/** What the active scenario does to webhooks. The first policy that matches decides one. */
export class Policies {
  readonly #policies: readonly ActiveRule[];

  constructor(policies: readonly Rule[]) {
    this.#policies = policies.map((policy) => new ActiveRule(policy));
  }

  /** The policy that acts on a webhook, or null. */
  take(facts: Conditioned, states: States): Rule | null {
    let found: Rule | null = null;
    for (const active of this.#policies) {
      // Those behind the one that decides count it all the same.
      if (active.take(facts, states, found !== null) !== null) found = active.rule;
    }
    return found;
  }

  matched(): readonly { readonly rule: string; readonly matched: number }[] {
    return this.#policies.map(({ rule, counts }) => ({ rule: rule.name, matched: counts.matched }));
  }

  snapshot(): readonly RuleCounts[] {
    return this.#policies.map(({ counts }) => counts);
  }

  restore(counts: readonly RuleCounts[]): void {
    for (const [index, count] of counts.entries()) {
      const active = this.#policies[index];
      if (active !== undefined) active.counts = count;
    }
  }
}
