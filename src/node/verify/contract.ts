import type { Dialect } from '../../core/dialect/dialect.js';
import { ABSENT_FIELDS, ANSWER_WORDS, toSdkName } from '../../core/dialect/sdk.js';
import { isObject } from '../../core/text/text.js';
import { type AnyRow, findSuccessStatus } from '../../http/route.js';
import { SERVICE_SECTIONS } from '../../resources/sections.js';
import type { JsonObject } from '../../control/opening/file-format.js';
import { type FieldMarks, type FieldShapes, joinPath, listWords, MAYBE, ROOT, WORD_MARK } from './shape.js';

/** A call of the service as playmoney describes it. */
export interface DescribedCall {
  readonly row: AnyRow;
  /** The method and path, as in `GET /charge/{id}`. */
  readonly name: string;
  /** The identifiers in the path. */
  readonly ids: readonly string[];
}

const DEPTH_MAX = 12;
/** Fields that only the sdk dialect has, by a field of the same object. Playmoney has no value for them. */
const SDK_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...ABSENT_FIELDS].map(([name, fields]) => [name, fields.map(([field]) => field)] as const),
  ['PaymentInformation', ['PaymentInformation.DisplayType', 'PaymentInformation.ProviderType']],
]);

/** Fixed words win over placeholders. */
const ROWS = SERVICE_SECTIONS.flatMap(({ rows }) => rows)
  .map((row: AnyRow) => ({
    row,
    name: `${row.method.toUpperCase()} ${row.path}`,
    pattern: new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`),
  }))
  .toSorted((one, other) => one.name.split('{').length - other.name.split('{').length);

/** Finds the call of a method and path; undefined if playmoney has none. */
export function findDescribedCall(method: string, path: string): DescribedCall | undefined {
  const found = ROWS.find(({ row, pattern }) => row.method.toUpperCase() === method && pattern.test(path));
  return found && { ...found, ids: found.pattern.exec(path)?.slice(1) ?? [] };
}

export function findCallNamed(name: string): AnyRow | undefined {
  return ROWS.find((known) => known.name === name)?.row;
}

/** Names a path that playmoney does not know. Its other words may be somebody's identifiers. */
export function nameUnknownCall(method: string, path: string): string {
  const [, first = '', ...others] = path.split('/');
  return `${method} /${/^[a-z_]{2,24}$/.test(first) ? first : '…'}${others.length > 0 ? '/…' : ''}`;
}

/** Guesses the dialect from names or paths of fields: in the sdk dialect, most begin with a lower-case letter. */
export function guessDialect(paths: readonly string[]): Dialect {
  const named = paths.filter((path) => /[a-z]/i.test(path));
  return named.filter((path) => /(?:^|\.)[a-z]/.test(path)).length * 2 > named.length ? 'sdk' : 'documented';
}

/** The fields of playmoney's answers, from its OpenAPI description. */
export class Contract {
  readonly #fields = new Map<string, FieldShapes>();

  constructor(private readonly document: JsonObject) {}

  /** The fields of the success of a call, or of any refusal if it failed or there is no such call. */
  findFields(row: AnyRow | undefined, isSuccess: boolean, dialect: Dialect): FieldShapes {
    const success = isSuccess ? row : undefined;
    const key = `${success?.id ?? ''} ${dialect}`;
    const known = this.#fields.get(key) ?? this.#describe(success, dialect);
    this.#fields.set(key, known);
    return known;
  }

  #describe(row: AnyRow | undefined, dialect: Dialect): FieldShapes {
    const fields = new Map<string, FieldMarks>();
    const schema =
      row === undefined
        ? { $ref: '#/components/schemas/Error' }
        : readSchema(this.#resolve(this.#readResponses(row)[String(findSuccessStatus(row))]));
    this.#flatten(schema, ROOT, fields, 0);
    return dialect === 'sdk' ? toSdkFields(fields) : fields;
  }

  /** The HTTP statuses that a call can have with an error code; empty if playmoney never refuses it with that code. */
  listStatusesOfCode(row: AnyRow, code: number): readonly number[] {
    return Object.entries(this.#readResponses(row)).flatMap(([status, response]) =>
      Number(status) >= 400 && this.#listCodes(readSchema(this.#resolve(response))).includes(code)
        ? [Number(status)]
        : [],
    );
  }

  /** The numbers of all enumerations in a schema; a refusal has only those of its codes. */
  #listCodes(given: unknown, depth = 0): readonly unknown[] {
    const { enum: codes, const: code, properties, ...schema } = this.#resolve(given);
    const inner = [...listParts(schema), ...(isObject(properties) ? [properties['Code']] : [])];
    const own = [code, ...(Array.isArray(codes) ? (codes as unknown[]) : [])];
    return depth > DEPTH_MAX ? own : [...own, ...inner.flatMap((part) => this.#listCodes(part, depth + 1))];
  }

  #readResponses({ path, method }: AnyRow): JsonObject {
    return this.#resolve(readPath(this.document, ['paths', path, method, 'responses']));
  }

  #flatten(given: unknown, path: string, fields: Map<string, FieldMarks>, depth: number): void {
    const schema = this.#resolve(given);
    addMarks(fields, path, readMarks(schema));
    if (depth > DEPTH_MAX) return;
    for (const part of listParts(schema)) this.#flatten(part, path, fields, depth + 1);
    const { properties, items, required } = schema;
    if (items !== undefined) this.#flatten(items, `${path}[]`, fields, depth + 1);
    for (const [name, inner] of isObject(properties) ? Object.entries(properties) : []) {
      this.#flatten(inner, joinPath(path, name), fields, depth + 1);
      const isRequired = Array.isArray(required) && required.includes(name);
      if (!isRequired) addMarks(fields, joinPath(path, name), [MAYBE]);
    }
  }

  #resolve(schema: unknown): JsonObject {
    if (!isObject(schema)) return {};
    const { $ref } = schema;
    return typeof $ref === 'string'
      ? this.#resolve(readPath(this.document, $ref.split('/').slice(1)))
      : schema;
  }
}

function readPath(value: unknown, words: readonly string[]): unknown {
  return words.reduce<unknown>((inner, word) => (isObject(inner) ? inner[word] : undefined), value);
}

function readSchema(response: JsonObject): unknown {
  return readPath(response, ['content', 'application/json', 'schema']);
}

function listParts({ anyOf, oneOf, allOf }: JsonObject): readonly unknown[] {
  return [anyOf, oneOf, allOf].flatMap((parts) => (Array.isArray(parts) ? (parts as unknown[]) : []));
}

function readMarks({ type, enum: words }: JsonObject): string[] {
  const types = ([type ?? []].flat() as string[]).map((name) => (name === 'integer' ? 'number' : name));
  const named = [words ?? []].flat().filter((word) => typeof word === 'string');
  return [...types, ...named.map((word) => WORD_MARK + word)];
}

function addMarks(fields: Map<string, FieldMarks>, path: string, marks: readonly string[]): void {
  fields.set(path, new Set([...(fields.get(path) ?? []), ...marks]));
}

/** A description in the names and words of the sdk dialect. */
function toSdkFields(fields: FieldShapes): FieldShapes {
  const renamed = new Map<string, FieldMarks>();
  for (const [path, marks] of fields) {
    const name = path.split('.').at(-1) ?? '';
    const inner = (field: string): string => toSdkPath(path.slice(0, path.length - name.length) + field);
    const words = listWords(marks).flatMap((word) => ANSWER_WORDS.get(name)?.get(word) ?? []);
    addMarks(renamed, inner(name), [...marks, ...words.map((word) => WORD_MARK + word)]);
    for (const field of SDK_FIELDS.get(name) ?? []) addMarks(renamed, inner(field), [MAYBE]);
  }
  return renamed;
}

function toSdkPath(path: string): string {
  return path.split('.').map(toSdkName).join('.');
}
