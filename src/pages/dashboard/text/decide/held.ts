import type { HeldCall } from '../../state/wire.js';
import { formatMoneyValue } from '../format.js';

/** A call that waits, in words: POST /charge/card, order-12, AUD 20.00 waits 8 s. */
export function describeHeldCall(call: HeldCall, now: number): string {
  const { Method, Path, Reference, Amount, Currency, Answer, Since } = call;
  const what = [
    `${Answer ? 'Answer to ' : ''}${Method} ${Path}`,
    Reference,
    formatMoneyValue(Amount, Currency),
  ];
  const seconds = Math.max(0, Math.floor((now - Date.parse(Since)) / 1000));
  return `${what.filter(Boolean).join(', ')} waits ${seconds} s`;
}

/** The fate of a call that nobody decides. */
export function describeDeadline({ Answer, Until }: HeldCall, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(Until) - now) / 1000));
  return `${Answer ? 'sent' : 'decided as usual'} in ${seconds} s`;
}

export interface HandChoice {
  readonly label: string;
  /** The body of the call that decides it. */
  readonly body: object;
  /** The notice when it is done. */
  readonly done: string;
}

const LOST: HandChoice = {
  label: 'Lose the answer',
  body: { Fault: 'reset', Phase: 'after' },
  done: 'The call was performed, and its answer was lost.',
};
const HANG: HandChoice = { label: 'Hang', body: { Fault: 'hang' }, done: 'The call gets no answer.' };
const APPROVE: HandChoice = { label: 'Approve', body: { Outcome: 'approve' }, done: 'Approved.' };
const FIRST: HandChoice = {
  label: 'Webhook first',
  body: { Phase: 'after' },
  done: 'The call was performed and its webhooks are sent. Its answer waits.',
};
const USUAL: HandChoice = { label: 'As usual', body: {}, done: 'Decided as usual.' };
const SEND: HandChoice = { label: 'Send the answer', body: {}, done: 'The answer was sent.' };

/** The choices for a call that waits. `hasOutcomes`: whether a provider decides its operation. */
export function listHandChoices({ Answer }: HeldCall, hasOutcomes: boolean): readonly HandChoice[] {
  if (Answer) return [SEND, LOST, HANG];
  return [...(hasOutcomes ? [APPROVE] : []), LOST, HANG, FIRST, USUAL];
}
