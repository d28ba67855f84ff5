import { EACH } from '../script/each.js';
import type { Rule, Ruled } from '../script/rule.js';
import type { ScenarioIssue } from './issues.js';

/** What authors of valid rules and policies may have meant otherwise. */
export function hintsOf({ rules, webhooks }: Ruled): readonly ScenarioIssue[] {
  return [
    ...countedTogether(rules, ['rules']),
    ...countedTogether(webhooks?.policies ?? [], ['webhooks', 'policies']),
  ];
}

/** `customer: '*', nth: 3` reads like the third call of each customer, but counts the calls of all. */
function countedTogether(rules: readonly Rule[], path: readonly string[]): ScenarioIssue[] {
  return rules.flatMap(({ name, when }, index) => {
    const count = (['nth', 'every', 'after'] as const).find((one) => when[one] !== undefined);
    const which = EACH.find((one) => when[one]?.includes('*'));
    if (count === undefined || which === undefined || when.each !== undefined) return [];
    const message = `"${name}" counts the calls of every ${which} together, because ${which} "*" only requires that there is one. To count for each ${which}, add each: ${which}`;
    return [{ path: [...path, index, 'when', count], message, isKey: true }];
  });
}
