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

/**
 * The names of time zones as Java's `Date.toString()` prints them, by how far they are ahead of UTC. The table is ours, so
 * that a date reads the same on every machine. Some names have several meanings; they are read as IST India (not Israel
 * or Ireland), CST and PST North America (not China, not the Philippines), EST and EDT North America, BST British
 * summer (not Bangladesh), AST Atlantic (not Arabia), GST the Gulf, AMT the Amazon (not Armenia), SST Samoa.
 */
const NAMES_BY_OFFSET: Readonly<Record<string, string>> = {
  '-11:00': 'SST',
  '-10:00': 'HST',
  '-09:00': 'AKST HDT',
  '-08:00': 'PST AKDT',
  '-07:00': 'MST PDT',
  '-06:00': 'CST MDT',
  '-05:00': 'EST CDT COT ECT PET',
  '-04:00': 'AST EDT AMT BOT CLT PYT VET',
  '-03:30': 'NST',
  '-03:00': 'ADT ART BRT CLST PYST UYT',
  '-02:30': 'NDT',
  '-01:00': 'AZOT CVT',
  '+00:00': 'UTC GMT UT WET AZOST',
  '+01:00': 'BST CET WAT WEST',
  '+02:00': 'CAT CEST EET SAST',
  '+03:00': 'EAT EEST IDT MSK TRT',
  '+03:30': 'IRST',
  '+04:00': 'AZT GET GST MUT SAMT',
  '+04:30': 'AFT',
  '+05:00': 'PKT UZT YEKT',
  '+05:30': 'IST',
  '+05:45': 'NPT',
  '+06:00': 'BDT BTT OMST',
  '+06:30': 'MMT',
  '+07:00': 'ICT KRAT NOVT WIB',
  '+08:00': 'AWST HKT IRKT MYT PHT SGT WITA',
  '+08:45': 'ACWST',
  '+09:00': 'JST KST WIT YAKT',
  '+09:30': 'ACST',
  '+10:00': 'AEST ChST PGT VLAT',
  '+10:30': 'ACDT LHST',
  '+11:00': 'AEDT LHDT MAGT NCT SBT',
  '+12:00': 'FJT NZST PETT',
  '+12:45': 'CHAST',
  '+13:00': 'NZDT TOT',
  '+13:45': 'CHADT',
};

const OFFSETS: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES_BY_OFFSET).flatMap(([offset, names]) =>
    names.split(' ').map((name) => [name, offset] as const),
  ),
);

/** A zone without a name. In a query, an unescaped `+` arrives as a blank. */
const UNNAMED = /^GMT([+\- ])(\d\d:\d\d)$/;

/** The offset of a time zone from UTC, such as `+05:30`; undefined for an unknown name. */
function findZoneOffset(name: string): string | undefined {
  const [, sign, hours] = UNNAMED.exec(name) ?? [];
  if (hours !== undefined) return `${sign === '-' ? '-' : '+'}${hours}`;
  return OFFSETS.get(name);
}
