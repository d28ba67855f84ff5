import type * as z from 'zod';

import { clientInstant } from '../core/client-time.js';
import { CODE, refuse } from '../core/errors.js';
import { orderNamed } from '../core/search.js';
import { INTEGER_ENUMS, ODD_SPELLINGS } from '../core/sdk-tables.js';
import type { JsonValue } from './json.js';
import type { MemberDef, MemberKind } from './member.js';
import type { JsonObject } from './members.js';

/** Reads what client libraries send into the spelling of a contract, which then checks it like any other request. */

/** What a contract says of a value, as far as client libraries write such a value in ways of their own. */
export type Shape = ObjectShape | ListShape | MemberShape;

interface ObjectShape {
  readonly type: 'object';
  /** By their names in small letters. */
  readonly members: ReadonlyMap<string, KnownMember>;
  /** Those that may be left out here, and not in the documented dialect. */
  readonly optional: readonly string[];
}

interface KnownMember {
  readonly name: string;
  /** Null: its value stands as it is. */
  readonly shape: Shape | null;
}

interface ListShape {
  readonly type: 'list';
  readonly item: Shape;
}

interface MemberShape {
  readonly type: 'member';
  readonly kind: MemberKind | null;
  /** The words that numbers stand for. */
  readonly numbered: readonly string[] | null;
}

/** The members of a body or the parameters of a query, as they were sent. */
export type Entries = Iterable<readonly [string, JsonValue]>;

/**
 * Reads the members of a body or the parameters of a query: names in any case, unknown ones and null are left out. Two
 * spellings of one member are refused: 400 with code 90.
 */
export function respell(entries: Entries, shape: Shape | null): Record<string, unknown> {
  return shape?.type === 'object' ? respellObject(entries, shape, '') : {};
}

/** The shape of a schema that stands below a name. */
export function shapeOf(schema: z.core.$ZodType, name = ''): Shape | null {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return objectShape(def.shape);
    case 'array': {
      const item = shapeOf(def.element, name);
      return item && { type: 'list', item };
    }
    case 'optional':
    case 'nullable':
    case 'default':
      return shapeOf(def.innerType, name);
    case 'pipe':
      return shapeOf(def.in, name);
    case 'transform': {
      const { kind = null } = def as Partial<MemberDef>;
      const numbered = INTEGER_ENUMS.get(name) ?? null;
      return kind === null && numbered === null ? null : { type: 'member', kind, numbered };
    }
    default:
      return null;
  }
}

function objectShape(schemas: Readonly<Record<string, z.core.$ZodType>>): ObjectShape {
  const members = new Map<string, KnownMember>();
  const optional: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    members.set(name.toLowerCase(), { name, shape: shapeOf(schema, name) });
    if ((schema._zod.def as Partial<MemberDef>).optionalInSdk === true) optional.push(name);
  }
  for (const [odd, name] of ODD_SPELLINGS) {
    const meant = members.get(name.toLowerCase());
    if (meant !== undefined && !members.has(odd)) members.set(odd, meant);
  }
  return { type: 'object', members, optional };
}

function respellObject(entries: Entries, shape: ObjectShape, path: string): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const spelt = new Map<string, string>();
  for (const [given, value] of entries) {
    const known = shape.members.get(given.toLowerCase());
    if (known === undefined || value === null) continue;
    const { name } = known;
    const twin = spelt.get(name);
    if (twin !== undefined) refuseTwins(`${path}${name}`, twin, given);
    spelt.set(name, given);
    read[name] = respellValue(value, known.shape, `${path}${name}.`);
  }
  for (const name of shape.optional) if (!spelt.has(name)) read[name] = null;
  return read;
}

function refuseTwins(member: string, first: string, second: string): never {
  const how = first === second ? `as ${first} twice` : `as ${first} and as ${second}`;
  return refuse(CODE.ValidationError, `${member} is given ${how}; send it once.`, {
    details: { [member]: `given ${how}` },
  });
}

/** What the strict reader made of an object, and of nothing else: numbers and long texts come as objects too. */
function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A value of a wrong kind stays as it is: the contract refuses it with its own code. */
function respellValue(value: JsonValue, shape: Shape | null, path: string): unknown {
  switch (shape?.type) {
    case undefined:
      return value;
    case 'object':
      return isObject(value) ? respellObject(Object.entries(value), shape, path) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => respellValue(item, shape.item, path)) : value;
    case 'member':
      return respellMember(value, shape);
  }
}

function respellMember(value: JsonValue, { kind, numbered }: MemberShape): unknown {
  if (typeof value === 'number' && numbered !== null) return numbered[value] ?? value;
  if (kind === 'instant') return clientInstant(value) ?? value;
  if (kind === 'flag') return flagOf(value) ?? value;
  if (kind === null) return value;
  // A library takes any text for an order, and which ones its service knows is not shown.
  if ('orderBy' in kind)
    return typeof value === 'string' && orderNamed(value, kind.orderBy) ? value : undefined;
  return Array.isArray(value) ? value.map((word) => respellWord(word, kind)) : respellWord(value, kind);
}

/** A flag as a query writes it, such as `True`. */
function flagOf(value: JsonValue): boolean | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

function respellWord(value: JsonValue, words: readonly string[]): JsonValue {
  if (typeof value !== 'string') return value;
  const small = value.toLowerCase();
  return words.find((word) => word.toLowerCase() === small) ?? value;
}
