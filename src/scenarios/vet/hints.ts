import { finestCurrency, whyForeignPattern, whyNoAmount } from '../../records/field-values.js';
import { EACH } from '../script/each.js';
import type { Rule, Ruled } from '../script/rule.js';
import { shown } from '../file/field.js';
import type { IssuePath, ScenarioIssue } from '../file/issues.js';

/** What authors of valid rules and policies may have meant otherwise. */
export function hintsOf({ rules, webhooks, providers }: Ruled): readonly ScenarioIssue[] {
  const policies = webhooks?.policies ?? [];
  const usual = finestCurrency(providers.map(({ currency }) => currency));
  return [
    ...countedTogether(rules, ['rules']),
    ...countedTogether(policies, ['webhooks', 'policies']),
    ...rules.flatMap((rule, i) => [
      ...foreignPatterns(rule, ['rules', i, 'when']),
      ...fineAmounts(rule, ['rules', i, 'when', 'amount'], usual),
      ...idleTurns(rule, ['rules', i, 'times']),
    ]),
    ...policies.flatMap((policy, i) => [
      ...foreignPatterns(policy, ['webhooks', 'policies', i, 'when']),
      ...idleTurns(policy, ['webhooks', 'policies', i, 'times']),
    ]),
  ];
}

/** A Reference or the value of a header may be any text. */
function foreignPatterns({ name, when }: Rule, path: IssuePath): ScenarioIssue[] {
  const fields: [readonly string[], readonly string[]][] = [
    [['reference'], when.reference ?? []],
    ...Object.entries(when.header ?? {}).map(([header, patterns]): [string[], readonly string[]] => [
      ['header', header],
      patterns,
    ]),
  ];
  return fields.flatMap(([place, patterns]) =>
    patterns.flatMap((pattern, index) => {
      const why = whyForeignPattern(pattern);
      const message = `"${name}": ${shown(pattern)} ${why}`;
      return why === null ? [] : [{ path: [...path, ...place, index], message, isKey: false }];
    }),
  );
}

/** Only a call that names another currency than those of the providers can have such an amount. */
function fineAmounts({ name, when }: Rule, path: IssuePath, usual: string): ScenarioIssue[] {
  if (when.amount === undefined || when.currency !== undefined) return [];
  const amounts = Object.values(when.amount) as readonly (number | undefined)[];
  return amounts.flatMap((amount) => {
    if (amount === undefined || Number.isInteger(amount) || whyNoAmount(amount, usual) === null) return [];
    const why = whyNoAmount(amount, null);
    return why === null ? [] : [{ path, message: `"${name}": amount ${why}`, isKey: false }];
  });
}

/** The later of its numbers have a turn only if something else decides an earlier one. */
function idleTurns({ name, times, when: { nth = [] } }: Rule, path: IssuePath): ScenarioIssue[] {
  if (times === null || nth.length <= times) return [];
  const message = `"${name}" names ${nth.length} calls in nth, but times ends it after ${times}`;
  return [{ path, message, isKey: true }];
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
