/** A JSON object or a record: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a text of JSON holds; undefined where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number of things, such as `1 request` or `2 requests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** How much of a text a message repeats. */
const QUOTED_LENGTH_MAX = 40;

/** The beginning of a text as it stands in a message: on one line, in quotes. */
export function quoted(text: string, lengthMax = QUOTED_LENGTH_MAX): string {
  return JSON.stringify(text.slice(0, lengthMax));
}

/** A text without any character that drives a terminal. */
export function plainLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

/** A text as one word of a shell. */
export function shellQuoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Texts as lines, each with its end. */
export function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
