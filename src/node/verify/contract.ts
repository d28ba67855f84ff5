import { ABSENT_FIELDS, ANSWER_WORDS } from '../../core/dialect/sdk.js';
import { isObject } from '../../core/text/text.js';
import { type AnyRow, findSuccessStatus } from '../../http/route.js';
import { SERVICE_SECTIONS } from '../../resources/sections.js';
import type { JsonObject } from '../files/json-file.js';
import { type FieldMarks, type FieldShapes, MAYBE, ROOT, WORD_MARK, listWords } from './shape.js';

/** A call of the service as playmoney describes it. */
export interface DescribedCall {
  readonly row: AnyRow;
  /** The method and path, as in `GET /charge/{id}`. */
  readonly name: string;
  /** The words of the path in the places of its placeholders. */
  readonly ids: readonly string[];
}

const DEPTH_MAX = 12;
/** Fields that only the sdk dialect has, and of which playmoney knows no value. */
const SDK_ONLY: ReadonlySet<string> = new Set([
  'DisplayType',
  'ProviderType',
  ...[...ABSENT_FIELDS.values()].flatMap((fields) => fields.map(([name]) => name)),
]);

const ROWS = SERVICE_SECTIONS.flatMap(({ rows }) => rows).map((row) => ({
  row,
  name: `${row.method.toUpperCase()} ${row.path}`,
  pattern: new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`),
}));

/** Finds the call of a method and path; undefined if playmoney has none. Fixed words win over placeholders. */
export function findDescribedCall(method: string, path: string): DescribedCall | undefined {
  const found = ROWS.filter(({ row, pattern }) => row.method.toUpperCase() === method && pattern.test(path));
  const [best] = found.toSorted((one, other) => countPlaces(one.row) - countPlaces(other.row));
  return best && { ...best, ids: pickIds(best.pattern, path) };
}

export function findCallNamed(name: string): AnyRow | undefined {
  return ROWS.find((known) => known.name === name)?.row;
}

function countPlaces({ path }: AnyRow): number {
  return path.split('{').length;
}

function pickIds(pattern: RegExp, path: string): readonly string[] {
  return pattern.exec(path)?.slice(1) ?? [];
}

/** A path that playmoney does not know: its other words may be somebody's identifiers. */
export function nameUnknownCall(method: string, path: string): string {
  const [, first = ''] = path.split('/');
  return `${method} /${/^[a-z_]{2,24}$/.test(first) ? first : '…'}${path.split('/').length > 2 ? '/…' : ''}`;
}

/** The fields of playmoney's answers, from its OpenAPI description. */
export class Contract {
  readonly #fields = new Map<string, FieldShapes>();

  constructor(private readonly document: JsonObject) {}

  /** The fields of the success of a call, or of any refusal if there is no call or it failed. */
  findFields(row: AnyRow | undefined, isSuccess: boolean): FieldShapes {
    const key = isSuccess && row !== undefined ? row.id : '';
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const fields = new Map<string, FieldMarks>();
    this.#flatten(
      key === '' ? { $ref: '#/components/schemas/Error' } : this.#successSchema(row),
      ROOT,
      fields,
      0,
    );
    this.#fields.set(key, fields);
    return fields;
  }

  /** The HTTP statuses that a call can have with an error code; empty if playmoney never refuses it with that code. */
  listStatusesOfCode(row: AnyRow, code: number): readonly number[] {
    const responses = readPath(this.document, ['paths', row.path, row.method, 'responses']);
    return Object.entries(isObject(responses) ? responses : {}).flatMap(([status, response]) => {
      const schema = readPath(this.#resolve(response), ['content', 'application/json', 'schema']);
      return Number(status) >= 400 && this.#listCodes(schema).includes(code) ? [Number(status)] : [];
    });
  }

  /** The numbers of all enumerations in a schema; a refusal has only those of its codes. */
  #listCodes(given: unknown, depth = 0): readonly unknown[] {
    const { enum: codes, const: code, properties, ...schema } = this.#resolve(given);
    const inner = [...listParts(schema), ...(isObject(properties) ? [properties['Code']] : [])];
    const own = [code, ...(Array.isArray(codes) ? (codes as unknown[]) : [])];
    return depth > DEPTH_MAX ? own : [...own, ...inner.flatMap((part) => this.#listCodes(part, depth + 1))];
  }

  #successSchema(row: AnyRow | undefined): unknown {
    if (row === undefined) return {};
    const status = String(findSuccessStatus(row));
    const content = ['paths', row.path, row.method, 'responses', status, 'content'];
    return readPath(this.document, [...content, 'application/json', 'schema']);
  }

  #flatten(given: unknown, path: string, fields: Map<string, FieldMarks>, depth: number): void {
    const schema = this.#resolve(given);
    const marks = new Set([...(fields.get(path) ?? []), ...readMarks(schema)]);
    fields.set(path, marks);
    if (depth > DEPTH_MAX) return;
    for (const part of listParts(schema)) this.#flatten(part, path, fields, depth + 1);
    const { properties, items, required } = schema;
    if (items !== undefined) this.#flatten(items, `${path}[]`, fields, depth + 1);
    for (const [name, inner] of isObject(properties) ? Object.entries(properties) : []) {
      const at = path === ROOT ? name : `${path}.${name}`;
      this.#flatten(inner, at, fields, depth + 1);
      const isRequired = Array.isArray(required) && required.includes(name);
      if (!isRequired) fields.set(at, new Set([...(fields.get(at) ?? []), MAYBE]));
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

function listParts({ anyOf, oneOf, allOf }: JsonObject): readonly unknown[] {
  return [anyOf, oneOf, allOf].flatMap((parts) => (Array.isArray(parts) ? (parts as unknown[]) : []));
}

function readMarks({ type, enum: words }: JsonObject): string[] {
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const marks = types.map((name) => (name === 'integer' ? 'number' : String(name)));
  const named = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  return [...marks, ...named.map((word) => WORD_MARK + word)];
}

/** The path of a field as the description has it, where names begin with a capital letter. */
export function toDescribedPath(path: string): string {
  return path === ROOT
    ? path
    : path.replaceAll(/(^|\.)([a-z])/g, (_, dot: string, letter: string) => dot + letter.toUpperCase());
}

export function isSdkOnly(path: string): boolean {
  const name = toDescribedPath(path).split('.').at(-1) ?? '';
  return SDK_ONLY.has(name) && path !== toDescribedPath(path);
}

/** The marks of a field in either dialect; undefined if playmoney has no such field. */
export function findField(fields: FieldShapes, path: string): FieldMarks | undefined {
  return fields.get(path) ?? fields.get(toDescribedPath(path));
}

/** Whether playmoney's own description has words for a field. */
export function hasWords(fields: FieldShapes, path: string): boolean {
  return listWords(findField(fields, path) ?? new Set()).length > 0;
}

/** The words of an enumeration in both dialects. */
export function listKnownWords(marks: FieldMarks, path: string): readonly string[] {
  const spelt = ANSWER_WORDS.get(toDescribedPath(path).split('.').at(-1) ?? '');
  return listWords(marks).flatMap((word) => [word, spelt?.get(word) ?? word]);
}
