import { EACH } from '../script/conditions.js';
import type { Rule } from '../script/rule.js';
import type { ScenarioIssue } from './issues.js';
import type { Scenario } from './schema.js';

/** What authors of valid rules and policies may have meant otherwise. */
export function hintsOf({ rules, webhooks }: Scenario): readonly ScenarioIssue[] {
  return [
    ...countedTogether(rules, ['rules']),
    ...countedTogether(webhooks?.policies ?? [], ['webhooks', 'policies']),
  ];
}

/** `customer: '*', nth: 3` reads like the third call of each customer, but counts the calls of all. */
function countedTogether(rules: readonly Rule[], path: readonly string[]): ScenarioIssue[] {
  return rules.flatMap(({ name, when }, index) => {
    const count = (['nth', 'every', 'after'] as const).find((one) => when[one] !== undefined);
    const any = EACH.find((one) => when[one]?.includes('*'));
    if (count === undefined || any === undefined || when.each !== undefined) return [];
    const message = `'${name}' counts the calls of every ${any} together, because ${any} '*' only requires that there is one. To count for each ${any}, add each: ${any}`;
    return [{ path: [...path, index, 'when', count], message, isKey: true }];
  });
}
