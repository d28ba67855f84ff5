import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';

import { CODE, refuse } from '../core/errors.js';
import type { Env } from './exchange.js';
import { membersRefused } from './issues.js';
import type { JsonValue } from './json.js';
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
import { readBody, readOptionalBody } from './read-body.js';

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
