import type { QueueResponse } from '../state/wire.js';
import { nounOf } from './why.js';

/** What the first answer of a queue does: "the next capture fails: unable_to_capture". */
export function describeQueued({ Operation, Outcomes }: QueueResponse): string {
  const [step] = Outcomes;
  const { Outcome, Fault, Delay } =
    typeof step === 'object' ? step : { Outcome: step, Fault: undefined, Delay: undefined };
  const subject = `the next ${nounOf(Operation)}`;
  const late = Delay === undefined ? '' : ', late';
  if (typeof Fault === 'string') return `${subject} gets a fault: ${Fault}${late}`;
  if (Outcome === undefined) return `${subject} is answered late`;
  return Outcome === 'approve' ? `${subject} is approved${late}` : `${subject} fails: ${Outcome}${late}`;
}
