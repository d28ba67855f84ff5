import { capitalise } from './format.js';
import { type ChargeHistory, listDue } from './charge.js';
import { formatDayAndTime, formatTimeUntil } from './when.js';

/** An action of a person on a record: a call of the service, a simulated event, or an advance of the clock. */
export type RecordAction =
  | {
      readonly does: 'call';
      readonly method: 'POST' | 'PUT' | 'DELETE';
      readonly path: string;
      readonly body: object | null;
    }
  | { readonly does: 'simulate'; readonly action: string; readonly ref: string }
  | { readonly does: 'run'; readonly to: string };

/** A state that a record has reached. */
export interface ReachedState {
  readonly name: string;
  readonly detail: string;
  /** Whether the answer of the call that led to it was lost. */
  readonly isUnheard: boolean;
}

/** A step that can follow. */
export interface PossibleStep {
  readonly name: string;
  readonly detail: string;
  /** The highest amount that it can be done with; null for a step without an amount. */
  readonly most: string | null;
  readonly act: (amount: string) => RecordAction;
}

/** Moves the clock to what is due next. */
export function waitSteps(
  { timeline, now }: Pick<ChargeHistory, 'timeline' | 'now'>,
  name: string,
): PossibleStep[] {
  return listDue(timeline)
    .slice(0, 1)
    .map(({ At }) =>
      plainStep(name, `${formatDayAndTime(At, now)}, ${formatTimeUntil(At, now)}`, { does: 'run', to: At }),
    );
}

export function callAction(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object | null = null,
): RecordAction {
  return { does: 'call', method, path, body };
}

export function plainStep(name: string, detail: string, act: RecordAction): PossibleStep {
  return { name, detail, most: null, act: () => act };
}

export function amountStep(
  name: string,
  detail: string,
  most: string,
  act: PossibleStep['act'],
): PossibleStep {
  return { name, detail, most, act };
}

const DONE: Readonly<Record<string, string>> = {
  abandon: 'closed without answering',
  approve: 'approved',
  decline: 'declined',
  fail: 'failed',
  timeOut: 'timed out',
};

/** The result of an action of a payer, a bank or time: `challenge.approve` is "Challenge approved." */
export function describeSimulated(action: string): string {
  const [record = '', verb = ''] = action.split('.');
  return `${capitalise(record)} ${DONE[verb] ?? `${verb.replace(/e$/, '')}ed`}.`;
}
