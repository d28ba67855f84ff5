import type { FullCall } from '../state/wire.js';
import { fieldPart, type SentenceParts, say, strong } from './sentence.js';

/** The words for what a caller got, and for what became of the answer, by the kind of fault. */
const SEEN: Readonly<Record<string, readonly [got: string, answer: string]>> = {
  hang: ['no answer at all', 'lost'],
  reset: ['a cut connection', 'lost'],
  empty: ['a closed connection', 'lost'],
  truncate: ['half an answer', 'cut short'],
  malformed: ['HTML in place of JSON', 'replaced'],
  dribble: ['an answer byte by byte', 'slow'],
};

export function describeFault({ Fault, Status }: FullCall): readonly [got: string, answer: string] {
  return SEEN[Fault ?? ''] ?? [`status ${Status}`, 'replaced'];
}

/** The name of a fault as scenarios have it. */
export function faultPerformed({ Fault, Status }: FullCall): string {
  return Fault === 'status' ? `status=${Status}` : (Fault ?? '');
}

/** Why a call with a fault ended as it did: "The request asked for a cut connection: the charge was made, its answer was lost." */
export function explainFault(call: FullCall, noun: string): SentenceParts {
  const { Precedence, Operation, Deliveries, Rule, Trigger, RequestHeaders } = call;
  const [got, answer] = describeFault(call);
  const who =
    RequestHeaders['x-sandbox-fault'] !== undefined
      ? say`The request`
      : Rule !== null
        ? say`The rule ${fieldPart('Rule', Rule)}`
        : say`${Trigger?.replace(/^queue:/, 'Queue ') ?? 'The sandbox'}`;
  const deed = /^(?:approve|routing|fallback)$/.test(Precedence ?? '') ? 'made' : 'decided';
  // A queue or a rule that has a fault decides nothing else, so the journal does not say whether the fault came before.
  const isDone = Deliveries.length > 0 || !/^(?:queue|rule|)$/.test(Precedence ?? '');
  if (isDone) return say`${who} asked for ${strong(got)}: the ${noun} was ${deed}, its answer was ${answer}.`;
  const isNothingDone = Precedence === null && Operation?.startsWith('charge.') === true;
  return say`${who} asked for ${strong(got)}${isNothingDone ? ': nothing was done' : ''}.`;
}
