import { DAY_MS, HOUR_MS } from './time.js';

export type PeriodUnit = 'Hour' | 'Day' | 'Week' | 'Month' | 'Year';

/** An interval that repeats, such as 2 weeks or 3 months of the calendar. */
export interface Period {
  readonly unit: PeriodUnit;
  readonly size: number;
}

/** The number of the day since 1970 (UTC). */
export const dayNumber = (instant: number): number => Math.floor(instant / DAY_MS);

/** The shortest length of a unit. Hours, days and weeks have no other. */
const SHORTEST_MS: Readonly<Record<PeriodUnit, number>> = {
  Hour: HOUR_MS,
  Day: DAY_MS,
  Week: 7 * DAY_MS,
  Month: 28 * DAY_MS,
  Year: 365 * DAY_MS,
};

/**
 * The instant some periods after an anchor, by the calendar in UTC. Months and years keep the anchor's day and time of
 * day, or take the last day of a month that has no such day: 31 January, 28 February, 31 March.
 */
export function addPeriods(anchor: number, { unit, size }: Period, count: number): number {
  switch (unit) {
    case 'Month':
      return addMonths(anchor, size * count);
    case 'Year':
      return addMonths(anchor, 12 * size * count);
    default:
      return anchor + SHORTEST_MS[unit] * size * count;
  }
}

/** The smallest number of periods after the anchor that reaches an instant; 0 if the anchor itself does. */
export function countPeriods(anchor: number, period: Period, instant: number): number {
  let low = 0;
  let high = Math.max(0, Math.ceil((instant - anchor) / (SHORTEST_MS[period.unit] * period.size)));
  while (low < high) {
    const middle = (low + high) >> 1;
    if (addPeriods(anchor, period, middle) >= instant) high = middle;
    else low = middle + 1;
  }
  return low;
}

function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor);
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + months;
  // Day 0 of the next month is the last of this one.
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), last)) + (anchor % DAY_MS);
}

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
