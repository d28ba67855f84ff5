import type { DecisionResponse as Decision } from '../../../control/records/schema.js';
import { formatMoneyValue, LONG_ID } from './format.js';
import { type FullCall, readField, type RecordJson, readTextAt, type TimelineItem } from '../state/wire.js';
import { nounOf } from './why.js';

/** A charge with all that is known of its history, as the control API returns them. */
export interface ChargeHistory {
  readonly record: RecordJson;
  readonly timeline: readonly TimelineItem[];
  readonly decisions: readonly Decision[];
  /** The world's time. */
  readonly now: number;
}

export function formatRecordAmount(record: RecordJson, name: string): string {
  return formatMoneyValue(readField(record, name), readField(record, 'Currency'));
}

/** The authorised amount until a capture, and otherwise the amount. */
export function formatMainAmount(record: RecordJson): string {
  const isHeld =
    readField(record, 'SuccessDate') === null && readField(record, 'AuthorisationAmount') !== null;
  return formatRecordAmount(record, isHeld ? 'AuthorisationAmount' : 'Amount');
}

export const readStatus = (record: RecordJson): string => readTextAt(record, 'Status');

export type TimelineCall = TimelineItem & { readonly EntryId: number; readonly Status: number };

export function listChargeCalls(timeline: readonly TimelineItem[]): TimelineCall[] {
  return timeline.filter((item): item is TimelineCall => item.What === 'call' && item.EntryId !== null);
}

/** Calls without an answer, or whose answer is an error. */
export const hasFailed = ({ Status }: TimelineCall): boolean => Status === 0 || Status >= 400;

/** Something that failed, with the call to which that was the answer; null for a job, or a call that the journal no longer has. */
export interface ChargeFailure {
  readonly item: TimelineItem;
  readonly call: TimelineCall | null;
}

/** All failures, the oldest first. What a charge keeps of a failed call is the same failure. */
export function listFailures(timeline: readonly TimelineItem[]): ChargeFailure[] {
  const calls = listChargeCalls(timeline).filter(hasFailed);
  return timeline.flatMap((item): ChargeFailure[] => {
    const call = calls.find((one) => one === item);
    if (call !== undefined) return [{ item, call }];
    return item.What === 'failed' && !calls.some(({ At }) => At === item.At) ? [{ item, call: null }] : [];
  });
}

/** Whether a call was done although it failed: it made a change that no call of the same instant made as well. */
export function wasPerformed(call: TimelineCall, { timeline }: Pick<ChargeHistory, 'timeline'>): boolean {
  const others = listChargeCalls(timeline).some(
    (other) =>
      other.At === call.At && !hasFailed(other) && other.Text.split(':')[0] === call.Text.split(':')[0],
  );
  const made = ['added', 'changed', 'ended'];
  return !others && timeline.some(({ What, EntryId }) => EntryId === call.EntryId && made.includes(What));
}

/** The last failure, unless something succeeded after it. */
export function findLastFailure(timeline: readonly TimelineItem[]): ChargeFailure | null {
  const last = listFailures(timeline).at(-1);
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
export function findCallToExplain(timeline: readonly TimelineItem[]): number | null {
  return (findLastFailure(timeline)?.call ?? listChargeCalls(timeline).at(-1))?.EntryId ?? null;
}

/** Names the action of a call by its address, such as `capture` for `POST /charge/{id}`, or else by the decision about it. */
export function findVerb({ At, Text }: TimelineItem, decisions: readonly Decision[] = []): string {
  const [method = '', path = ''] = Text.replace(/: [^:]*$/, '').split(' ');
  const bare = toPathPattern(path);
  if (method === 'DELETE')
    return bare.startsWith('/refund') ? 'refund' : bare.endsWith('/void') ? 'void' : 'undo';
  if (method === 'POST' && /^\/charge\/\{id\}(?:\/capture)?$/.test(bare)) return 'capture';
  if (/^\/(?:charge|refund|void)\b/.test(bare))
    return bare.includes('{id}') ? (bare.split('/').at(-1) ?? '') : 'charge';
  const decided = decisions.find((decision) => decision.At === At);
  return decided === undefined ? 'call' : nounOf(decided.Operation);
}

/** An address with its identifiers replaced: /charge/{id}. */
export function toPathPattern(path: string): string {
  return path.replaceAll(LONG_ID, '{id}');
}

/** Whether a call was declined, as something decided it, or refused, because the caller made a mistake. */
export function callResult({ Status, At }: TimelineCall, decisions: readonly Decision[]): FullCall['Result'] {
  if (Status === 0) return 'unanswered';
  if (Status < 400) return 'done';
  return decisions.some((decision) => decision.At === At) || Status >= 500 ? 'declined' : 'refused';
}

/** A webhook of a charge with its attempts. */
export interface ChargeWebhook {
  readonly id: string;
  readonly entry: number | null;
  readonly at: string;
  readonly event: string;
  readonly to: string;
  readonly status: string;
  readonly attempts: readonly TimelineItem[];
  readonly due: TimelineItem | null;
}

export function listWebhooks(timeline: readonly TimelineItem[]): ChargeWebhook[] {
  return timeline.flatMap(({ What, DeliveryId, EntryId, At, Text }) => {
    if (What !== 'webhook' || DeliveryId === null) return [];
    const [, event = '', to = '', status = ''] = /^(\S+) to (\S+): (\w+)$/.exec(Text) ?? [];
    const own = timeline.filter((item) => item.DeliveryId === DeliveryId);
    const attempts = own.filter((item) => item.What === 'attempt');
    const due = own.find((item) => item.What === 'due') ?? null;
    return [{ id: DeliveryId, entry: EntryId, at: At, event, to, status, attempts, due }];
  });
}

/** Lists the due changes of the charge itself, such as its expiry, without webhooks. */
export function listDue(timeline: readonly TimelineItem[]): TimelineItem[] {
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
