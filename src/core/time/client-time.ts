import { findZoneOffset } from './java-zones.js';
import { formatInstant, INSTANT_MAX_MS, parseInstant } from './time.js';

const EPOCH = /^\d{1,15}$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Without a zone: `2024-01-02 03:04:05`, `2024-01-02T03:04:05.678`, and `2024-01-02 03: 04:05` with a space after the hour. */
const ZONELESS = /^(\d{4}-\d\d-\d\d)[ T](\d\d): ?(\d\d:\d\d(?:\.\d{1,9})?)$/;
const JAVA_DATE =
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d\d) (\d\d:\d\d:\d\d) ([A-Za-z]{2,5}|GMT[+\- ]\d\d:\d\d) (\d{4})$/;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Rewrites a date-time of a client library as RFC 3339: milliseconds since 1970 as a number or text, a date alone (its first
 * instant), a date and time without a zone (in UTC), or as Java prints it. `undefined` for any other value.
 */
export function normaliseInstant(value: unknown): string | undefined {
  if (typeof value === 'number') return formatEpoch(value);
  if (typeof value !== 'string') return undefined;
  if (EPOCH.test(value)) return formatEpoch(Number(value));
  if (DATE.test(value)) return keepIfInstant(`${value}T00:00:00Z`);
  const [, day, hour, rest] = ZONELESS.exec(value) ?? [];
  return day === undefined ? parseJavaDate(value) : keepIfInstant(`${day}T${hour}:${rest}Z`);
}

function formatEpoch(ms: number): string | undefined {
  return Number.isInteger(ms) && ms >= 0 && ms <= INSTANT_MAX_MS ? formatInstant(ms) : undefined;
}

function parseJavaDate(text: string): string | undefined {
  const [, weekday, month = '', day, time, zone = '', year] = JAVA_DATE.exec(text) ?? [];
  const offset = findZoneOffset(zone);
  if (weekday === undefined || offset === undefined) return undefined;
  const date = `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}`;
  const isThatDay = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] === weekday;
  return isThatDay ? keepIfInstant(`${date}T${time}${offset}`) : undefined;
}

function keepIfInstant(text: string): string | undefined {
  return parseInstant(text) === undefined ? undefined : text;
}
