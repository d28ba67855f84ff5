/** 9999-12-31T23:59:59.999Z, the last instant that the wire's date format can write. */
export const INSTANT_MAX_MS = 253_402_300_799_999;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The longest duration: a hundred years of 365.25 days. */
export const DURATION_MAX_MS = 36_525 * DAY_MS;

/** ISO 8601 in UTC, with milliseconds and `Z`. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day, the time of day, up to nine digits of a fraction, and the zone. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Reads an RFC 3339 date-time into milliseconds since 1970. `undefined` for any other text, for days that the calendar does
 * not have, for a leap second, and for instants outside the years 1970 to 9999 in UTC. Cuts digits beyond the millisecond.
 */
export function parseInstant(text: string): number | undefined {
  const [, date, time, fraction = '', sign, hours, minutes] = INSTANT.exec(text) ?? [];
  if (date === undefined) return undefined;
  const local = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse reads 30 February as a day in March.
  if (Number.isNaN(local) || !formatInstant(local).startsWith(date)) return undefined;
  const ahead = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS;
  const ms = sign === '-' ? local + ahead : local - ahead;
  return ms >= 0 && ms <= INSTANT_MAX_MS ? ms : undefined;
}

export const DURATION_TEXT_MAX = 64;
const SHORT_DURATION = /^([\d.]+)(ms|s|m|h|d)$/;
const ISO_DURATION = /^P(?:([\d.]+)D)?(?:T(?=[\d.])(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;

/** Longest first. */
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
];
const UNIT_MS: ReadonlyMap<string, number> = new Map(UNITS);

/**
 * Reads `250ms`, `30s`, `15m`, `2h`, `7d`, `1.5h`, or ISO 8601 days and times such as `PT2H`, `P1DT30M`, into milliseconds.
 * `undefined` for any other text, and for a part that is not in whole milliseconds.
 */
export function parseDuration(text: string): number | undefined {
  const ms = parseAnyDuration(text);
  return ms === Infinity ? undefined : ms;
}

/** Like `parseDuration`, but Infinity for a duration above the longest, for messages that name a maximum. */
export function parseAnyDuration(text: string): number | undefined {
  const ms = countMilliseconds(text);
  if (Number.isNaN(ms)) return undefined;
  return ms <= DURATION_MAX_MS ? ms : Infinity;
}

/** NaN for a text that is no duration. */
function countMilliseconds(text: string): number {
  if (text.length > DURATION_TEXT_MAX) return NaN;
  const short = SHORT_DURATION.exec(text);
  return short === null
    ? parseIsoDuration(text)
    : parseDurationPart(short[1], UNIT_MS.get(short[2] ?? '') ?? NaN);
}

function parseIsoDuration(text: string): number {
  const parts = ISO_DURATION.exec(text)?.slice(1) ?? [];
  const given = parts.filter((part) => part !== undefined);
  // Only the last part may have a fraction (ISO 8601-1, 5.5.2.3).
  if (given.length === 0 || given.slice(0, -1).some((part) => part.includes('.'))) return NaN;
  const [days, hours, minutes, seconds] = parts;
  return (
    parseDurationPart(days, DAY_MS) +
    parseDurationPart(hours, HOUR_MS) +
    parseDurationPart(minutes, MINUTE_MS) +
    parseDurationPart(seconds, SECOND_MS)
  );
}

/** A fraction of a day with this many digits is still multiplied exactly. */
const DURATION_DECIMALS_MAX = 7;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** 0 for a missing part, NaN if it is malformed or not a whole number of milliseconds. */
function parseDurationPart(part: string | undefined, unitMs: number): number {
  if (part === undefined) return 0;
  const [, whole = '', decimals = ''] = DECIMAL.exec(part) ?? [];
  const fraction = decimals.replace(/0+$/, '');
  if (whole === '' || fraction.length > DURATION_DECIMALS_MAX) return NaN;
  const fractionPart = (Number(fraction) * unitMs) / 10 ** fraction.length;
  return Number.isInteger(fractionPart) ? Number(whole) * unitMs + fractionPart : NaN;
}

/** Milliseconds in the longest unit that divides them: `7d`, `90s`, `250ms`, `0s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const [name, unitMs] = UNITS.find(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${ms / unitMs}${name}`;
}

/** Milliseconds, cut to whole ones of the longest unit that they contain: `7 d`, `1 min`, `250 ms`. */
export function formatRoughly(ms: number): string {
  const [name, unitMs] = UNITS.find(([, length]) => ms >= length) ?? ['ms', 1];
  return `${Math.floor(ms / unitMs)} ${name === 'm' ? 'min' : name}`;
}

export const EXPIRY_PATTERN = /^(?:0[1-9]|1[0-2])\/\d\d$/;
export const EXPIRY_SHAPE = 'must be MM/YY, such as 10/30';

export function isExpiry(text: string): boolean {
  return EXPIRY_PATTERN.test(text);
}

/** A card is valid until the end of its month (UTC). */
export function isExpiryPassed(expiry: string, nowMs: number): boolean {
  // Months are counted from 0, so this is the first instant of the month after.
  return nowMs >= Date.UTC(2000 + Number(expiry.slice(3)), Number(expiry.slice(0, 2)));
}
