import { type BriefCall, type RecordJson, readTextAt } from '../state/wire.js';

/** Words in any order and letter case: all must occur. */
export function containsWords(text: string, typed: string): boolean {
  const whole = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** How many digits of an identifier are enough. */
const ID_DIGITS_MIN = 4;
const IDENTIFIER = /^[0-9a-f]{32}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Whether a record has what was typed: a name or a Reference in part, a whole amount or code, or the beginning of an identifier. */
export function matchesRecord(record: RecordJson, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  // The page shows amounts with their currency: AUD 20.00.
  const amount = /^(?:[a-z]{3} )?([\d,]+(?:\.\d+)?)$/.exec(wanted)?.[1]?.replaceAll(',', '');
  const fits = (value: unknown): boolean => {
    if (typeof value === 'object' && value !== null) return Object.values(value).some(fits);
    if (typeof value === 'number') return amount !== undefined && value === Number(amount);
    if (typeof value !== 'string' || INSTANT.test(value)) return false;
    if (IDENTIFIER.test(value))
      return wanted.length >= ID_DIGITS_MIN && value.startsWith(wanted.replace(/….*$/, ''));
    return value.toLowerCase().includes(wanted);
  };
  return wanted !== '' && fits(record);
}

/** The References of records and calls that contain what was typed, each once. */
export function findReferences(
  records: readonly RecordJson[],
  calls: readonly BriefCall[],
  typed: string,
): string[] {
  const all = [
    ...records.map((record) => readTextAt(record, 'Reference')),
    ...calls.map(({ Reference }) => Reference ?? ''),
  ];
  return [...new Set(all)].filter((text) => text !== '' && containsWords(text, typed));
}
