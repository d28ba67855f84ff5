import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';

import { ApiError, CODE, refuse } from '../../core/errors.js';
import type { JsonValue } from '../../core/json/json.js';
import { NumberText } from '../../core/text/text.js';
import { type Env, findWorldSettings } from '../exchange.js';
import { buildFieldsError } from './issues.js';
import {
  describeUnknownField,
  type FieldEntries,
  prepareFields,
  prepareSdkFields,
  type Shape,
  shapeOf,
  UNKNOWN_MAX,
  type UnknownField,
} from './shape.js';

const WARNED_MAX = 5;

/** Reads JSON with `read` and checks it by a schema. With `strict`, unknown fields are refused where a world only warns. */
export function buildBodyReader<S extends z.ZodType>(
  schema: S,
  read: (c: Context<Env>) => Promise<JsonValue>,
  strict: boolean,
): (c: Context<Env>) => Promise<z.output<S>> {
  const validate = zValidator('json', schema, undefined, {
    // Refuses by itself. Synchronous: the schemas wait for nothing, and a promise for each request costs time.
    validationFunction: (_, fields) => ({ success: true, data: checkFields(schema, fields) }) as never,
  }) as MiddlewareHandler;
  return async (c) => {
    const sent = await read(c);
    const exchange = c.get('exchange');
    exchange.requestBody = sent;
    const isSdk = exchange.dialect === 'sdk';
    // PHP writes an object without fields as an empty list.
    const isEmptyList = isSdk && Array.isArray(sent) && sent.length === 0;
    const entries = requireFields(isEmptyList ? {} : sent);
    const shape = shapeOf(schema);
    const { value, unknown } = isSdk
      ? { value: prepareSdkFields(entries, shape), unknown: [] }
      : prepareAndReport(c, entries, shape, 'field', strict);
    // Time passed while the body arrived, so run the jobs that became due before this request.
    const waiting = exchange.world?.enter();
    if (waiting) await waiting;
    try {
      const request = new PreparedRequest<z.output<S>>(value);
      await validate({ req: request } as never, done);
      return request.checked as z.output<S>;
    } catch (error) {
      throw addMisspellings(error, unknown, 'field');
    }
  };
}

const done = (): Promise<void> => Promise.resolve();

/** The request as the validator sees it: JSON, whatever was sent. It would skip YAML, and a body with no media type or with two. */
class PreparedRequest<T> {
  checked: T | undefined;

  constructor(readonly fields: unknown) {}

  header(): string {
    return 'application/json';
  }

  json(): unknown {
    return this.fields;
  }

  addValidatedData(_target: string, checked: T): void {
    this.checked = checked;
  }
}

/**
 * Reads query parameters, with names in any letter case and each at most once, and checks them against a schema. Without the
 * validator, which would read the query by itself.
 */
export function buildQueryReader<S extends z.ZodType>(
  schema: S,
  strict: boolean,
): (c: Context<Env>) => z.output<S> {
  return (c) => {
    const sent = readParameters(c);
    const shape = shapeOf(schema);
    if (c.get('exchange').dialect === 'sdk') return checkFields(schema, prepareSdkFields(sent, shape));
    const { value, unknown } = prepareAndReport(c, renameParameters(sent, shape), shape, 'filter', strict);
    try {
      return checkFields(schema, value);
    } catch (error) {
      throw addMisspellings(error, unknown, 'filter');
    }
  };
}

function checkFields<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw buildFieldsError(schema, parsed.error.issues, value);
  return parsed.data;
}

function requireFields(value: JsonValue): FieldEntries {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && !(value instanceof NumberText)) return Object.entries(value);
  return refuse(CODE.ValidationError, 'The body must be a JSON object, such as {"Amount": 15.5, …}.');
}

function readParameters(c: Context<Env>): Iterable<[string, string]> {
  const { url } = c.req;
  const mark = url.indexOf('?');
  if (mark < 0) return [];
  const query = url.slice(mark + 1);
  if (query.includes('%')) requireQueryText(query);
  return new URLSearchParams(query);
}

/** Bytes outside ASCII, percent-encoded. Each run of them must be UTF-8 by itself. */
const ENCODED_BYTES = /(?:%[89a-f][\da-f])+/gi;

/** Refuses a query that is not text. A percent sign that begins no encoded byte counts as text. */
function requireQueryText(query: string): void {
  if (query.includes('%00'))
    refuse(CODE.ValidationError, 'The query contains %00; a text must not contain the NUL character.');
  for (const [bytes] of query.matchAll(ENCODED_BYTES)) {
    if (isUtf8(bytes)) continue;
    const shown = bytes.length > 30 ? `${bytes.slice(0, 30)}…` : bytes;
    const detail = `The query contains ${shown}, which is not UTF-8; encode each byte of the UTF-8 text, such as %C3%A9 for é.`;
    refuse(CODE.ValidationError, detail);
  }
}

function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

/** Parameters by the names of the schema, in any letter case. A known one may be sent only once. */
function renameParameters(sent: Iterable<[string, string]>, { bySmallName }: Shape): Map<string, string> {
  const values = new Map<string, string>();
  for (const [given, value] of sent) {
    const name = bySmallName?.get(given.toLowerCase());
    if (name !== undefined && values.has(name)) {
      refuse(CODE.ValidationError, `${name} was sent twice; send it once.`, {
        details: { [name]: 'sent twice' },
      });
    }
    if (given !== '' || value !== '') values.set(name ?? given, value);
  }
  return values;
}

/** A refusal that also names misspelled fields, because the missing one may be among them. */
function addMisspellings(
  error: unknown,
  unknown: readonly UnknownField[],
  noun: 'field' | 'filter',
): unknown {
  const misspelled = unknown.filter(({ meant }) => meant !== null).slice(0, UNKNOWN_MAX);
  if (!(error instanceof ApiError) || misspelled.length === 0) return error;
  const { detail, details } = error.refusal;
  return new ApiError({
    ...error.refusal,
    detail: `${detail} ${describeRefusal(noun, misspelled)}`,
    details: { ...details, ...listUnknownReasons(noun, misspelled) },
  });
}

function listUnknownReasons(noun: string, unknown: readonly UnknownField[]): Record<string, string> {
  return Object.fromEntries(
    unknown.map(({ path, meant }) => [
      path,
      meant === null ? `unknown ${noun}` : `unknown ${noun}; did you mean ${meant}?`,
    ]),
  );
}

/** The known fields. Unknown ones are refused in strict mode, and otherwise cause a warning. */
function prepareAndReport(
  c: Context<Env>,
  sent: FieldEntries,
  shape: Shape,
  noun: 'field' | 'filter',
  strict: boolean,
): { value: Record<string, unknown>; unknown: UnknownField[] } {
  const unknown: UnknownField[] = [];
  const value = prepareFields(sent, shape, unknown);
  if (unknown.length > 0) reportUnknownFields(c, unknown, noun, strict);
  return { value, unknown };
}

function reportUnknownFields(
  c: Context<Env>,
  unknown: readonly UnknownField[],
  noun: 'field' | 'filter',
  strict: boolean,
): void {
  if (strict || findWorldSettings(c).strict) {
    const shown = unknown.slice(0, UNKNOWN_MAX);
    refuse(CODE.ValidationError, describeRefusal(noun, shown), { details: listUnknownReasons(noun, shown) });
  }
  const named = formatFieldNames(noun, unknown.slice(0, WARNED_MAX).map(describeUnknownField));
  const more = unknown.length > WARNED_MAX ? ` and ${unknown.length - WARNED_MAX} more` : '';
  const { warnings } = c.get('exchange');
  const warning = `ignored unknown ${named}${more}`;
  // A query may be read twice.
  if (!warnings.includes(warning)) warnings.push(warning);
}

/** Names after their noun, such as `field "a"` or `fields: "a", "b"`. */
function formatFieldNames(noun: string, names: readonly string[]): string {
  return names.length === 1 ? `${noun} ${names.join()}` : `${noun}s: ${names.join(', ')}`;
}

function describeRefusal(noun: string, unknown: readonly UnknownField[]): string {
  const [{ path, meant } = { path: '', meant: null }] = unknown;
  if (unknown.length === 1 && meant !== null) return `Unknown ${noun} "${path}"; did you mean ${meant}?`;
  return `Unknown ${formatFieldNames(noun, unknown.map(describeUnknownField))}.`;
}
