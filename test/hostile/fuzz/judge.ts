import * as z from 'zod';

import { CODE } from '../../../src/core/errors.js';
import { whyOtherwise } from '../../support/conformity.js';
import { expectNothingLeaks } from '../expectations.js';
import { type Operation, operationAt, type Schema, SCHEMAS } from './description.js';
import { documented } from './sdk-spelling.js';

/** Whether an answer is one that the description has. */

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What the answer was given to. */
export interface Asked {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
}

/** The codes of a provider that is broken, and of one that is too slow. */
const PROVIDER_FAILED: ReadonlySet<number> = new Set([CODE.ProviderServiceError, CODE.GatewayTimeout]);
/** An answer without an operation: a preflight, or a refusal that comes before any. */
const OUTSIDE = new Set([200, 204, 400, 401, 403, 404, 405, 429, 503]);

/** A schema whose objects have no members beside those that it names, unless it says which. */
function closed(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((one) => closed(one, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const rewritten = Object.entries(value).map(([name, one]): [string, unknown] => {
    if (name === '$ref') return [name, String(one).replace('#/components/schemas/', '#/$defs/')];
    return [name, name === 'enum' || name === 'required' ? one : closed(one, name === 'allOf')];
  });
  const isOpen = isPart || !('properties' in value) || 'additionalProperties' in value;
  const isNamed = 'type' in value || '$ref' in value;
  return Object.fromEntries(isOpen || !isNamed ? rewritten : [...rewritten, ['additionalProperties', false]]);
}

const DEFINITIONS = closed(SCHEMAS) as Record<string, object>;

/** The definitions that a schema refers to, and those that these do. */
function definitionsOf(schema: object, found = new Map<string, object>()): Map<string, object> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    const definition = DEFINITIONS[name];
    if (definition === undefined || found.has(name)) continue;
    found.set(name, definition);
    definitionsOf(definition, found);
  }
  return found;
}

const MADE = new Map<Schema, z.ZodType>();

function validatorOf(schema: Schema): z.ZodType {
  const made = MADE.get(schema);
  if (made !== undefined) return made;
  const own = closed(schema) as object;
  const validator = z.fromJSONSchema({ ...own, $defs: Object.fromEntries(definitionsOf(own)) } as never);
  MADE.set(schema, validator);
  return validator;
}

/** Throws what is wrong with an answer; gives back its body as the documented dialect has it. */
export function judge(asked: Asked, answer: Answer): unknown {
  const { status, headers, text } = answer;
  if (status >= 400) expectNothingLeaks(text);
  if (headers.has('x-sandbox-fault')) return null;
  // Its own limits are all that the sandbox answers so.
  if (status >= 500 && status !== 503) throw new Error('Nothing asked for a status like this');
  const operation = operationAt(asked.method === 'HEAD' ? 'GET' : asked.method, asked.path);
  const body = bodyOf(asked, answer);
  if (operation === undefined || status === 405) {
    if (!OUTSIDE.has(status)) throw new Error('No operation has this path, so that it is no answer');
    if (status >= 400) requireValid({ $ref: '#/components/schemas/Error' }, body);
    if (status === 405 && !headers.has('allow')) throw new Error('405 comes without Allow');
    return body;
  }
  if (asked.method !== 'HEAD') judgeDescribed(operation, asked, answer, body);
  return body;
}

function judgeDescribed(operation: Operation, asked: Asked, answer: Answer, body: unknown): void {
  const { status, headers } = answer;
  const content = operation.responses.get(String(status));
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const described = content?.[type];
  if (described === undefined) throw new Error(`${operation.id} has no answer of ${type} with this status`);
  if (type === 'application/json') requireValid(described.schema, body);
  const why = whyOtherwise({ method: operation.method, path: asked.path, status, body });
  if (why !== null) throw new Error(why);
  const { Code: code = 0 } = (body ?? {}) as { readonly Code?: number };
  if (PROVIDER_FAILED.has(code) && !headers.has('x-sandbox-trigger'))
    throw new Error('No trigger asked for a provider that fails');
}

function bodyOf({ path }: Asked, { status, headers, text }: Answer): unknown {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('application/json') || text === '') return null;
  if (type !== 'application/json; charset=utf-8') throw new Error(`The type is ${type}`);
  const body: unknown = JSON.parse(text);
  const one: unknown = Array.isArray(body) ? body[0] : body;
  const [name = 'A'] = Object.keys(one ?? {});
  // The calls of a page for 3-D Secure are written alike in both dialects.
  const isAlike = path.startsWith('/3ds/') && status < 400;
  return /^[a-z]/.test(name) && name !== 'openapi' && name !== 'log' && !isAlike ? documented(body) : body;
}

function requireValid(schema: Schema, body: unknown): void {
  const parsed = validatorOf(schema).safeParse(body);
  if (!parsed.success) throw new Error(`Not as described: ${parsed.error.message}`);
}
