export function formatDateTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)}`;
}

export function formatClockTime(instant: string): string {
  return instant.slice(11, 23);
}

/** An amount with the decimals that people expect, and never rounded. */
export function formatMoneyValue(value: unknown, currency: unknown): string {
  if (typeof value !== 'number' || typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) return '';
  const style = { style: 'currency', currencyDisplay: 'code', maximumFractionDigits: 4 } as const;
  return value.toLocaleString('en-GB', { ...style, currency });
}

const UNITS: readonly (readonly [ms: number, unit: string, word: string])[] = [
  [86_400_000, 'd', 'day'],
  [3_600_000, 'h', 'hour'],
  [60_000, 'min', 'minute'],
  [1_000, 's', 'second'],
  [1, 'ms', 'millisecond'],
];

/** A stretch of time in its two largest units: 6 d 23 h, or 6 days 23 hours. */
export function formatSpan(ms: number, isInWords = false): string {
  if (ms <= 0) return 'now';
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  let left = Math.floor(ms);
  const parts: string[] = [];
  for (const [size, unit, word] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(isInWords ? formatQuantity(count, word) : `${count} ${unit}`);
  }
  return parts.join(' ');
}

export const LONG_ID = /[0-9a-f]{32}/g;

export function abbreviateId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

const PLURALS = [
  [/(?<=[^aeiou])y$/, 'ies'],
  [/(?<=ch)$/, 'es'],
  [/$/, 's'],
] as const;

export function formatQuantity(count: number, noun: string, plural = pluralise(noun)): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? noun : plural}`;
}

function pluralise(noun: string): string {
  const [end, plural] = PLURALS.find(([ending]) => ending.test(noun)) ?? PLURALS[2];
  return noun.replace(end, plural);
}

export function capitalise(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/** As on cards: in fours, but those of American Express in 4, 6 and 5. */
export function groupDigits(number: string): string {
  if (/^3[47]\d{13}$/.test(number)) return number.replace(/^(.{4})(.{6})/, '$1 $2 ');
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}
