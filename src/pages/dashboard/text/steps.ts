import type { QueueResponse } from '../state/wire.js';

type QueuedStep = QueueResponse['Outcomes'][number];

/** A queued answer in words: do_not_honor, 2s later. */
export function formatStep(step: QueuedStep): string {
  if (typeof step === 'string') return step;
  const { Outcome, Fault, Delay } = step;
  const what = typeof Fault === 'string' ? `fault ${Fault}` : Outcome;
  const late = Delay === undefined ? null : typeof Delay === 'string' ? Delay : JSON.stringify(Delay);
  const parts = [what, late === null ? null : `${late} later`];
  return parts.filter((part) => typeof part === 'string').join(', ');
}
