import type { WorldEvent } from '../state/wire.js';
import { formatSpan } from './format.js';

/** Instants of a world, which are in UTC. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 09:25:05 */
export function formatTime(instant: string): string {
  return instant.slice(11, 19);
}

/** 10 Mar 2026 11:42:58 UTC */
export function formatMoment(instant: string): string {
  return `${formatDay(instant, NaN)} ${formatTime(instant)} UTC`;
}

/** 8 Jan, with its year if that is not the year of now. */
export function formatDay(instant: string, now: number): string {
  const [year = '', month = '', day = ''] = instant.slice(0, 10).split('-');
  const shown = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === String(new Date(now).getUTCFullYear()) ? shown : `${shown} ${year}`;
}

/** At 09:25, or on 8 Jan at 09:25. */
export function formatTimePhrase(instant: string, now: number): string {
  const time = formatTime(instant).replace(/:00$/, '');
  return isToday(instant, now) ? `at ${time}` : `on ${formatDay(instant, now)} at ${time}`;
}

/** 09:25, or 09:25:05, with its day if that is not today. */
export function formatDayAndTime(instant: string, now: number): string {
  const time = formatTime(instant).replace(/:00$/, '');
  return isToday(instant, now) ? time : `${formatDay(instant, now)} ${time}`;
}

export function isToday(instant: string, now: number): boolean {
  return instant.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
}

/** In 6 d 21 h, or now; on one line. */
export function formatTimeUntil(instant: string, now: number): string {
  const left = Date.parse(instant) - now;
  return left <= 0 ? 'now' : `in ${formatSpan(left)}`.replaceAll(' ', '\u00a0');
}

/** The notice of a page whose server has started again. */
export function describeRestart({ Started, Counts }: Pick<WorldEvent, 'Started' | 'Counts'>): string {
  const isEmpty = Object.values(Counts).every((count) => count === 0);
  return `The server was restarted at ${formatTime(Started)} UTC: ${isEmpty ? 'this world is new and empty' : 'this world was loaded again'}.`;
}

/** The time of a world in milliseconds since 1970, some real milliseconds after it was seen. */
export function estimateNow(
  seen: Pick<WorldEvent, 'Now' | 'Mode' | 'Rate'> | null,
  passedMs: number,
): number {
  if (seen === null) return NaN;
  return Date.parse(seen.Now) + (seen.Mode === 'manual' ? 0 : passedMs * seen.Rate);
}
