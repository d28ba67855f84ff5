import * as z from 'zod';

import { maskPans } from '../core/card.js';
import { nearest } from '../core/nearest.js';
import { parseDuration } from '../core/time.js';
import { ValidationError } from '../core/validation-error.js';

/** What a JSON Schema says of a member; `description` is shown by editors. */
export interface MemberNote {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly [more: string]: unknown;
}

/**
 * A schema of one value that is read by a function. zod itself takes anything here, so that every message is
 * ours; the note says to a JSON Schema what the function takes.
 */
export function member<T>(note: MemberNote, read: (value: unknown) => T | ValidationError) {
  return z
    .unknown()
    .meta(note)
    .transform((value, context): T => {
      const taken = read(value);
      if (!(taken instanceof ValidationError)) return taken;
      const params = { isOtherKind: taken.isOtherKind };
      context.issues.push({ code: 'custom', message: taken.message, input: value, params });
      return z.NEVER;
    });
}

const SHOWN_LENGTH_MAX = 60;

/** A text of the author's in quotes, cut, and without card numbers. */
export function shown(text: string): string {
  const masked = maskPans(text.slice(0, 4 * SHOWN_LENGTH_MAX));
  return `'${masked.length > SHOWN_LENGTH_MAX ? `${masked.slice(0, SHOWN_LENGTH_MAX)}…` : masked}'`;
}

/** What stood there, for messages. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'empty';
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'number') return maskPans(String(value));
  if (typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Why a value is refused, with what is accepted in its place. */
export function refused(value: unknown, accepted: string): ValidationError {
  if (value === undefined) return new ValidationError('is missing', { accepted });
  const received = describe(value);
  return new ValidationError(`is ${received}`, { received, accepted, isOtherKind: isStructure(value) });
}

/** Why a secret is refused, which the message does not repeat. */
export function refusedSecret(value: unknown, wrong: string, accepted: string): ValidationError {
  return new ValidationError(wrong, { accepted, isOtherKind: isStructure(value) });
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** " Did you mean 'x'?", or nothing where no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const [near] = nearest(word, candidates, 1);
  return near === undefined ? '' : `. Did you mean '${near}'?`;
}

/** A text of 1 to `max` characters. */
export function textUpTo(max: number, description: string) {
  return member(
    { type: 'string', description, minLength: 1, maxLength: max },
    (value): string | ValidationError => {
      const takes = `a text of 1 to ${max} characters`;
      if (typeof value !== 'string') return refused(value, `${takes}${quotesHint(value)}`);
      return value !== '' && value.length <= max ? value : refused(value, takes);
    },
  );
}

/** A number has lost its leading zeros, so it is not guessed which text was meant. */
export function quotesHint(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? '; put it in quotes' : '';
}

/** One of some words. */
export function oneOf<const W extends string | boolean>(words: readonly W[], description: string) {
  return member({ enum: words, description }, (value): W | ValidationError => {
    const found = words.find((one) => one === value);
    if (found !== undefined) return found;
    const hint = typeof value === 'string' ? didYouMean(value, words.map(String)) : '';
    return refused(value, `${words.join(', ')}${hint}`);
  });
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max: number, description: string) {
  return member(
    { type: 'integer', minimum: min, maximum: max, description },
    (value): number | ValidationError => {
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
      return refused(value, `a whole number from ${min} to ${max}`);
    },
  );
}

/** A number from `min` to `max`. */
export function number(min: number, max: number, description: string) {
  return member(
    { type: 'number', minimum: min, maximum: max, description },
    (value): number | ValidationError => {
      if (typeof value === 'number' && value >= min && value <= max) return value;
      return refused(value, `a number from ${min} to ${max}`);
    },
  );
}

/** A duration in milliseconds, from `minMs` to `maxMs`; `longest` is how messages write the latter. */
export function duration(minMs: number, maxMs: number, longest: string, description: string) {
  return member(
    { type: 'string', description, examples: ['250ms', '1h'] },
    (value): number | ValidationError => {
      const ms = typeof value === 'string' ? parseDuration(value) : undefined;
      const takes = 'a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H';
      if (ms === undefined) return refused(value, takes);
      if (ms < minMs) return new ValidationError(`is ${describe(value)}; a duration above zero is taken`);
      return ms <= maxMs ? ms : new ValidationError(`is ${describe(value)}; the longest is ${longest}`);
    },
  );
}

/** An object of these members and no others; its own message for unknown ones lists what is known. */
export function object<S extends z.core.$ZodLooseShape>(shape: S, description = '') {
  const known = Object.keys(shape).join(', ');
  const schema = z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? known : refused(issue.input, `an object of ${known}`).message,
  });
  return description === '' ? schema : schema.meta({ description });
}

/** One value or a list of them, as a list. */
export function oneOrMany<T>(one: z.ZodType<T>, max = LIST_MAX) {
  const many = list(one, max, 'at least one value');
  return z
    .union([one, many], { error: (issue) => refused(issue.input, 'one value or a list of them').message })
    .transform((value): readonly T[] => (Array.isArray(value) ? value : [value]));
}

/** An object that must be there; its own schema says nothing of that. */
export function required<T>(schema: z.ZodType<T>, takes: string) {
  return z.preprocess((value, context) => {
    if (value !== undefined && value !== null) return value;
    context.issues.push({ code: 'custom', message: refused(value, takes).message, input: value });
    return z.NEVER;
  }, schema);
}

/** How many entries a list in a scenario has at most, unless told otherwise. */
const LIST_MAX = 100;

/** A list of 1 to `max` entries; an empty one is refused, since it could never match. */
export function list<T>(one: z.ZodType<T>, max: number, least: string) {
  return z
    .array(one, { error: (issue) => refused(issue.input, 'a list').message })
    .min(1, { error: `is an empty list; it takes ${least}` })
    .max(max, { error: `is a list of more than ${max}, which is the most` });
}

/** Members by names that the author chooses. */
export function named<T>(value: z.ZodType<T>, checkName: (name: string) => string | null, takes: string) {
  return z
    .record(z.string(), value, { error: (issue) => refused(issue.input, takes).message })
    .superRefine((entries, context) => {
      for (const name of Object.keys(entries)) {
        const message = checkName(name);
        if (message !== null)
          context.addIssue({ code: 'custom', path: [name], message, params: { isKey: true } });
      }
    });
}
