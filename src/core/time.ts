/** The last millisecond an instant can have: 9999-12-31T23:59:59.999Z. The first is 0, the start of 1970. */
export const INSTANT_MAX_MS = 253_402_300_799_999;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The longest duration: a hundred years of 365.25 days. */
export const DURATION_MAX_MS = 36_525 * DAY_MS;

const BLANK = 0x20;
const PLUS = 0x2b;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const COLON = 0x3a;
const UPPER_T = 0x54;
const UPPER_Z = 0x5a;
const LOWER_T = 0x74;
const LOWER_Z = 0x7a;

/** An instant since 1970, at most {@link INSTANT_MAX_MS}, as ISO 8601 in UTC with milliseconds and `Z`. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** How lenient {@link parseInstant} is. */
export interface InstantOptions {
  /** Reads a blank before the zone as `+`: that is what an unescaped `+` becomes in a query string. */
  readonly plusAsBlank?: boolean;
}

/**
 * Reads an RFC 3339 date-time, checked against the calendar, into milliseconds since 1970. `undefined` for
 * any other text, for a leap second, and for instants outside the years 1970 to 9999 in UTC. Digits beyond
 * the millisecond are cut.
 */
export function parseInstant(text: string, options?: InstantOptions): number | undefined {
  const zoneAt = endOfFraction(text);
  const local = dateMs(text) + timeOfDayMs(text) + fractionMs(text, zoneAt);
  const ms = local - zoneMs(text, zoneAt, options?.plusAsBlank === true);
  // A malformed part is NaN, which makes the sum NaN, which is in no range.
  return ms >= 0 && ms <= INSTANT_MAX_MS ? ms : undefined;
}

/** The start of the day `YYYY-MM-DD`. 1969 is let in since its last hours may be 1970 in UTC. */
function dateMs(text: string): number {
  const year = digitPair(text, 0) * 100 + digitPair(text, 2);
  const month = digitPair(text, 5);
  const day = digitPair(text, 8);
  const shaped = text.charCodeAt(4) === HYPHEN && text.charCodeAt(7) === HYPHEN;
  const exists = year >= 1969 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return shaped && exists ? Date.UTC(year, month - 1, day) : NaN;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return leap ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The part `Thh:mm:ss` from the eleventh character on. */
function timeOfDayMs(text: string): number {
  const parting = text.charCodeAt(10);
  if (parting !== UPPER_T && parting !== LOWER_T) return NaN;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return NaN;
  const hour = digitPair(text, 11);
  const minute = digitPair(text, 14);
  const second = digitPair(text, 17);
  if (hour > 23 || minute > 59 || second > 59) return NaN;
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
}

const SECONDS_END = 19;
const FRACTION_DIGITS_MAX = 9;

/** Where the zone begins: after the seconds, or a point and one to nine digits more. Else NaN. */
function endOfFraction(text: string): number {
  if (text.charCodeAt(SECONDS_END) !== POINT) return SECONDS_END;
  const start = SECONDS_END + 1;
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at > start && at <= start + FRACTION_DIGITS_MAX ? at : NaN;
}

function fractionMs(text: string, zoneAt: number): number {
  let ms = 0;
  let unit = 100;
  for (let at = SECONDS_END + 1; at < zoneAt && unit >= 1; at++) {
    ms += (text.charCodeAt(at) - DIGIT_ZERO) * unit;
    unit /= 10;
  }
  return ms;
}

/** How far the zone at the end of a text is ahead of UTC: `Z`, or `+hh:mm`, or `-hh:mm`. */
function zoneMs(text: string, zoneAt: number, plusAsBlank: boolean): number {
  const code = text.charCodeAt(zoneAt);
  if (code === UPPER_Z || code === LOWER_Z) return text.length === zoneAt + 1 ? 0 : NaN;

  const ahead = code === PLUS || (plusAsBlank && code === BLANK);
  if (!ahead && code !== HYPHEN) return NaN;
  if (text.length !== zoneAt + 6 || text.charCodeAt(zoneAt + 3) !== COLON) return NaN;
  const hour = digitPair(text, zoneAt + 1);
  const minute = digitPair(text, zoneAt + 4);
  if (hour > 23 || minute > 59) return NaN;
  const distance = hour * HOUR_MS + minute * MINUTE_MS;
  return ahead ? distance : -distance;
}

/** Two ASCII digits as a number, or NaN. */
function digitPair(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - DIGIT_ZERO) * 10 + (ones - DIGIT_ZERO) : NaN;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}

const DURATION_TEXT_MAX = 64;
const SHORT_DURATION = /^([\d.]+)(ms|s|m|h|d)$/;
const ISO_DURATION = /^P(?:([\d.]+)D)?(?:T(?=[\d.])(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;

/** The units of a duration, longest first. */
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
];
const UNIT_MS: ReadonlyMap<string, number> = new Map(UNITS);

/**
 * Reads `250ms`, `30s`, `15m`, `2h`, `7d`, `1.5h`, or ISO 8601 days and times such as `PT2H`, `P1DT30M`,
 * into milliseconds. `undefined` for any other text, for months and years, which have no fixed length, for a
 * part that is not in whole milliseconds, and above {@link DURATION_MAX_MS}. Zero is a duration.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > DURATION_TEXT_MAX) return undefined;
  const short = SHORT_DURATION.exec(text);
  const ms = short === null ? isoDurationMs(text) : partMs(short[1], UNIT_MS.get(short[2] ?? '') ?? NaN);
  return ms <= DURATION_MAX_MS ? ms : undefined;
}

function isoDurationMs(text: string): number {
  const parts = ISO_DURATION.exec(text)?.slice(1) ?? [];
  const given = parts.filter((part) => part !== undefined);
  // Only the last part may have a fraction (ISO 8601-1, 5.5.2.3).
  if (given.length === 0 || given.slice(0, -1).some((part) => part.includes('.'))) return NaN;
  const [days, hours, minutes, seconds] = parts;
  return (
    partMs(days, DAY_MS) + partMs(hours, HOUR_MS) + partMs(minutes, MINUTE_MS) + partMs(seconds, SECOND_MS)
  );
}

/** So many digits of a fraction of a day still multiply exactly; whole milliseconds rarely need more. */
const DURATION_DECIMALS_MAX = 7;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** A number of units in milliseconds: 0 where none is given, NaN where it is malformed or not whole. */
function partMs(part: string | undefined, unitMs: number): number {
  if (part === undefined) return 0;
  const [, whole = '', decimals = ''] = DECIMAL.exec(part) ?? [];
  const fraction = decimals.replace(/0+$/, '');
  if (whole === '' || fraction.length > DURATION_DECIMALS_MAX) return NaN;
  const fractionPart = (Number(fraction) * unitMs) / 10 ** fraction.length;
  return Number.isInteger(fractionPart) ? Number(whole) * unitMs + fractionPart : NaN;
}

/** Whole milliseconds as a number of the longest unit that divides them: `7d`, `90s`, `250ms`, `0s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const [name, unitMs] = UNITS.find(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${ms / unitMs}${name}`;
}

/** The last month of a card's validity: `month` 1 to 12, `year` 2000 to 2099. */
export interface Expiry {
  readonly month: number;
  readonly year: number;
}

/** Why an expiry is refused; each has an error code of its own. */
export type ExpiryFault = 'malformed' | 'expired';

/** Whether a text is an expiry `MM/YY`: a month from 01 to 12, a slash, the last digits of a year 20YY. */
export function isExpiry(text: string): boolean {
  const month = digitPair(text, 0);
  return (
    text.length === 5 &&
    month >= 1 &&
    month <= 12 &&
    text.charCodeAt(2) === SLASH &&
    !Number.isNaN(digitPair(text, 3))
  );
}

/** The month and the full year of an expiry `MM/YY`, or `undefined` where the text is none. */
export function parseExpiry(text: string): Expiry | undefined {
  return isExpiry(text) ? { month: digitPair(text, 0), year: 2000 + digitPair(text, 3) } : undefined;
}

/** Whether a well-formed expiry is before the UTC month of `nowMs`: a card is good to its month's end. */
export function expiryPassed(expiry: string, nowMs: number): boolean {
  const month = (2000 + digitPair(expiry, 3)) * 12 + digitPair(expiry, 0) - 1;
  return month < monthsSinceYearZero(nowMs);
}

/** What is wrong with an expiry at `nowMs`, or `undefined` when it is well-formed and not passed. */
export function expiryFault(text: string, nowMs: number): ExpiryFault | undefined {
  if (!isExpiry(text)) return 'malformed';
  return expiryPassed(text, nowMs) ? 'expired' : undefined;
}

/**
 * The UTC month of an instant, counted from January of the year 0, by integers alone: years are taken to
 * begin in March, so that a leap day is the last of its year (Howard Hinnant's `civil_from_days`).
 */
function monthsSinceYearZero(ms: number): number {
  const day = Math.floor(ms / DAY_MS) + 719_468; // since 0000-03-01
  const era = Math.floor(day / 146_097); // of 400 years
  const dayOfEra = day - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  return (era * 400 + yearOfEra) * 12 + monthFromMarch + 2;
}
