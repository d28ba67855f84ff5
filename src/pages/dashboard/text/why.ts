import type { Exchange } from '../state/wire.js';

export function whyOf({ Precedence, Trigger, Rule, Fault, Status }: Exchange): string {
  const fault = Fault === null ? '' : ` The fault ${Fault} was applied.`;
  const decided = decidedBy(Precedence, Trigger, Rule);
  if (decided !== null) return decided + fault;
  if (fault !== '') return fault.trim();
  return Status >= 400 ? 'Refused by the rules of the service.' : 'Answered by the rules of the service.';
}

function decidedBy(level: string | null, trigger: string | null, rule: string | null): string | null {
  const named = trigger?.slice(trigger.indexOf(':') + 1) ?? '';
  switch (level) {
    case null:
      return null;
    case 'approve':
      return 'Nothing asked for another outcome, so it was approved.';
    case 'header':
      return `The request asked for it: x-sandbox-outcome: ${named}.`;
    case 'queue':
      return `A queued outcome decided it (queue ${named}).`;
    case 'rule':
      return `The rule “${rule ?? named}” of the scenario acted.`;
    case 'timeline':
      return `The timeline of the scenario decided it: ${named}.`;
    case 'magic':
      return `${trigger?.split(':')[0] === 'token' ? 'The magic token' : 'The test number'} ${named} causes this.`;
    case 'provider':
      return `This is how the provider behaves: ${trigger}.`;
    default:
      return `Decided by ${trigger ?? level}.`;
  }
}

export function whyInShort({ Trigger, Fault, Rule }: Exchange): string {
  if (Rule !== null) return `rule ${Rule}`;
  return Trigger ?? (Fault === null ? '' : `fault ${Fault}`);
}
