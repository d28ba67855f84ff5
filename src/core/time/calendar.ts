import { DAY_MS } from './time.js';

/** The weekday of 1 January 1970, a Thursday, counted from Sunday. */
const FIRST_WEEKDAY = 4;
const SATURDAY = 6;
const SUNDAY = 0;

/** The instant some working days later, at the same time of day (UTC). Holidays count as working days. */
export function addWorkingDays(instant: number, days: number): number {
  let at = instant;
  for (let left = days; left > 0;) {
    at += DAY_MS;
    if (isWorkingDay(at)) left--;
  }
  return at;
}

function isWorkingDay(instant: number): boolean {
  const weekday = (Math.floor(instant / DAY_MS) + FIRST_WEEKDAY) % 7;
  return weekday !== SATURDAY && weekday !== SUNDAY;
}
