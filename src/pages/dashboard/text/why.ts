import type { Exchange } from '../state/wire.js';

export function whyOf({ Precedence, Trigger, Rule, Fault, Status }: Exchange): string {
  const fault = Fault === null ? '' : ` The fault ${Fault} was applied.`;
  const decided = decidedBy(Precedence, Trigger, Rule);
  if (decided !== null) return decided + fault;
  if (fault !== '') return fault.trim();
  return Status >= 400 ? 'Refused by the rules of the service.' : 'Answered by the rules of the service.';
}

function decidedBy(level: string | null, trigger: string | null, rule: string | null): string | null {
  if (level === null) return null;
  const named = trigger?.slice(trigger.indexOf(':') + 1) ?? '';
  const caused = trigger?.startsWith('token:') ? 'The magic token' : 'The test number';
  const texts: Readonly<Record<string, string>> = {
    approve: 'Nothing asked for another outcome, so it was approved.',
    header: `The request asked for it: x-sandbox-outcome: ${named}.`,
    queue: `A queued outcome decided it (queue ${named}).`,
    rule: `The rule “${rule ?? named}” of the scenario matched.`,
    timeline: `The timeline of the scenario decided it: ${named}.`,
    magic: `${caused} ${named} causes this.`,
    provider: `This is how the provider behaves: ${trigger}.`,
  };
  return texts[level] ?? `Decided by ${trigger ?? level}.`;
}

export function whyInShort({ Trigger, Fault, Rule }: Exchange): string {
  if (Rule !== null) return `rule ${Rule}`;
  return Trigger ?? (Fault === null ? '' : `fault ${Fault}`);
}
