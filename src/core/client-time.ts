import { formatInstant, INSTANT_MAX_MS, parseInstant } from './time.js';

/** Milliseconds since 1970, as text. */
const EPOCH = /^\d{1,15}$/;
/** A date alone: its first instant. */
const DATE = /^\d{4}-\d\d-\d\d$/;
/** `2024-01-02 03:04:05`, and the same with a blank after the hour. */
const BLANK_PARTED = /^(\d{4}-\d\d-\d\d) (\d\d): ?(\d\d:\d\d)$/;
/** `Tue Nov 14 22:13:20 UTC 2023`. */
const JAVA_DATE =
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d\d) (\d\d:\d\d:\d\d) (?:UTC|GMT) (\d{4})$/;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Reads a date-time in one of the forms that client libraries send beside RFC 3339, all of them in UTC: milliseconds
 * since 1970 as a number or text, a date alone, parted by a blank, or as Java prints it. Gives it back as RFC 3339, or
 * `undefined` for any other value.
 */
export function clientInstant(value: unknown): string | undefined {
  if (typeof value === 'number') return epochText(value);
  if (typeof value !== 'string') return undefined;
  if (EPOCH.test(value)) return epochText(Number(value));
  if (DATE.test(value)) return checked(`${value}T00:00:00Z`);
  const [, day, hour, rest] = BLANK_PARTED.exec(value) ?? [];
  return day === undefined ? javaDate(value) : checked(`${day}T${hour}:${rest}Z`);
}

function epochText(ms: number): string | undefined {
  return Number.isInteger(ms) && ms >= 0 && ms <= INSTANT_MAX_MS ? formatInstant(ms) : undefined;
}

function javaDate(text: string): string | undefined {
  const [, weekday, month = '', day, time, year] = JAVA_DATE.exec(text) ?? [];
  if (weekday === undefined) return undefined;
  const date = checked(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`);
  return date !== undefined && WEEKDAYS[new Date(date).getUTCDay()] === weekday ? date : undefined;
}

function checked(text: string): string | undefined {
  return parseInstant(text) === undefined ? undefined : text;
}
