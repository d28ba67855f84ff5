import * as z from 'zod';

import { shortenText } from '../../core/cards/card.js';
import { normaliseInstant } from '../../core/time/client-time.js';
import { CODE, refuse } from '../../core/errors.js';
import { findNearest } from '../../core/text/nearest.js';
import { NumberText } from '../../core/text/text.js';
import { parseOrder } from '../../core/store/search.js';
import { EMPTY_IS_ABSENT, INTEGER_ENUMS, ODD_SPELLINGS } from '../../core/dialect/sdk.js';
import { parseCurrency, expandExponent } from '../../core/money.js';
import { innerOf } from './issues.js';
import type { JsonValue } from '../../core/json/json.js';

/** Prepares the values of a request for zod: names of fields, digits of numbers, and values of the `sdk` dialect. */

/** How many unknown fields are compared with the known ones and named in a refusal. */
export const UNKNOWN_MAX = 20;

/** An unknown field, and the known name that was probably meant. */
export interface UnknownField {
  readonly path: string;
  readonly meant: string | null;
}

export function describeUnknownField({ path, meant }: UnknownField): string {
  return meant === null ? `"${path}"` : `"${path}" (did you mean ${meant}?)`;
}

/** The facts about a schema that the preparation needs. */
export interface Shape {
  readonly fields?: ReadonlyMap<string, Shape>;
  /** The names of the fields by their lower-case names, for the sdk dialect. */
  readonly bySmallName?: ReadonlyMap<string, string>;
  readonly item?: Shape;
  /** How a number is passed on that JavaScript would round: as its text, or as the NumberText. By default it is rounded. */
  readonly digits?: 'text' | 'as sent';
  /** Normalises a text that is accepted in any letter case. */
  readonly anyCase?: ((text: string) => string) | undefined;
  /** Reads a value of the sdk dialect. */
  readonly client?: ((value: JsonValue) => unknown) | undefined;
  readonly optionalInSdk?: boolean;
  /** The field that takes an object whose fields begin with a lower-case letter. */
  readonly lowerCaseIn?: string | undefined;
  readonly keepsNull?: boolean;
}

const SHAPES = new WeakMap<z.core.$ZodType, Shape>();

export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = SHAPES.get(schema);
  if (shape === undefined) SHAPES.set(schema, (shape = readShape(schema, '', {})));
  return shape;
}

function readShape(schema: z.core.$ZodType, name: string, outer: z.core.GlobalMeta): Shape {
  const meta = { ...z.globalRegistry.get(schema), ...outer };
  const inner = innerOf(schema);
  if (inner !== undefined) return readShape(inner, name, meta);
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const { optionalInSdk = false, keepsNull = false } = meta;
  switch (def.type) {
    case 'object':
      return { ...readObjectShape(def.shape), lowerCaseIn: meta.lowerCaseIn };
    case 'array':
      return { item: readShape(def.element, name, {}) };
    case 'unknown':
    case 'record':
      return { digits: 'as sent' };
    case 'union':
      return { digits: 'text', client: buildClientReader(meta, name), optionalInSdk, keepsNull };
    case 'boolean':
      return { client: readClientFlag, optionalInSdk, keepsNull };
    case 'enum':
      return {
        anyCase: buildWordReader(Object.values(def.entries).map(String)),
        client: buildClientReader(meta, name),
        optionalInSdk,
      };
    default:
      return {
        anyCase: meta.currency ? (text) => parseCurrency(text) ?? text : undefined,
        client: buildClientReader(meta, name),
        optionalInSdk,
      };
  }
}

function readObjectShape(schemas: Readonly<Record<string, z.core.$ZodType>>): Shape {
  const names = Object.keys(schemas);
  const fields = new Map(
    names.map((name) => [name, readShape(schemas[name] as z.core.$ZodType, name, {})] as const),
  );
  const bySmallName = new Map(names.map((name) => [name.toLowerCase(), name]));
  for (const [odd, name] of ODD_SPELLINGS) {
    if (fields.has(name) && !bySmallName.has(odd)) bySmallName.set(odd, name);
  }
  return { fields, bySmallName };
}

/** Reads an instant, an amount, an order or a word sent as a number, as client libraries send them. */
function buildClientReader({ instant, amount, orderBy }: z.core.GlobalMeta, name: string): Shape['client'] {
  if (amount) return readClientAmount;
  if (instant) return (value) => normaliseInstant(value) ?? value;
  // Libraries accept any text for an order, and it is not documented which ones the service knows.
  if (orderBy) {
    return (value) => (typeof value === 'string' && parseOrder(value, orderBy) ? value : undefined);
  }
  const numbered = INTEGER_ENUMS.get(name);
  return numbered && ((value) => (typeof value === 'number' ? (numbered[value] ?? value) : value));
}

function readClientAmount(value: JsonValue): unknown {
  const text = value instanceof NumberText ? value.text : value;
  return typeof text === 'string' ? expandExponent(text) : value;
}

function readClientFlag(value: JsonValue): unknown {
  const small = typeof value === 'string' ? value.toLowerCase() : '';
  return small === 'true' ? true : small === 'false' ? false : value;
}

function buildWordReader(words: readonly string[]): (text: string) => string {
  const bySmall = new Map(words.map((word) => [word.toLowerCase(), word]));
  return (text) => bySmall.get(text.toLowerCase()) ?? text;
}

export type FieldEntries = Iterable<readonly [string, JsonValue]>;

/** The known fields, without null values that mean nothing. The names of other fields are added to `unknown`. */
export function prepareFields(
  entries: FieldEntries,
  outer: Shape,
  unknown: UnknownField[],
  path = '',
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const shape = outer.fields?.get(name);
    if (shape === undefined) noteUnknownField(name, outer, unknown, path);
    else if (value !== null || shape.keepsNull) {
      known[name] = prepareValue(value, shape, `${path}${name}.`, unknown);
    }
  }
  return known;
}

/** Like `prepare`, for the sdk dialect: accepts names in any letter case and ignores unknown ones. A field that is sent twice is a 400 with code 90. */
export function prepareSdkFields(entries: FieldEntries, shape: Shape, path = ''): Record<string, unknown> {
  const { fields, bySmallName } = shape;
  const known: Record<string, unknown> = {};
  const written = new Map<string, string>();
  for (const [given, value] of entries) {
    const name = bySmallName?.get(given.toLowerCase());
    if (name === undefined || value === null || (value === '' && EMPTY_IS_ABSENT.has(name))) continue;
    const twin = written.get(name);
    if (twin !== undefined) refuseSentTwice(`${path}${name}`, twin, given);
    written.set(name, given);
    const field = fields?.get(name) ?? {};
    known[name] = prepareValue(value, field, `${path}${name}.`, null);
  }
  for (const [name, { optionalInSdk }] of fields ?? []) {
    if (optionalInSdk && !written.has(name)) known[name] = null;
  }
  return known;
}

function refuseSentTwice(field: string, first: string, second: string): never {
  const how = first === second ? 'twice' : `as ${first} and as ${second}`;
  return refuse(CODE.ValidationError, `${field} was sent ${how}; send it once.`, {
    details: { [field]: `sent ${how}` },
  });
}

/** Leaves a value of the wrong type to its schema, which has the code. `unknown` is null where the dialect ignores fields. */
function prepareValue(sent: JsonValue, shape: Shape, path: string, unknown: UnknownField[] | null): unknown {
  const value = unknown === null && shape.client ? shape.client(sent) : sent;
  if (typeof value === 'string') return shape.anyCase ? shape.anyCase(value) : value;
  if (value instanceof NumberText) {
    if (shape.digits === undefined) return Number(value.text);
    return shape.digits === 'text' ? value.text : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { item } = shape;
    if (item === undefined) return value;
    return value.map((element: JsonValue, i) => prepareValue(element, item, `${path}${i}.`, unknown));
  }
  if (shape.fields === undefined || !isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return unknown === null
    ? prepareSdkFields(entries, shape, path)
    : prepareFields(entries, shape, unknown, path);
}

function isJsonObject(value: object): value is { [name: string]: JsonValue } {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function noteUnknownField(name: string, shape: Shape, unknown: UnknownField[], path: string): void {
  const meant = unknown.length < UNKNOWN_MAX ? findMeantField(name, shape) : null;
  unknown.push({ path: path + shortenText(name, 64), meant });
}

/** The field that was probably meant: one of a similar name, one of an object below, or one with another beginning. */
function findMeantField(name: string, { fields = new Map(), lowerCaseIn }: Shape): string | null {
  const [near] = findNearest(name, fields.keys(), 1);
  if (near !== undefined) return near;
  const small = name.toLowerCase();
  const below = [...fields].flatMap(([outer, { bySmallName }]) => {
    const inner = bySmallName?.get(small);
    return inner === undefined ? [] : [`${outer}.${inner}`];
  });
  const alike = [...fields.keys()].filter((known) => endsInWord(known, name) || endsInWord(name, known));
  const around = lowerCaseIn !== undefined && /^[a-z]/.test(name) ? [lowerCaseIn] : [];
  return [below, alike, around].find(({ length }) => length === 1)?.[0] ?? null;
}

/** Shorter words are the ends of many names. */
const END_LENGTH_MIN = 4;

/** Whether a name such as VaultExpireSeconds ends in a shorter one, such as ExpireSeconds, at a capital letter. */
function endsInWord(name: string, end: string): boolean {
  const at = name.length - end.length;
  if (at <= 0 || end.length < END_LENGTH_MIN) return false;
  return name.toLowerCase().endsWith(end.toLowerCase()) && /[A-Z]/.test(name.charAt(at));
}
