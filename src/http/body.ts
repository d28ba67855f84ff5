import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';

import { ApiError, CODE, refuse } from '../core/errors.js';
import { SentText } from '../journal/sent.js';
import type { Env } from './exchange.js';
import { membersRefused } from './issues.js';
import { JsonFault } from './json-fault.js';
import { type JsonValue, readJson } from './json.js';
import {
  describeUnknownMember,
  isObject,
  type JsonObject,
  type Members,
  membersOf,
  UNKNOWN_MAX,
  type UnknownMember,
  walkMembers,
} from './members.js';
import { decodeUtf8 } from './utf8.js';

/** How many unknown members a warning names before it only counts. */
const WARNED_MAX = 5;

export interface Strictness {
  /** Refuse unknown names also where the sandbox only warns of them. */
  readonly strict?: boolean;
}

/**
 * Reads and checks the JSON body of a request: size, media type, strict JSON, then the schema. The
 * handler gets the result by `c.req.valid('json')`.
 */
export function body<S extends z.ZodType>(schema: S, strictness?: Strictness) {
  return validating(schema, readBody, strictness);
}

/** Like `body`, for calls that may come without one: an empty body counts as an empty object. */
export function optionalBody<S extends z.ZodType>(schema: S, strictness?: Strictness) {
  return validating(schema, readOptionalBody, strictness);
}

/** For calls that take no body: one that is sent all the same is read like any other, and each of its members is unknown. */
export function noBody(strictness?: Strictness) {
  return optionalBody(z.object({}), strictness);
}

function readBody(c: Context<Env>): Promise<JsonValue> {
  // Client libraries send no body where they have nothing to say.
  if (c.get('exchange').sdk !== null) return readOptionalBody(c);
  return readBytes(c, c.get('edge').settings.bodyLimit).then((bytes) => {
    requireJsonType(c, bytes.length);
    return parseBody(c, bytes);
  });
}

async function readOptionalBody(c: Context<Env>): Promise<JsonValue> {
  const bytes = await readBytes(c, c.get('edge').settings.bodyLimit);
  if (bytes.length === 0) return {};
  requireJsonType(c, bytes.length);
  return parseBody(c, bytes);
}

/** The validator of a schema over what `read` gives; the strict reader's result stands in for `json()`. */
export function validating<S extends z.ZodType>(
  schema: S,
  read: (c: Context<Env>) => Promise<JsonValue>,
  strictness?: Strictness,
) {
  const members = membersOf(schema) ?? {};
  const validate = zValidator(
    'json',
    schema,
    (result) => {
      if (!result.success) throw membersRefused(result.error.issues);
    },
    // Synchronous: the schemas wait for nothing, and a promise each would cost.
    { validationFunction: (_, value) => schema.safeParse(value) as never },
  );
  const handler: MiddlewareHandler<Env> = async (c, next) => {
    const sent = await read(c);
    const exchange = c.get('exchange');
    exchange.requestBody = sent;
    const { sdk } = exchange;
    const value = sdk
      ? sdk.read(schema, Object.entries(requireObject(sdk.body(sent))))
      : checkMembers(c, requireObject(sent), members, strictness);
    // Time went on while the body arrived: what became due meanwhile comes before this request.
    const waiting = exchange.world?.enter();
    if (waiting) await waiting;
    c.req.json = () => Promise.resolve(value as never);
    // The validator looks at the media type itself and would skip a body without one.
    if (sdk || !c.req.header('content-type')) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw membersRefused(parsed.error.issues);
      c.req.addValidatedData('json', parsed.data as object);
      return next();
    }
    return validate(c as Parameters<typeof validate>[0], next);
  };
  return handler as typeof validate;
}

function requireObject(value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  return refuse(CODE.ValidationError, 'The body must be a JSON object, such as {"Amount": 15.5, …}.');
}

/** Notes unknown members as a warning, or refuses them in strict mode. */
function checkMembers(
  c: Context<Env>,
  value: JsonObject,
  members: Members,
  strictness?: Strictness,
): Record<string, unknown> {
  const unknown: UnknownMember[] = [];
  const walked = walkMembers(value, members, unknown);
  if (unknown.length > 0) reportUnknown(c, unknown, 'member', strictness);
  return walked;
}

/** Says which names were not known: a 400 in strict mode, else a warning header. */
export function reportUnknown(
  c: Context<Env>,
  unknown: readonly UnknownMember[],
  what: 'member' | 'filter',
  strictness?: Strictness,
): void {
  if (strictness?.strict || c.get('edge').settings.strict) {
    const shown = unknown.slice(0, UNKNOWN_MAX);
    const details = Object.fromEntries(
      shown.map((one) => [
        one.path,
        one.meant === null ? `unknown ${what}` : `unknown ${what}, did you mean ${one.meant}?`,
      ]),
    );
    refuse(CODE.ValidationError, `Unknown ${what}s: ${shown.map(describeUnknownMember).join(', ')}.`, {
      details,
    });
  }
  const named = unknown.slice(0, WARNED_MAX).map(describeUnknownMember).join(', ');
  const more = unknown.length > WARNED_MAX ? ` and ${unknown.length - WARNED_MAX} more` : '';
  const { warnings } = c.get('exchange');
  const warning = `ignored unknown ${what}s: ${named}${more}`;
  // A query may be read twice.
  if (!warnings.includes(warning)) warnings.push(warning);
}

/** Refuses a body whose stated length is too large; a chunked one is counted while it is read. */
export function requireLength(c: Context<Env>, limit: number): number | null {
  const stated = c.req.header('content-length');
  if (stated === undefined) return null;
  if (Number(stated) > limit) throw tooLarge(limit);
  return Number(stated);
}

export function tooLarge(limit: number): ApiError {
  return new ApiError({
    code: CODE.ValidationError,
    detail: `The body is larger than the ${limit} bytes that are taken here.`,
    httpStatus: 413,
  });
}

/** The bytes of a body. A promise in hand instead of `await`: each turn of the queue costs here. */
function readBytes(c: Context<Env>, limit: number): Promise<Uint8Array> {
  if (requireLength(c, limit) !== null) return readStated(c.req.raw);
  const { body: stream } = c.req.raw;
  return stream === null ? Promise.resolve(new Uint8Array(0)) : readCounted(stream, limit);
}

/** A body of known length in one go; newer requests give their bytes without a copy. */
function readStated(request: Request & { bytes?: () => Promise<Uint8Array> }): Promise<Uint8Array> {
  return request.bytes ? request.bytes() : request.arrayBuffer().then((buffer) => new Uint8Array(buffer));
}

async function readCounted(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** Refuses a media type other than JSON in UTF-8 on a body that is not empty. */
export function requireJsonType(c: Context<Env>, length: number): void {
  if (length === 0) return;
  const type = c.req.header('content-type');
  if (type === 'application/json' || isJsonType(type)) return;
  const given = type === undefined ? 'no Content-Type' : `the Content-Type ${type.slice(0, 100)}`;
  refuse(CODE.ValidationError, `The body came with ${given}; send Content-Type: application/json.`, {
    httpStatus: 415,
  });
}

function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?(?:;\s*)?$/i.test(type);
}

function parseBody(c: Context<Env>, bytes: Uint8Array): JsonValue {
  try {
    const sent = new SentText(decodeUtf8(bytes));
    c.get('exchange').sent = sent;
    return readJson(sent.text, sent);
  } catch (error) {
    throw jsonRefused(c, error);
  }
}

/** The refusal of a body that came in a coding of its own: nothing is unpacked here. */
function codingRefused(coding: string): ApiError {
  return new ApiError({
    code: CODE.ValidationError,
    detail: `The body came with the Content-Encoding ${coding.slice(0, 100)}; send it without one.`,
    httpStatus: 415,
  });
}

/** A fault of the JSON reader as the refusal that is answered; other errors as they are. */
export function jsonRefused(c: Context<Env>, error: unknown): unknown {
  if (!(error instanceof JsonFault)) return error;
  const coding = c.req.header('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') return codingRefused(coding);
  const { line, column, message } = error;
  return new ApiError({
    code: CODE.ValidationError,
    detail: `The body is not acceptable JSON: line ${line}, column ${column}: ${message}`,
  });
}
