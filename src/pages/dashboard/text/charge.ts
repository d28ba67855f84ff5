import type { DecisionResponse as Decision } from '../../../control/records/schema.js';
import { amount, LONG_ID } from './format.js';
import { type Exchange, fieldOf, type Fields, textOf, type TimelineItem } from '../state/wire.js';
import { nounOf } from './why.js';

/** A charge with all that is known of its history, as the control API returns them. */
export interface ChargeHistory {
  readonly record: Fields;
  readonly timeline: readonly TimelineItem[];
  readonly decisions: readonly Decision[];
  /** The world's time. */
  readonly now: number;
}

export function moneyOf(record: Fields, name: string): string {
  return amount(fieldOf(record, name), fieldOf(record, 'Currency'));
}

/** The authorised amount until a capture, and otherwise the amount. */
export function figureOf(record: Fields): string {
  const isHeld = fieldOf(record, 'SuccessDate') === null && fieldOf(record, 'AuthorisationAmount') !== null;
  return moneyOf(record, isHeld ? 'AuthorisationAmount' : 'Amount');
}

export const statusOf = (record: Fields): string => textOf(record, 'Status');

export type Call = TimelineItem & { readonly EntryId: number; readonly Status: number };

export function callsOf(timeline: readonly TimelineItem[]): Call[] {
  return timeline.filter((item): item is Call => item.What === 'call' && item.EntryId !== null);
}

/** Calls without an answer, or whose answer is an error. */
export const hasFailed = ({ Status }: Call): boolean => Status === 0 || Status >= 400;

/** Something that failed, with the call to which that was the answer; null for a job, or a call that the journal no longer has. */
export interface Failure {
  readonly item: TimelineItem;
  readonly call: Call | null;
}

/** All failures, the oldest first. What a charge keeps of a failed call is the same failure. */
export function failuresOf(timeline: readonly TimelineItem[]): Failure[] {
  const calls = callsOf(timeline).filter(hasFailed);
  return timeline.flatMap((item): Failure[] => {
    const call = calls.find((one) => one === item);
    if (call !== undefined) return [{ item, call }];
    return item.What === 'failed' && !calls.some(({ At }) => At === item.At) ? [{ item, call: null }] : [];
  });
}

/** The last failure, unless something succeeded after it. */
export function lastFailure(timeline: readonly TimelineItem[]): Failure | null {
  const last = failuresOf(timeline).at(-1);
  if (last === undefined) return null;
  const later = timeline.slice(timeline.indexOf(last.item) + 1);
  const isOver = later.some(
    ({ What, Status, At }) =>
      (What === 'call' && Status !== null && Status > 0 && Status < 400) ||
      ((What === 'changed' || What === 'ended') && At > last.item.At),
  );
  return isOver ? null : last;
}

/** The call that explains the state of a charge best: the one that failed last, or else the last one. */
export function callToExplain(timeline: readonly TimelineItem[]): number | null {
  return (lastFailure(timeline)?.call ?? callsOf(timeline).at(-1))?.EntryId ?? null;
}

/** What a call asked for: "capture", by the decision about it or by its address. */
export function verbOf({ At, Text }: TimelineItem, decisions: readonly Decision[] = []): string {
  const [method = '', path = ''] = Text.replace(/: [^:]*$/, '').split(' ');
  const bare = pathOf(path);
  if (method === 'DELETE')
    return bare.startsWith('/refund') ? 'refund' : bare.endsWith('/void') ? 'void' : 'undo';
  if (method === 'POST' && /^\/charge\/\{id\}(?:\/capture)?$/.test(bare)) return 'capture';
  if (/^\/(?:charge|refund|void)\b/.test(bare))
    return bare.includes('{id}') ? (bare.split('/').at(-1) ?? '') : 'charge';
  const decided = decisions.find((one) => one.At === At);
  return decided === undefined ? 'call' : nounOf(decided.Operation);
}

/** An address with its identifiers replaced: /charge/{id}. */
export function pathOf(path: string): string {
  return path.replaceAll(LONG_ID, '{id}');
}

/** Whether a call was declined, as something decided it, or refused, because the caller made a mistake. */
export function resultOfCall({ Status, At }: Call, decisions: readonly Decision[]): Exchange['Result'] {
  if (Status === 0) return 'unanswered';
  if (Status < 400) return 'done';
  return decisions.some((one) => one.At === At) || Status >= 500 ? 'declined' : 'refused';
}

/** A webhook of a charge with its attempts. */
export interface Hook {
  readonly id: string;
  readonly entry: number | null;
  readonly at: string;
  readonly to: string;
  readonly status: string;
  readonly attempts: readonly TimelineItem[];
  readonly due: TimelineItem | null;
}

export function hooksOf(timeline: readonly TimelineItem[]): Hook[] {
  return timeline.flatMap(({ What, DeliveryId, EntryId, At, Text }) => {
    if (What !== 'webhook' || DeliveryId === null) return [];
    const [, to = '', status = ''] = / to (\S+): (\w+)$/.exec(Text) ?? [];
    const own = timeline.filter((item) => item.DeliveryId === DeliveryId);
    const attempts = own.filter((item) => item.What === 'attempt');
    const due = own.find((item) => item.What === 'due') ?? null;
    return [{ id: DeliveryId, entry: EntryId, at: At, to, status, attempts, due }];
  });
}

/** What happens to the charge itself later, such as its expiry. */
export function dueOf(timeline: readonly TimelineItem[]): TimelineItem[] {
  return timeline.filter(({ What, DeliveryId }) => What === 'due' && DeliveryId === null);
}

/** Whether an authorisation was released by a call or by its expiry; null if the journal no longer has the calls. */
export function releasedBy(timeline: readonly TimelineItem[]): 'call' | 'expiry' | null {
  const released = timeline.find(({ What }) => What === 'ended');
  if (released === undefined) return null;
  if (released.EntryId !== null) return 'call';
  const isWhole = timeline.some(({ What, EntryId }) => What === 'added' && EntryId !== null);
  return isWhole ? 'expiry' : null;
}
