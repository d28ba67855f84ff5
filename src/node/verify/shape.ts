import { OWN_MAPS } from '../../core/dialect/sdk.js';
import { keepLetters } from '../../core/text/secret-fields.js';
import { isObject } from '../../core/text/text.js';

/**
 * The marks of a field: its types (`string`, `number`, `boolean`, `object`, `array`, `null`), `?` if its object may lack it,
 * `=WORD` for the words of an enumeration, `=?` for a text in the place of such a word, and `+` for an object with fields whose names are
 * left out. A set of marks, so that two answers are merged by their union.
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
/** In the place of a word: a text that may be somebody's, so that it is left out. */
export const UNKNOWN_WORD = '?';
/** An object has fields whose names may be somebody's text, so that they are left out. */
export const MORE_FIELDS = '+';

/** The words of an enumeration. Anything else may be somebody's text. */
const WORD = /^[A-Za-z][A-Za-z_]{0,31}$/;
/** The names of fields. Any other may be a key that somebody chose, and identifiers and secrets have more digits or such a beginning. */
const FIELD_NAME = /^(?=.{1,40}$)(?![sp]k_)[a-z][a-z_-]*[0-9]{0,2}[a-z_-]*$/i;
const DEPTH_MAX = 12;
const NO_MARKS: FieldMarks = new Set();

/** The names of maps, by their letters in lower case: the service may spell them in another way. */
const MAP_NAMES: ReadonlySet<string> = new Set([...OWN_MAPS].map(keepLetters));

/** The fields of a body, which is undefined if it is not JSON. Words are kept only where `described` has some: any other is somebody's text. */
export function readFieldShapes(body: unknown, described: FieldShapes): FieldShapes {
  return body === undefined ? new Map([[ROOT, new Set(['text'])]]) : readFields(ROOT, body, described, 0);
}

function readFields(path: string, value: unknown, described: FieldShapes, depth: number): FieldShapes {
  const inner = [...readInner(path, value, described, depth + 1)];
  return new Map([[path, new Set(listFieldMarks(path, value, described, depth))], ...inner]);
}

function listFieldMarks(
  path: string,
  value: unknown,
  described: FieldShapes,
  depth: number,
): readonly string[] {
  if (typeof value === 'string') {
    const known = listWords(described.get(path));
    const word = known.includes(value) || WORD.test(value) ? value : UNKNOWN_WORD;
    return known.length > 0 ? ['string', WORD_MARK + word] : ['string'];
  }
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  const names = isObject(value) && !isOwnMap(path) ? Object.keys(value) : [];
  const hasMore = names.some((name) => depth >= DEPTH_MAX || !FIELD_NAME.test(name));
  return hasMore ? [typeof value, MORE_FIELDS] : [typeof value];
}

function readInner(
  path: string,
  value: unknown,
  described: FieldShapes,
  depth: number,
): Iterable<[string, FieldMarks]> {
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) {
    // Each item is an object of its own: one may lack what another has.
    const items = value.map((item) => readFields(`${path}[]`, item, described, depth));
    return items.length === 0 ? [] : items.reduce(mergeFields);
  }
  if (!isObject(value) || isOwnMap(path)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    FIELD_NAME.test(name) ? [...readFields(joinPath(path, name), field, described, depth)] : [],
  );
}

/** Whether the keys of an object are chosen by the owner of the account. */
function isOwnMap(path: string): boolean {
  return MAP_NAMES.has(keepLetters(path.split('.').at(-1) ?? ''));
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
