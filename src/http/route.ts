import type { Context } from 'hono';
import * as z from 'zod';

import { ApiError } from '../core/errors.js';
import { isObject, isUuid } from '../core/text/text.js';

import type { Operation } from '../scenarios/script/operations.js';
import type { EventType } from '../records/webhook-subscription.js';
import type { Endpoint } from './edge.js';
import { type Env, noteCaused, requireWorld } from './exchange.js';
import type { World } from '../world/world.js';
import { isControlPath } from './request-key.js';
import { runWithScenario } from './operation.js';
import {
  type BodyReader,
  readBatchBody,
  readBody,
  readOptionalBody,
  readYamlBody,
} from './body/read-body.js';
import { sendJson } from './answers/respond.js';
import { buildBodyReader, buildQueryReader } from './fields/validation.js';

/** A row describes an operation. Routing, validation, OpenAPI, documentation and the fuzzer all use it. */

type MaybeSchema = z.ZodType | undefined;
type SchemaOutput<S extends MaybeSchema> = S extends z.ZodType ? z.output<S> : undefined;
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Readonly<Record<Name, string>> & PathParams<Rest>
  : unknown;

/** The checked parts of a request that a row declares. */
export interface CheckedInput<P extends string, B, Q extends MaybeSchema> {
  readonly params: PathParams<P>;
  readonly body: B;
  readonly query: SchemaOutput<Q>;
}

/** A refusal by its code, or by code and HTTP status if that is not the usual one of the code. */
export type RefusalCode = number | readonly [code: number, httpStatus: number];

/** The schema of an answer, or the media type of a page or script. */
export type AnswerSchema = z.ZodType | string;
/** The value that a handler returns: an answer by its schema, or its own response, such as a page or a stream. */
type HandlerResult<R extends AnswerSchema> = R extends z.ZodType
  ? (z.input<R> & object) | Response
  : Response;

/** The fields of every row. */
interface RowBase {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Unique: its name in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly text?: string;
  /** The HTTP status of success, if it is not the usual one: 201 for a POST of the service, otherwise 200. */
  readonly status?: 200;
  /** The body may be missing. */
  readonly bodyOptional?: true;
  /** The body may also be a YAML text, which is the field `Yaml` of its JSON. */
  readonly takesYaml?: true;
  /** The handler reads the body by itself. */
  readonly readsBody?: true;
  /** The size limit of a batch applies to the body. */
  readonly largeBody?: true;
  /** Runs even if the memory is full, because it frees memory or only reads. */
  readonly runsWhenFull?: true;
  /** Finds the record that the path names, or refuses. A word that cannot be an identifier is refused before the body is read. */
  readonly find?: (world: World, id: string) => unknown;
  /** The headers that only this operation reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The codes of its refusals, in addition to those of its fields and of every request. */
  readonly errors?: readonly RefusalCode[];
  /** The operations that it can be, if that depends on the call. */
  readonly operations?: readonly Operation[];
  /** The webhooks that it causes. */
  readonly webhooks?: readonly EventType[];
  /** A provider is asked, and may decline. */
  readonly asksProvider?: true;
  /** Who may call it: by default callers with a secret key; with `public` also pages with a public key; with `open` everybody. */
  readonly access?: 'open' | 'public';
}

export interface OperationRow<
  P extends string,
  B extends MaybeSchema,
  Q extends MaybeSchema,
  R extends AnswerSchema,
  A,
> extends RowBase {
  readonly path: P;
  readonly body?: B;
  readonly query?: Q;
  readonly response: R;
  /** The name in scenarios and in the journal, such as `charge.create`; a function if it depends on the call. Control calls have none. */
  readonly operation?: Operation | ((c: Context<Env>, input: CheckedInput<P, A, Q>) => Operation);
  /** Computes the command that the handler and the rules of a scenario get in place of the body. */
  readonly buildCommand?: (c: Context<Env>, input: CheckedInput<P, SchemaOutput<B>, Q>) => A;
  readonly handle: (
    c: Context<Env>,
    input: CheckedInput<P, A, Q>,
  ) => HandlerResult<NoInfer<R>> | Promise<HandlerResult<NoInfer<R>>>;
}

export interface AnyRow extends RowBase {
  readonly path: string;
  readonly body?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly response: AnswerSchema;
  readonly operation?: Operation | ((c: Context<Env>, input: never) => Operation);
  readonly buildCommand?: (c: Context<Env>, input: never) => unknown;
  readonly handle: (c: Context<Env>, input: never) => object | Promise<object>;
}

/** Returns its row. Only the compiler has work: it checks the handler against the schemas. */
export function route<
  const P extends string,
  R extends AnswerSchema,
  B extends MaybeSchema = undefined,
  Q extends MaybeSchema = undefined,
  A = SchemaOutput<B>,
>(row: OperationRow<P, B, Q, R, A>): AnyRow {
  return row;
}

/** Rows that are documented together. */
export interface Section {
  readonly tag: string;
  readonly text: string;
  readonly rows: readonly AnyRow[];
}

/** Whether a row is a call of the sandbox itself. */
export function isControl({ path }: Pick<AnyRow, 'path'>): boolean {
  return isControlPath(path);
}

export function findSuccessStatus(row: AnyRow): 200 | 201 {
  return row.status ?? (row.method === 'post' && !isControl(row) ? 201 : 200);
}

const NOTHING = z.object({});

export interface MountedRow extends Endpoint {
  readonly method: string;
  /** With placeholders such as `:id`. */
  readonly path: string;
}

/** The call that a path with a word in the place of an identifier was probably meant for, such as `POST /charge/card`. */
export type FindMeantCall = (method: string, path: string) => string | undefined;

export function mountRow(row: AnyRow, findMeant: FindMeantCall): MountedRow {
  const { operation } = row;
  return {
    method: row.method.toUpperCase(),
    path: row.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    run: checkRequest(row, findMeant),
    operation: typeof operation === 'string' ? operation : null,
    isForPages: row.access === 'public',
    isOpen: row.access === 'open',
  };
}

function checkRequest(row: AnyRow, findMeant: FindMeantCall): Endpoint['run'] {
  // The control plane always refuses unknown fields: a mistyped one could make a test pass that tests nothing.
  const strict = isControl(row);
  const refuseQuery = strict && row.query === undefined ? readNoQuery : null;
  const readQuery = row.query && buildQueryReader(row.query, strict);
  const run = (c: Context<Env>, body: unknown): Response | Promise<Response> =>
    runOperation(c, row, { params: c.req.param(), body, query: readQuery?.(c) });
  const schema = bodySchema(row);
  const read = chooseBodyReader(row);
  const needsRoom = mayAddRecords(row);
  const checkBody = schema && buildBodyReader(schema, (c) => read(c, needsRoom), strict);
  const { find } = row;
  return (c) => {
    if (find !== undefined) refuseWord(c, find, findMeant);
    refuseQuery?.(c);
    return checkBody ? checkBody(c).then((body) => run(c, body)) : run(c, undefined);
  };
}

/** Refuses a word in the place of an identifier, unless a record has it. */
function refuseWord(c: Context<Env>, find: NonNullable<AnyRow['find']>, findMeant: FindMeantCall): void {
  const [word = ''] = Object.values(c.req.param());
  if (isUuid(word)) return;
  try {
    find(requireWorld(c), word);
  } catch (error) {
    const meant = findMeant(c.req.method, c.req.path);
    if (!(error instanceof ApiError) || meant === undefined) throw error;
    const detail = `${error.refusal.detail.replace(/\.$/, '')}; did you mean ${meant}?`;
    throw new ApiError({ ...error.refusal, detail });
  }
}

const readNoQuery = buildQueryReader(NOTHING, true);

function runOperation(
  c: Context<Env>,
  row: AnyRow,
  input: CheckedInput<string, unknown, z.ZodType>,
): Response | Promise<Response> {
  const { buildCommand, operation, handle } = row;
  const status = findSuccessStatus(row);
  const call = buildCommand ? { ...input, body: buildCommand(c, input as never) } : input;
  if (operation === undefined) return sendAnswer(c, handle(c, call as never), status);
  const name = typeof operation === 'string' ? operation : operation(c, call as never);
  return runWithScenario(c, name, call.body ?? readSearchedReference(call.query), () =>
    sendAnswer(c, handle(c, call as never), status),
  );
}

/** The conditions of scenarios see for which reference a search is. */
function readSearchedReference(query: unknown): unknown {
  const reference = isObject(query) ? query['reference'] : null;
  return typeof reference === 'string' ? { details: { reference } } : undefined;
}

/** The schema of the body. A call without one refuses a body, since its sender expects an effect. */
function bodySchema(row: AnyRow): z.ZodType | undefined {
  if (row.readsBody) return undefined;
  const changes = row.method === 'delete' || (isControl(row) && row.method !== 'get');
  return row.body ?? (changes ? NOTHING : undefined);
}

/** Whether a call may add something to the world. A DELETE only removes, except for one with a body, which is a refund. */
function mayAddRecords({ method, body, runsWhenFull }: AnyRow): boolean {
  return runsWhenFull === undefined && method !== 'get' && (method !== 'delete' || body !== undefined);
}

function chooseBodyReader({ body, largeBody, takesYaml, bodyOptional }: AnyRow): BodyReader {
  if (largeBody) return readBatchBody;
  if (takesYaml) return readYamlBody;
  return bodyOptional || body === undefined ? readOptionalBody : readBody;
}

/** A handler that waits must call `noteCaused` itself, because other calls may run in the meantime. */
function sendAnswer(
  c: Context<Env>,
  result: object | Promise<object>,
  status: number,
): Response | Promise<Response> {
  if (result instanceof Promise)
    return result.then((late: object) => (late instanceof Response ? late : sendJson(c, late, status)));
  noteCaused(c.get('exchange'));
  return result instanceof Response ? result : sendJson(c, result, status);
}
