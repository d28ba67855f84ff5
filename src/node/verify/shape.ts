import { OWN_MAPS, toSdkName } from '../../core/dialect/sdk.js';
import { isObject } from '../../core/text/text.js';

/**
 * The marks of a field: its types (`string`, `number`, `boolean`, `object`, `array`, `null`), `?` if its object may lack it, and
 * `=WORD` for the words of an enumeration. A set of marks, so that two answers are merged by their union.
 */
export type FieldMarks = ReadonlySet<string>;

/** Fields by path, such as `PaymentInformation.Card.Type` or `Charges[].Amount`. `$` is the body itself. */
export type FieldShapes = ReadonlyMap<string, FieldMarks>;

/** An answer without its values: what everybody may see of it. */
export interface AnswerShape {
  /** The method and path, as in `GET /charge/{id}`. */
  readonly operation: string;
  readonly status: number;
  /** The error code; null if the answer has none. */
  readonly code: number | null;
  /** Only those that no proxy changes, such as `content-type: application/json`. */
  readonly headers: readonly string[];
  readonly fields: FieldShapes;
}

export const ROOT = '$';
export const MAYBE = '?';
export const WORD_MARK = '=';

/** The words of an enumeration. Anything else may be somebody's text. */
const WORD = /^[A-Za-z][A-Za-z_]{0,31}$/;
/** The names of fields; any other is a key that somebody chose. */
const FIELD_NAME = /^[A-Za-z][A-Za-z]{0,39}[0-9]?[A-Za-z]{0,39}$/;
const DEPTH_MAX = 12;

const MAP_NAMES: ReadonlySet<string> = new Set([...OWN_MAPS].flatMap((name) => [name, toSdkName(name)]));

/** Whether the words of a field belong to the service, and not to whoever uses it. */
export type HasWords = (path: string) => boolean;

/** The fields of a body; undefined for one that is not JSON. */
export function readFieldShapes(body: unknown, hasWords: HasWords): FieldShapes {
  const fields = new Map<string, Set<string>>();
  if (body === undefined) return new Map([[ROOT, new Set(['text'])]]);
  addValue(fields, ROOT, body, hasWords, 0);
  return fields;
}

function addValue(
  fields: Map<string, Set<string>>,
  path: string,
  value: unknown,
  hasWords: HasWords,
  depth: number,
): void {
  const marks = fields.get(path) ?? new Set<string>();
  fields.set(path, marks);
  if (Array.isArray(value)) {
    marks.add('array');
    // Each item is an object of its own: one may lack what another has.
    const items = value.map((item) => {
      const own = new Map<string, Set<string>>();
      if (depth < DEPTH_MAX) addValue(own, `${path}[]`, item, hasWords, depth + 1);
      return own;
    });
    for (const [at, found] of mergeAll(items)) fields.set(at, new Set(found));
  } else if (isObject(value)) {
    marks.add('object');
    const isMap = MAP_NAMES.has(path.split('.').at(-1) ?? '');
    for (const [name, inner] of depth < DEPTH_MAX ? Object.entries(value) : []) {
      if (!isMap && FIELD_NAME.test(name)) addValue(fields, joinPath(path, name), inner, hasWords, depth + 1);
    }
  } else {
    marks.add(value === null ? 'null' : typeof value);
    if (typeof value === 'string' && WORD.test(value) && hasWords(path)) marks.add(WORD_MARK + value);
  }
}

function joinPath(path: string, name: string): string {
  return path === ROOT ? name : `${path}.${name}`;
}

/** The object or list that a field is in. */
export function parentPath(path: string): string {
  if (path.endsWith('[]')) return path.slice(0, -2);
  const dot = path.lastIndexOf('.');
  return dot < 0 ? ROOT : path.slice(0, dot);
}

function mergeAll(all: readonly FieldShapes[]): FieldShapes {
  const [first = new Map(), ...others] = all;
  return others.reduce(mergeFields, first as FieldShapes);
}

/** The fields of both. One that only one side has may be missing, if the other side has its object. */
export function mergeFields(one: FieldShapes, other: FieldShapes): FieldShapes {
  const merged = new Map<string, FieldMarks>();
  for (const path of [...one.keys(), ...other.keys()]) {
    const [mine, yours] = [one.get(path), other.get(path)];
    const isMissing = lacksField(one, path) || lacksField(other, path);
    merged.set(path, new Set([...(mine ?? []), ...(yours ?? []), ...(isMissing ? [MAYBE] : [])]));
  }
  return merged;
}

/** Whether an object has no such field. Of items, and of an object that is not there, nothing is known. */
export function lacksField(fields: FieldShapes, path: string): boolean {
  if (fields.has(path) || path === ROOT || path.endsWith('[]')) return false;
  return fields.get(parentPath(path))?.has('object') ?? false;
}

/** The types of a field, without null. */
export function listTypes(marks: FieldMarks): readonly string[] {
  return [...marks].filter((mark) => /^[a-z]/.test(mark) && mark !== 'null');
}

export function listWords(marks: FieldMarks): readonly string[] {
  return [...marks].filter((mark) => mark.startsWith(WORD_MARK)).map((mark) => mark.slice(1));
}

export function shapeKey({
  operation,
  status,
  code,
}: Pick<AnswerShape, 'operation' | 'status' | 'code'>): string {
  return `${operation} ${status}${code === null ? '' : ` ${code}`}`;
}

/** Shapes by operation, status and code. */
export class ShapeSet {
  readonly #shapes = new Map<string, AnswerShape>();

  constructor(shapes: Iterable<AnswerShape> = []) {
    for (const shape of shapes) this.add(shape);
  }

  add(shape: AnswerShape): void {
    const key = shapeKey(shape);
    const known = this.#shapes.get(key);
    this.#shapes.set(key, known === undefined ? shape : mergeShapes(known, shape));
  }

  find(key: string): AnswerShape | undefined {
    return this.#shapes.get(key);
  }

  /** In a fixed order. */
  get all(): readonly AnswerShape[] {
    return [...this.#shapes.values()].toSorted(
      (one, other) =>
        compareTexts(one.operation, other.operation) ||
        one.status - other.status ||
        (one.code ?? 0) - (other.code ?? 0),
    );
  }
}

function mergeShapes(one: AnswerShape, other: AnswerShape): AnswerShape {
  const headers = [...new Set([...one.headers, ...other.headers])];
  return { ...one, headers, fields: mergeFields(one.fields, other.fields) };
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
