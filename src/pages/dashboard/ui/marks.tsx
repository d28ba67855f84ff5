import type { BriefCall } from '../state/wire.js';

export type Tone = 'good' | 'bad' | 'warn' | 'lost' | 'info' | 'due' | 'idle';

export function Mark({ tone, text }: { tone: Tone; text: string }) {
  return <span class={`mark ${tone}`}>{text}</span>;
}

const TONES: Readonly<Record<string, Tone>> = {
  SUCCESS: 'good',
  FAILED: 'bad',
  PENDING: 'warn',
  Authorised: 'info',
  RECEIVED: 'info',
  CREATED: 'info',
  IN_PROGRESS: 'info',
  CHALLENGED: 'warn',
  PASSED: 'good',
  Active: 'good',
  Suspended: 'warn',
  delivered: 'good',
  failed: 'bad',
  waiting: 'info',
  retrying: 'warn',
  'given up': 'bad',
};

export function StatusMark({ status }: { status: string }) {
  return <Mark tone={TONES[status] ?? 'idle'} text={status} />;
}

const RESULT_TONES: Readonly<Record<BriefCall['Result'], Tone>> = {
  done: 'good',
  declined: 'bad',
  refused: 'warn',
  unanswered: 'lost',
};

/** The result of a call: declined, as something decided; refused, because of a mistake; or no answer. */
export function ResultMark({ call: { Result, Status } }: { call: Pick<BriefCall, 'Result' | 'Status'> }) {
  const word = Result === 'done' ? '' : ` ${Result}`;
  return <Mark tone={RESULT_TONES[Result]} text={Status === 0 ? 'no answer' : `${Status}${word}`} />;
}
