import { formatSpan } from './format.js';
import { formatDay, formatTime, isToday } from './when.js';

/** An instant, or several of the same second. */
export interface WaterfallColumn {
  readonly at: string;
  readonly place: 'past' | 'now' | 'later';
  readonly label: string;
  /** The time since the column before. */
  readonly gap: string;
}

/** The most columns before now, and after it, unless all are shown. */
const PAST_MAX = 5;
const LATER_MAX = 3;
/** Events of the same second share a column. */
const COLUMN_MS = 1_000;

/** The first instant of each column; now begins or joins one. */
export function findColumnStarts(instants: readonly number[], now: number): number[] {
  const starts: number[] = [];
  for (const at of [...instants, now].toSorted((a, b) => a - b)) {
    if (at - (starts.at(-1) ?? -Infinity) >= COLUMN_MS) starts.push(at);
  }
  return starts;
}

/**
 * The columns that are shown at first: the first one, that of now, the latest of the others before it, and the next ones after it. Attempts of
 * webhooks are left out before calls and changes of the charge.
 */
export function pickColumns(starts: readonly number[], calls: readonly number[], now: number): number[] {
  const past = starts.filter((start) => start <= now);
  const weighty = new Set(calls.map((at) => starts.findLast((start) => start <= at)));
  const [last, ...others] = past.slice(1).toReversed();
  const ranked = [
    last,
    ...others.filter((start) => weighty.has(start)),
    ...others.filter((start) => !weighty.has(start)),
  ];
  const picked = new Set([past[0], ...ranked.slice(0, PAST_MAX)]);
  const later = starts.filter((start) => start > now).slice(0, LATER_MAX);
  return [...past.filter((start) => picked.has(start)), ...later];
}

export function buildColumn(
  start: number,
  before: number | undefined,
  after: number | undefined,
  now: number,
): WaterfallColumn {
  const at = new Date(start).toISOString();
  const isNow = start <= now && (after === undefined || after > now);
  const place = start > now ? 'later' : isNow ? 'now' : 'past';
  const day = isToday(at, now) ? '' : `${formatDay(at, now)} `;
  const time = day === '' ? formatTime(at) : formatTime(at).slice(0, 5);
  const gap = before === undefined ? (isNow ? '' : 'first') : `+ ${formatSpan(start - before)}`;
  return { at, place, label: `${day}${time}`, gap };
}
