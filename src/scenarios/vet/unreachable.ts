import { OPERATIONS } from '../script/operations.js';
import { canActOn } from '../script/reach.js';
import type { Rule, RuledScenario } from '../script/rule.js';
import type { ScenarioIssue } from '../file/issues.js';

/** The rules and policies that never get a turn, because an earlier one always matches first. Only those for which this is certain. */
export function findUnreachable({ rules, webhooks }: RuledScenario): readonly ScenarioIssue[] {
  const actsOnAll = (earlier: Rule, rule: Rule): boolean =>
    OPERATIONS.every((operation) => !canActOn(rule, operation) || canActOn(earlier, operation));
  return [
    ...findHiddenRules(rules, ['rules'], actsOnAll),
    ...findHiddenRules(webhooks?.policies ?? [], ['webhooks', 'policies'], () => true),
  ];
}

interface EarlierRule {
  readonly rule: Rule;
  /** The conditions on the call itself except its operation, each as JSON. */
  readonly conditions: ReadonlyMap<string, string>;
}

function findHiddenRules(
  rules: readonly Rule[],
  path: readonly string[],
  actsOnAll: (earlier: Rule, rule: Rule) => boolean,
): ScenarioIssue[] {
  const unlimited: EarlierRule[] = [];
  return rules.flatMap((rule, index) => {
    const conditions = writtenConditions(rule);
    const earlier = unlimited.find(
      (other) => selectsAll(other.conditions, conditions) && actsOnAll(other.rule, rule),
    );
    if (earlier !== undefined) {
      const { name } = earlier.rule;
      const message = `"${rule.name}" can never match, because "${name}" comes first and matches everything that it selects. Change their order, or narrow the when of "${name}"`;
      return [{ path: [...path, index], message, isKey: false }];
    }
    if (isUnlimited(rule)) unlimited.push({ rule, conditions });
    return [];
  });
}

/** Whether a rule matches each time that its conditions on the call itself are met. */
function isUnlimited({ times, effect, when: { nth, every, after, state } }: Rule): boolean {
  return times === null && effect.quota === undefined && (nth ?? every ?? after ?? state) === undefined;
}

function writtenConditions({ when }: Rule): EarlierRule['conditions'] {
  const { operation: _, ...conditions } = when;
  return new Map(Object.entries(conditions).map(([name, condition]) => [name, JSON.stringify(condition)]));
}

/** Whether everything that meets the second conditions certainly meets the first: they are the same, or fewer. */
function selectsAll(earlier: EarlierRule['conditions'], later: EarlierRule['conditions']): boolean {
  return [...earlier].every(([name, condition]) => later.get(name) === condition);
}
