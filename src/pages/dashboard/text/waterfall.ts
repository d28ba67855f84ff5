import type { DecisionResponse as Decision } from '../../../control/records/schema.js';
import {
  listChargeCalls,
  type ChargeHistory,
  type TimelineCall,
  listFailures,
  listWebhooks,
  toPathPattern,
  callResult,
  findVerb,
} from './charge.js';
import { LONG_ID, abbreviateId } from './format.js';
import type { TimelineItem } from '../state/wire.js';
import { formatDay, isToday, formatTime, formatTimeUntil } from './when.js';
import { buildColumn, findColumnStarts, pickColumns, type WaterfallColumn } from './waterfall-columns.js';

export type WaterfallTone = 'good' | 'bad' | 'warn' | 'lost' | 'info' | 'due';

export interface WaterfallMark {
  readonly tone: WaterfallTone;
  readonly text: string;
  /** How long it took; left out where there is no room. */
  readonly took: string;
  readonly title: string;
  /** When it was or is due, in words. */
  readonly at: string;
}

export interface WaterfallCell {
  readonly marks: readonly WaterfallMark[];
  /** Whether something waits from here to the next column, in the past or in the future. */
  readonly waits: 'since' | 'until' | null;
}

export interface FallRow {
  readonly key: string;
  readonly kind: 'call' | 'webhook' | 'state';
  readonly method: string;
  readonly text: string;
  /** The number of the call or the identifier of the webhook that can be looked at. */
  readonly pick: string | null;
  readonly cells: readonly WaterfallCell[];
}

/** The history and the future of a charge as a table: a row for each call and webhook, a column for each instant. */
export interface WaterfallTable {
  readonly columns: readonly WaterfallColumn[];
  readonly rows: readonly FallRow[];
  /** How many earlier instants are left out. */
  readonly folded: number;
}

export interface RowDraft extends Omit<FallRow, 'cells'> {
  readonly items: readonly (readonly [item: TimelineItem, mark: Omit<WaterfallMark, 'at'>])[];
}

export function buildWaterfall(charge: ChargeHistory, isWhole = false): WaterfallTable {
  return placeRows(draftRows(charge), charge.now, isWhole);
}

export function placeRows(drafts: readonly RowDraft[], now: number, isWhole: boolean): WaterfallTable {
  const listInstants = (rows: readonly RowDraft[]): number[] =>
    rows.flatMap(({ items }) => items.map(([{ At }]) => Date.parse(At)));
  const starts = findColumnStarts(listInstants(drafts), now);
  const calls = listInstants(drafts.filter(({ kind }) => kind !== 'webhook'));
  const shown = isWhole ? starts : pickColumns(starts, calls, now);
  const columns = shown.map((start, n) => buildColumn(start, shown[n - 1], shown[n + 1], now));
  const past = starts.filter((start) => start <= now);
  const rows = dropHidden(drafts.map((draft) => buildRow(draft, shown, columns, starts, now)));
  return { columns, rows, folded: past.length - columns.filter(({ place }) => place !== 'later').length };
}

/** Leaves out the rows that have no marks, but no call whose webhooks have some: they would stand under another call. */
function dropHidden(rows: readonly FallRow[]): FallRow[] {
  const isSeen = ({ cells }: FallRow): boolean => cells.some(({ marks }) => marks.length > 0);
  return rows.filter((row, n) => {
    if (isSeen(row) || row.kind !== 'call') return isSeen(row);
    const next = rows.findIndex(({ kind }, at) => at > n && kind !== 'webhook');
    return rows.slice(n + 1, next < 0 ? rows.length : next).some(isSeen);
  });
}

function buildRow(
  { items, ...row }: RowDraft,
  shown: readonly number[],
  columns: readonly WaterfallColumn[],
  starts: readonly number[],
  now: number,
): FallRow {
  const marks = shown.map((start) =>
    items.flatMap(([{ At }, mark]) => {
      const at = Date.parse(At);
      if (starts.findLast((instant) => instant <= at) !== start) return [];
      const words = `${isToday(At, now) ? '' : `${formatDay(At, now)} `}${formatTime(At)}`;
      return [{ ...mark, at: at > now ? `${words}, ${formatTimeUntil(At, now)}` : words }];
    }),
  );
  const first = marks.findIndex((cellMarks) => cellMarks.length > 0);
  const last = marks.findLastIndex((cellMarks) => cellMarks.length > 0);
  const cells = marks.map((cellMarks, n): WaterfallCell => {
    const isWaiting = first >= 0 && n >= first && n < last;
    return { marks: cellMarks, waits: isWaiting ? (columns[n]?.place === 'past' ? 'since' : 'until') : null };
  });
  return { ...row, cells };
}

/** Calls, each with its webhooks; then webhooks that no known call caused, and the charge itself. */
export function draftRows({ timeline, decisions }: ChargeHistory, name = 'The charge'): RowDraft[] {
  const hooks = draftWebhooks(timeline);
  const calls = listChargeCalls(timeline);
  const ofCall = (id: number | null): RowDraft[] =>
    hooks.flatMap(({ entry, ...draft }) => (entry === id ? [draft] : []));
  const known = new Set(calls.map(({ EntryId }) => EntryId));
  return [
    ...calls.flatMap((call) => [draftCall(call, decisions), ...ofCall(call.EntryId)]),
    ...hooks.flatMap(({ entry, ...draft }) => (entry !== null && known.has(entry) ? [] : [draft])),
    draftState(timeline, name),
  ];
}

const RESULT_TONES = { done: 'good', declined: 'bad', refused: 'warn', unanswered: 'lost' } as const;

export function draftCall(
  call: TimelineCall,
  decisions: readonly Decision[],
  result = callResult(call, decisions),
): RowDraft {
  const [method = '', path = ''] = call.Text.replace(/: [^:]*$/, '').split(' ');
  const bare = toPathPattern(path);
  // The verb comes first, because the end of a long text is cut off.
  const text = bare === '/charge/{id}' ? `${findVerb(call, decisions)}, ${bare}` : bare;
  const pick = String(call.EntryId);
  const items = [[call, buildMark(call, RESULT_TONES[result])] as const];
  return { key: `call-${pick}`, kind: 'call', method, text, pick, items };
}

function draftWebhooks(timeline: readonly TimelineItem[]): (RowDraft & { readonly entry: number | null })[] {
  return listWebhooks(timeline).map(({ id, entry, to, status, attempts, due, at }) => {
    const tried = attempts.map(
      (item) => [item, buildMark(item, wasAccepted(item) ? 'good' : 'bad')] as const,
    );
    const next = due === null ? [] : [[due, { ...plainMark(due, 'due'), text: formatTry(due) }] as const];
    const noted = timeline.find(({ What, DeliveryId }) => What === 'webhook' && DeliveryId === id);
    const none =
      tried.length + next.length > 0 || noted === undefined
        ? []
        : [
            [
              { ...noted, At: at },
              { ...plainMark(noted, 'lost'), text: status },
            ] as const,
          ];
    const items = [...tried, ...next, ...none];
    return { key: id, kind: 'webhook', method: '', text: `webhook to ${to}`, pick: id, items, entry };
  });
}

const wasAccepted = ({ Status }: TimelineItem): boolean => Status !== null && Status >= 200 && Status < 300;

/** "Attempt 3 of 10" is try 3 of 10. */
const formatTry = ({ Text }: TimelineItem): string => Text.replace('Attempt', 'try');

/** The row of the charge itself: its past changes, and the jobs that are due. A failed call has its own row instead. */
function draftState(timeline: readonly TimelineItem[], text: string): RowDraft {
  const failed = new Set(listFailures(timeline).map(({ item }) => item));
  const items = timeline.flatMap((item) => {
    const tone = STATE_TONES[item.What];
    const isShown = tone !== undefined && item.DeliveryId === null && (tone !== 'bad' || failed.has(item));
    return isShown ? [[item, plainMark(item, tone)] as const] : [];
  });
  return { key: text, kind: 'state', method: '', text, pick: null, items };
}

const STATE_TONES: Partial<Record<TimelineItem['What'], WaterfallTone>> = {
  added: 'info',
  changed: 'info',
  ended: 'info',
  failed: 'bad',
  due: 'due',
};

function buildMark(item: TimelineItem, tone: WaterfallTone): Omit<WaterfallMark, 'at'> {
  const text = item.Status === 0 ? 'no answer' : String(item.Status);
  const took = item.DurationMs === null ? '' : `${Math.round(item.DurationMs).toLocaleString('en-GB')} ms`;
  return { tone, text, took, title: shortenTitle(item) };
}

function plainMark(item: TimelineItem, tone: WaterfallTone): Omit<WaterfallMark, 'at'> {
  return {
    tone,
    text: tone === 'bad' ? 'failed' : shortenEvent(item.Text),
    took: '',
    title: shortenTitle(item),
  };
}

const shortenTitle = ({ Text }: TimelineItem): string => Text.replace(LONG_ID, abbreviateId);

/** The word that says what happened: "Captured AUD 20.00" is captured, "Authorisation expires" is expires. */
function shortenEvent(text: string): string {
  if (text.startsWith('Tried to charge')) return 'declined';
  const rest = text.replace(/^(?:Authorisation|Authentication|Challenge|The [\w-]+) /, '');
  return rest === text ? (text.split(' ')[0] ?? '').toLowerCase() : rest;
}
