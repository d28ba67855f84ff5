import { finestCurrency, whyForeignPattern, whyImpossibleAmount } from '../../records/field-values.js';
import { EACH } from '../script/each.js';
import type { Rule, RuledScenario } from '../script/rule.js';
import { quoteInput } from '../file/field.js';
import type { IssuePath, ScenarioIssue } from '../file/issues.js';

/** Finds places in valid rules and policies where the author may have meant something else, such as a regular expression. */
export function findHints({ rules, webhooks, providers }: RuledScenario): readonly ScenarioIssue[] {
  const policies = webhooks?.policies ?? [];
  const usual = finestCurrency(providers.map(({ currency }) => currency));
  return [
    ...hintSharedCounts(rules, ['rules']),
    ...hintSharedCounts(policies, ['webhooks', 'policies']),
    ...rules.flatMap((rule, i) => [
      ...hintForeignPatterns(rule, ['rules', i, 'when']),
      ...hintFineAmounts(rule, ['rules', i, 'when', 'amount'], usual),
      ...hintUnreachedTurns(rule, ['rules', i, 'times']),
    ]),
    ...policies.flatMap((policy, i) => [
      ...hintForeignPatterns(policy, ['webhooks', 'policies', i, 'when']),
      ...hintUnreachedTurns(policy, ['webhooks', 'policies', i, 'times']),
    ]),
  ];
}

/** A Reference or the value of a header may be any text. */
function hintForeignPatterns({ name, when }: Rule, path: IssuePath): ScenarioIssue[] {
  const fields: [readonly string[], readonly string[]][] = [
    [['reference'], when.reference ?? []],
    ...Object.entries(when.header ?? {}).map(([header, patterns]): [string[], readonly string[]] => [
      ['header', header],
      patterns,
    ]),
  ];
  return fields.flatMap(([field, patterns]) =>
    patterns.flatMap((pattern, index) => {
      const why = whyForeignPattern(pattern);
      const message = `"${name}": ${quoteInput(pattern)} ${why}`;
      return why === null ? [] : [{ path: [...path, ...field, index], message, isKey: false }];
    }),
  );
}

/** Only a call that names another currency than those of the providers can have such an amount. */
function hintFineAmounts({ name, when }: Rule, path: IssuePath, usual: string): ScenarioIssue[] {
  if (when.amount === undefined || when.currency !== undefined) return [];
  const amounts = Object.values(when.amount) as readonly (number | undefined)[];
  return amounts.flatMap((amount) => {
    if (amount === undefined || Number.isInteger(amount) || whyImpossibleAmount(amount, usual) === null)
      return [];
    const why = whyImpossibleAmount(amount, null);
    return why === null ? [] : [{ path, message: `"${name}": amount ${why}`, isKey: false }];
  });
}

/** The later of its numbers have a turn only if something else decides an earlier one. */
function hintUnreachedTurns({ name, times, when: { nth = [] } }: Rule, path: IssuePath): ScenarioIssue[] {
  if (times === null || nth.length <= times) return [];
  const message = `"${name}" names ${nth.length} calls in nth, but times ends it after ${times}`;
  return [{ path, message, isKey: true }];
}

/** `customer: '*', nth: 3` reads like the third call of each customer, but counts the calls of all. */
function hintSharedCounts(rules: readonly Rule[], path: readonly string[]): ScenarioIssue[] {
  return rules.flatMap(({ name, when }, index) => {
    const count = (['nth', 'every', 'after'] as const).find((condition) => when[condition] !== undefined);
    const which = EACH.find((condition) => when[condition]?.includes('*'));
    if (count === undefined || which === undefined || when.each !== undefined) return [];
    const message = `"${name}" counts the calls of every ${which} together, because ${which} "*" only requires that there is one. To count for each ${which}, add each: ${which}`;
    return [{ path: [...path, index, 'when', count], message, isKey: true }];
  });
}
