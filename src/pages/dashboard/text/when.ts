import { duration } from './format.js';

/** Instants of a world, which are in UTC. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 09:25:05 */
export function timeOf(instant: string): string {
  return instant.slice(11, 19);
}

/** 8 Jan, with its year if that is not the year of now. */
export function dayOf(instant: string, now: number): string {
  const [year = '', month = '', day = ''] = instant.slice(0, 10).split('-');
  const shown = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === String(new Date(now).getUTCFullYear()) ? shown : `${shown} ${year}`;
}

/** At 09:25, or on 8 Jan at 09:25. */
export function atOf(instant: string, now: number): string {
  const time = timeOf(instant).replace(/:00$/, '');
  return isToday(instant, now) ? `at ${time}` : `on ${dayOf(instant, now)} at ${time}`;
}

/** 09:25, or 09:25:05, with its day if that is not today. */
export function whenOf(instant: string, now: number): string {
  const time = timeOf(instant).replace(/:00$/, '');
  return isToday(instant, now) ? time : `${dayOf(instant, now)} ${time}`;
}

export function isToday(instant: string, now: number): boolean {
  return instant.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
}

/** In 6 d 21 h, or now; on one line. */
export function untilOf(instant: string, now: number): string {
  const left = Date.parse(instant) - now;
  return left <= 0 ? 'now' : `in ${duration(left)}`.replaceAll(' ', '\u00a0');
}
