import { DAY, EXPONENTS } from './spec.js';

/** Money and calendar, reckoned another way than the sources do: by BigInt, and by Date. */

/** An amount in minor units, or the code with which it is refused: 74 for zero and below, else 2. */
export function readAmount(text: string, exponent: number): { minor: number } | { code: number } {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return { code: 2 };
  if (text.startsWith('-')) return { code: 74 };
  const [whole = '', fraction = ''] = text.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > exponent) return { code: 2 };
  const minor = BigInt(whole + decimals.padEnd(exponent, '0'));
  if (minor * 100n > 99_999_999_999n * 10n ** BigInt(exponent)) return { code: 2 };
  return minor === 0n ? { code: 74 } : { minor: Number(minor) };
}

/** What is wrong with the text of an amount whatever its currency; null: nothing. */
export function amountCode(text: string): number | null {
  const read = readAmount(text, 4);
  return 'code' in read ? read.code : null;
}

/** Minor units as the decimal text that a caller would write. */
export function written(minor: number, currency: string): string {
  const exponent = EXPONENTS[currency] ?? 2;
  return exponent === 0 ? String(minor) : (minor / 10 ** exponent).toFixed(exponent);
}

/** Minor units as the number that an answer holds. */
export function major(minor: number, currency: string): number {
  return Number(written(minor, currency));
}

export type Unit = 'Hour' | 'Day' | 'Week' | 'Month';

/** So many units after an instant; months keep the day, or take a shorter month's last one. */
export function plus(from: number, unit: Unit, count: number): number {
  const date = new Date(from);
  if (unit === 'Hour') return date.setUTCHours(date.getUTCHours() + count);
  if (unit !== 'Month') return date.setUTCDate(date.getUTCDate() + (unit === 'Week' ? 7 : 1) * count);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const next = new Date(date);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const length = Math.round((next.getTime() - date.getTime()) / DAY);
  return date.setUTCDate(Math.min(day, length));
}

/** The same time of day so many working days later. */
export function workingDaysAfter(from: number, days: number): number {
  const date = new Date(from);
  for (let left = days; left > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (date.getUTCDay() !== 0 && date.getUTCDay() !== 6) left--;
  }
  return date.getTime();
}

/** Whether a card's month MM/YY is over. */
export function isOver(expiry: string, now: number): boolean {
  const [month = 0, year = 0] = expiry.split('/').map(Number);
  return now >= Date.UTC(2000 + year, month, 1);
}
