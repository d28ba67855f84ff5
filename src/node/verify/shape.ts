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
const NO_MARKS: FieldMarks = new Set();

const MAP_NAMES: ReadonlySet<string> = new Set([...OWN_MAPS].flatMap((name) => [name, toSdkName(name)]));

/** The fields of a body, which is undefined if it is not JSON. Words are kept only where `described` has some: any other is somebody's text. */
export function readFieldShapes(body: unknown, described: FieldShapes): FieldShapes {
  return body === undefined ? new Map([[ROOT, new Set(['text'])]]) : readFields(ROOT, body, described, 0);
}

function readFields(path: string, value: unknown, described: FieldShapes, depth: number): FieldShapes {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const isWord = typeof value === 'string' && WORD.test(value) && listWords(described.get(path)).length > 0;
  const marks = new Set(isWord ? [type, WORD_MARK + value] : [type]);
  const inner = depth < DEPTH_MAX ? readInner(path, value, described, depth + 1) : [];
  return new Map([[path, marks], ...inner]);
}

function readInner(
  path: string,
  value: unknown,
  described: FieldShapes,
  depth: number,
): Iterable<[string, FieldMarks]> {
  if (Array.isArray(value)) {
    // Each item is an object of its own: one may lack what another has.
    const items = value.map((item) => readFields(`${path}[]`, item, described, depth));
    return items.length === 0 ? [] : items.reduce(mergeFields);
  }
  if (!isObject(value) || MAP_NAMES.has(path.split('.').at(-1) ?? '')) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    FIELD_NAME.test(name) ? [...readFields(joinPath(path, name), field, described, depth)] : [],
  );
}

export function joinPath(path: string, name: string): string {
  return path === ROOT ? name : `${path}.${name}`;
}

/** The object or list that a field is in. */
function parentPath(path: string): string {
  if (path.endsWith('[]')) return path.slice(0, -2);
  const dot = path.lastIndexOf('.');
  return dot < 0 ? ROOT : path.slice(0, dot);
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
export function listTypes(marks: FieldMarks = NO_MARKS): readonly string[] {
  return [...marks].filter((mark) => /^[a-z]/.test(mark) && mark !== 'null');
}

export function listWords(marks: FieldMarks = NO_MARKS): readonly string[] {
  return [...marks].filter((mark) => mark.startsWith(WORD_MARK)).map((mark) => mark.slice(1));
}

export function shapeKey({ operation, status, code }: Omit<AnswerShape, 'headers' | 'fields'>): string {
  return `${operation} ${status}${code === null ? '' : ` ${code}`}`;
}

/** Shapes by operation, status and code. Those of the same answer are merged. */
export class ShapeSet {
  readonly #shapes = new Map<string, AnswerShape>();

  constructor(shapes: Iterable<AnswerShape> = []) {
    for (const shape of shapes) {
      const known = this.find(shapeKey(shape));
      this.#shapes.set(shapeKey(shape), known === undefined ? shape : mergeShapes(known, shape));
    }
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
