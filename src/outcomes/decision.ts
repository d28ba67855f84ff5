/** The name of the scenario's rule that a trigger is; null for any other trigger. */
export function findRuleName(trigger: string | null | undefined): string | null {
  return trigger?.startsWith('rule:') ? trigger.slice('rule:'.length) : null;
}

/** The step of the documented precedence that a trigger belongs to. */
export function findPrecedenceStep(trigger: string): string {
  const kind = trigger.slice(0, trigger.indexOf(':'));
  if (kind === 'card' || kind === 'account' || kind === 'token') return 'magic';
  return kind === 'amount' ? 'provider' : kind;
}
