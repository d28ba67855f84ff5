import type { QueueResponse } from '../state/wire.js';
import { nounOf } from './why.js';

/** What the first answer of a queue does: "the next capture fails: unable_to_capture". */
export function describeQueued({ Operation, Outcomes: [step] }: QueueResponse): string {
  const { Outcome, Fault } = typeof step === 'object' ? step : { Outcome: step, Fault: undefined };
  const name = typeof Fault === 'string' ? `fault ${Fault}` : Outcome;
  const does = name === undefined ? 'is late' : name === 'approve' ? 'is approved' : `fails: ${String(name)}`;
  return `the next ${nounOf(Operation)} ${does}`;
}
