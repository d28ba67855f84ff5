import type { FullCall } from '../state/wire.js';
import { faultPerformed, nounOf } from './why.js';

/** A rule of a scenario that has the effect of a call. */
export interface RepeatRule {
  readonly name: string;
  readonly when: Readonly<Record<string, string>>;
  readonly effect: Readonly<Record<string, string>>;
}

/** The rule for a call that an outcome answered; null if the call had no effect that a rule can have, such as a mistake of the caller. */
export function buildRepeatRule(call: FullCall, outcome: string): RepeatRule | null {
  const { Operation: operation, Reference: reference } = call;
  if (operation === null) return null;
  const fault = findFault(call);
  if (fault === null && (outcome === '' || outcome === 'approve')) return null;
  return {
    name: formatCallTitle(call),
    when: { operation, ...(reference === null ? {} : { reference }) },
    effect: fault === null ? { outcome } : { fault },
  };
}

/** The fault of a call. One that got no answer for another reason is repeated as `empty`. */
function findFault(call: FullCall): string | null {
  if (call.Fault !== null) return faultPerformed(call);
  return call.Status === 0 ? 'empty' : null;
}

/** A call in a few words, such as `charge of order-1`. */
export function formatCallTitle({ Operation, Reference }: FullCall): string {
  return `${nounOf(Operation ?? 'call')}${Reference === null ? '' : ` of ${Reference}`}`;
}

/** A scenario that has this rule alone. */
export function formatRuleScenario({ name, when, effect }: RepeatRule): string {
  return `name: ${formatYamlText(name)}
rules:
  - name: ${formatYamlText(name)}
    when: ${formatYamlFields(when)}
    then: ${formatYamlFields(effect)}
`;
}

function formatYamlFields(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([field, value]) => `${field}: ${formatYamlText(value)}`);
  return `{ ${pairs.join(', ')} }`;
}

/** A text in YAML, quoted unless it is a plain word. */
function formatYamlText(text: string): string {
  return /^[a-z][\w.=-]*(?: [a-z][\w.-]*)*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
