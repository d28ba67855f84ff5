import * as z from 'zod';

import { maskPans } from '../../core/cards/card.js';
import { didYouMean } from '../../core/text/nearest.js';
import { formatDuration, parseAnyDuration, parseDuration } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';

/** Builds the fields of scenario files as zod schemas. Each describes what it accepts, reads what an author wrote, and writes it back. */

const SHOWN_LENGTH_MAX = 60;

/** A string from the file for a message: quoted, shortened, and with card numbers masked. */
export function quoteInput(text: string): string {
  const masked = maskPans(text.slice(0, 4 * SHOWN_LENGTH_MAX));
  const cut = masked.length > SHOWN_LENGTH_MAX ? `${masked.slice(0, SHOWN_LENGTH_MAX)}…` : masked;
  return JSON.stringify(cut);
}

export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoteInput(value);
  if (typeof value === 'number') return maskPans(String(value));
  if (typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

export const REQUIRED = 'is required: ';

/** Why a value is refused: what is accepted, and what was received. */
export function describeWrongValue(value: unknown, accepted: string): string {
  if (value === undefined) return REQUIRED + accepted;
  return value === null
    ? `is empty; it must be ${accepted}`
    : `must be ${accepted}, not ${describeValue(value)}`;
}

export function joinWithOr(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

type Hint = (value: unknown) => string;

/** YAML reads unquoted digits as a number, which has lost its leading zeros, so the author must quote them. */
export const hintQuotes: Hint = (value) =>
  typeof value === 'number' || typeof value === 'boolean' ? '; put it in quotes' : '';

export function hintNearest(words: readonly string[]): Hint {
  return (value) => (typeof value === 'string' ? didYouMean(value, words) : '');
}

/** The message of a schema's checks, of which only the first that fails is reported. */
export interface CheckMessage {
  readonly abort: true;
  readonly error: (issue: { readonly input?: unknown }) => string;
}

export function mustBe(accepted: string, hint: Hint = () => ''): CheckMessage {
  return { abort: true, error: ({ input }) => describeWrongValue(input, accepted) + hint(input) };
}

/** Like `mustBe`, for a secret: the message does not repeat it. */
export function secretMustBe(accepted: string): CheckMessage {
  return { abort: true, error: () => `must be ${accepted}` };
}

interface IssueContext {
  readonly issues: unknown[];
}

export function refuseInput(
  context: IssueContext,
  message: string,
  input: unknown,
  ...path: (string | number)[]
): never {
  context.issues.push({ code: 'custom', message, input, path });
  return z.NEVER;
}

/** Refuses fields that are valid by themselves, but not together. */
export function refuseTogether(context: IssueContext, message: string, ...path: string[]): never {
  context.issues.push({ code: 'custom', message, input: undefined, path, params: { isTogether: true } });
  return z.NEVER;
}

/** Refuses items of a list whose `field` has the value of an earlier one. */
export function refuseDuplicates<F extends string>(
  items: readonly { readonly [K in F]: string }[],
  field: F,
  what: string,
  context: IssueContext,
): void {
  const places = new Map<string, number>();
  for (const [index, { [field]: value }] of items.entries()) {
    const earlier = places.get(value);
    const message = `is already used by ${what} ${(earlier ?? 0) + 1}; choose another one`;
    if (earlier !== undefined) refuseInput(context, message, value, index, field);
    places.set(value, index);
  }
}

interface FieldCodec<I, T> {
  /** Returns undefined to refuse with the schema's message, or a `ValidationError` with a more precise one. */
  readonly read: (value: I) => T | ValidationError | undefined;
  readonly write: (value: T) => I;
}

export function codecField<I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  words: CheckMessage,
  { read, write }: FieldCodec<z.output<I>, z.input<O>>,
) {
  return z.codec(input, output, {
    decode: (value, context) => {
      const result = read(value);
      if (result === undefined) return refuseInput(context, words.error({ input: value }), value);
      return result instanceof ValidationError ? refuseInput(context, result.message, value) : result;
    },
    encode: write,
  });
}

/** A string that encodes something else, such as a duration. */
export function encodedText<O extends z.ZodType>(
  output: O,
  accepted: string,
  reading: FieldCodec<string, z.input<O>>,
  hint?: Hint,
) {
  const words = mustBe(accepted, hint);
  return codecField(z.string(words), output, words, reading).describe(accepted);
}

export function textThat(accepted: string, test: (text: string) => boolean, hint: Hint = hintQuotes) {
  const words = mustBe(accepted, hint);
  return z.string(words).refine(test, words).describe(accepted);
}

export function textWithin(max: number) {
  const words = mustBe(`a string of 1 to ${max} characters`, hintQuotes);
  return z.string(words).min(1, words).max(max, words);
}

/** A number or its digits. YAML reads unquoted digits as a number, which changes them only if they begin with a zero. */
export const numberOrDigits = (words: CheckMessage) => z.union([z.string(words), z.number(words)], words);

export function cardDigits(
  words: CheckMessage,
  read: (digits: string) => string | ValidationError | undefined,
) {
  return codecField(numberOrDigits(words), z.string(), words, {
    read: (value) =>
      typeof value === 'string' || Number.isSafeInteger(value) ? read(String(value)) : undefined,
    write: (text) => text,
  });
}

export function choice<const W extends string | boolean>(words: readonly W[]) {
  const names = words.map(String);
  return z.literal(words, mustBe(joinWithOr(names), hintNearest(names)));
}

export function whole(min: number, max: number) {
  const words = mustBe(`a whole number from ${min} to ${max}`);
  return z.int(words).min(min, words).max(max, words);
}

export function number(min: number, max: number) {
  const words = mustBe(`a number from ${min} to ${max}`);
  return z.number(words).min(min, words).max(max, words);
}

/** A duration in milliseconds, from `minMs` to `maxMs`; `longest` is how messages write `maxMs`. */
export function duration(minMs: number, maxMs: number, longest: string) {
  const read = (text: string): number | ValidationError | undefined => {
    const ms = parseAnyDuration(text);
    if (ms === undefined) return undefined;
    if (ms < minMs) return new ValidationError(`must be longer than 0, not ${describeValue(text)}`);
    return ms <= maxMs ? ms : new ValidationError(`must be at most ${longest}, not ${describeValue(text)}`);
  };
  const accepted = 'a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H';
  return encodedText(z.number(), accepted, { read, write: formatDuration }).meta({
    examples: ['250ms', '1h'],
  });
}

export const OFFSET = {
  read: (text: string): number | undefined =>
    text.startsWith('+') ? parseDuration(text.slice(1)) : undefined,
  write: (ms: number): string => `+${formatDuration(ms)}`,
};

export function orNull<S extends z.ZodType>(schema: S) {
  return z.codec(schema.optional(), z.custom<z.output<S> | null>(), {
    decode: (value) => value ?? null,
    encode: (value) => value ?? undefined,
  });
}

/** The message for an unknown field is only the list of the known ones; `scenarioIssues` makes a sentence of it. */
export function object<S extends z.core.$ZodLooseShape>(shape: S, missing?: string, note?: string) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code, input }) => {
      if (code === 'unrecognized_keys') return note === undefined ? names : `${names}; ${note}`;
      return describeWrongValue(
        input,
        missing !== undefined && (input ?? null) === null ? missing : `an object with the fields ${names}`,
      );
    },
  });
}

const VALUES_MAX = 100;
const tooLong = (max: number): string => `must have at most ${max} items`;

/** One value or a list of values, decoded to a list. An empty list is refused, because it could never match. */
export function oneOrMany<S extends z.ZodType>(item: S) {
  const many = z
    .array(item, mustBe('a list'))
    .min(1, 'must not be an empty list')
    .max(VALUES_MAX, tooLong(VALUES_MAX));
  return z.codec(z.union([item, many], mustBe('one value or a list of values')), z.custom<z.output<S>[]>(), {
    decode: (value) => (Array.isArray(value) ? value : [value]) as z.output<S>[],
    encode: (values) => values,
  });
}

export function list<S extends z.ZodType>(item: S, accepted: string, max: number) {
  return z.array(item, mustBe(accepted)).max(max, { abort: true, error: tooLong(max) });
}

export function namedValues<S extends z.ZodType>(
  value: S,
  checkName: (name: string) => string | null,
  accepted: string,
) {
  return z.record(z.string(), value, mustBe(accepted)).superRefine((entries, context) => {
    for (const name of Object.keys(entries)) {
      const message = checkName(name);
      if (message === null) continue;
      context.addIssue({ code: 'custom', path: [name], message, input: name, params: { isKey: true } });
    }
  });
}
