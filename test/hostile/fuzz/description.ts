import { readFileSync } from 'node:fs';

import { rowOf } from '../../support/conformity.js';

/** The description as generators and judges read it: nothing of the sources stands between it and the requests. */

/** A JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One operation of the description, its references followed. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean; readonly example: unknown } | null;
  /** What it may answer: the schema by status and media type. */
  readonly responses: ReadonlyMap<string, Content>;
}

const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

export const SCHEMAS = document.components['schemas'] as Readonly<Record<string, Schema>>;

function follow<T extends object>(one: T | { readonly $ref: string }): T {
  if (!('$ref' in one) || one.$ref === undefined) return one as T;
  const [, , kind = '', name = ''] = one.$ref.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`The description has no ${one.$ref}`);
  return found as T;
}

/** A schema, itself in place of a reference to it. */
export const schemaOf = (schema: Schema): Schema => follow<Schema>(schema);

function operationOf(path: string, method: string, described: Described): Operation {
  const { requestBody, responses, parameters = [] } = described;
  const body = requestBody?.content['application/json'];
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((one) => follow<Parameter>(one)),
    body: body === undefined ? null : { required: requestBody?.required === true, example: {}, ...body },
    responses: new Map(
      Object.entries(responses).map(([status, one]) => [
        status,
        follow<{ content?: Content }>(one as object).content ?? {},
      ]),
    ),
  };
}

export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, described]) => operationOf(path, method, described)),
);

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** The operation that a call is one of; undefined: the description has none. */
export function operationAt(method: string, path: string): Operation | undefined {
  const row = rowOf(method, path);
  return row === undefined ? undefined : BY_ID.get(row.id);
}
