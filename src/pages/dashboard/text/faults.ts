import type { FullCall } from '../state/wire.js';
import { fieldPart, type SentenceParts, say, strong } from './sentence.js';

/** What a caller got in place of the answer, and what became of the answer, by the kind of fault. */
const SEEN: Readonly<Record<string, readonly [got: string, answer: string]>> = {
  hang: ['no answer at all', 'lost'],
  reset: ['a cut connection', 'lost'],
  empty: ['a closed connection', 'lost'],
  truncate: ['half an answer', 'cut short'],
  malformed: ['HTML in place of JSON', 'replaced'],
  dribble: ['an answer byte by byte', 'slow'],
};

export function describeFault({ Fault, Status }: FullCall): {
  readonly got: string;
  readonly answer: string;
} {
  const [got, answer] = SEEN[Fault ?? ''] ?? [`status ${Status}`, 'replaced'];
  return { got, answer };
}

/** The name of a fault as scenarios have it. */
export function faultPerformed({ Fault, Status }: FullCall): string {
  return Fault === 'status' ? `status=${Status}` : (Fault ?? '');
}

/** Whether the call was carried out before its fault; null if the journal does not say. */
export function wasDoneBeforeFault({ Precedence, Operation, Deliveries }: FullCall): boolean | null {
  if (Deliveries.length > 0) return true;
  if (Precedence === null) return Operation?.startsWith('charge.') === true ? false : null;
  // A queue or a rule that has a fault decides nothing else.
  return Precedence === 'queue' || Precedence === 'rule' ? null : true;
}

export function describeFaultCause({ Rule, Trigger, RequestHeaders }: FullCall): SentenceParts {
  if (RequestHeaders['x-sandbox-fault'] !== undefined) return say`The request`;
  if (Rule !== null) return say`The rule ${fieldPart('Rule', Rule)}`;
  return say`${Trigger?.startsWith('queue:') === true ? `Queue ${Trigger.slice('queue:'.length)}` : (Trigger ?? 'The sandbox')}`;
}

/** Why a call with a fault ended as it did: "The request asked for a cut connection: the charge was made, its answer was lost." */
export function explainFault(call: FullCall, noun: string): SentenceParts {
  const { got, answer } = describeFault(call);
  const isDone = wasDoneBeforeFault(call);
  const isApproved = ['approve', 'routing', 'fallback'].includes(call.Precedence ?? '');
  const deed = isApproved ? 'made' : 'decided';
  const end =
    isDone === null
      ? say`.`
      : isDone
        ? say`: the ${noun} was ${deed}, its answer was ${answer}.`
        : say`: nothing was done.`;
  return say`${describeFaultCause(call)} asked for ${strong(got)}${end}`;
}
