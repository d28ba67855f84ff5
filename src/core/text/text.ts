export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'bigint') return 'a bigint';
  if (Number.isNaN(value)) return 'NaN';
  if (typeof value === 'number' || value instanceof NumberText) return 'a number';
  return typeof value === 'boolean' ? 'a boolean' : 'an object';
}

/** The reason against a missing value or one of another type; `expected` is a noun such as `a string`. */
export function explainWrongType(expected: string, value: unknown): string {
  if (value === undefined) return `is required and must be ${expected}`;
  return `must be ${expected}, not ${describeType(value)}`;
}

export function explainTooLong(text: string, max: number): string {
  return `is ${text.length} characters long; the maximum is ${max}`;
}

export function explainTooManyKeys(keys: number, max: number): string {
  return `has ${keys} keys; the maximum is ${max}`;
}

/** `1 request`, `2 requests`. */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export const QUOTED_LENGTH_MAX = 40;

/** The beginning of a text, in quotes and on one line. */
export function quoteText(text: string, lengthMax = QUOTED_LENGTH_MAX): string {
  return escapeUnseen(JSON.stringify(text.slice(0, lengthMax)));
}

/** Characters that cannot be seen or look like a blank; some control a terminal, change the direction of text or begin a line. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/gu;

/** Escapes what cannot be seen, as JSON does, so that a message shows it and a terminal does not obey it. */
export function escapeUnseen(text: string): string {
  return text.replaceAll(UNSEEN, escapeCharacter);
}

export function escapeCharacter(character: string): string {
  const inJson = JSON.stringify(character).slice(1, -1);
  if (inJson !== character) return inJson;
  // JSON escapes a character above U+FFFF with two sequences.
  const codes = Array.from({ length: character.length }, (_, n) => character.charCodeAt(n));
  return codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('');
}

/** Ends a text with a full stop, unless it already ends a sentence. */
export function endSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Quotes a text as one word of a shell command. */
export function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const UUID = /^(?:[\da-f]{32}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i;

/** Whether a text is 32 hex digits or a hyphenated UUID, in any case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A JSON number whose digits a JavaScript number would not preserve, such as `20.0`, `1e2` or `-0`. */
export class NumberText {
  constructor(readonly text: string) {}
}
