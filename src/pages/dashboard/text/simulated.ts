import { capitalise } from './format.js';

const DONE: Readonly<Record<string, string>> = {
  abandon: 'closed without answering',
  approve: 'approved',
  decline: 'declined',
  fail: 'failed',
  timeOut: 'timed out',
};

/** What an action of a payer, a bank or time did: `challenge.approve` is "Challenge approved." */
export function describeSimulated(action: string): string {
  const [record = '', verb = ''] = action.split('.');
  return `${capitalise(record)} ${DONE[verb] ?? `${verb.replace(/e$/, '')}ed`}.`;
}
