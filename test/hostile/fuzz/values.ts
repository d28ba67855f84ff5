import fc from 'fast-check';

import { type Schema, schemaOf } from './description.js';
import { hintFor } from './hints.js';
import { identifierOf, poolOfMember } from './identifiers.js';
import { weighted } from './weighted.js';

/** Values that a schema takes. */

const ABSENT = Symbol('absent');
/** Members that decide what can follow. */
const OFTEN = new Set(['Capture', 'Transfers', 'Card', 'Definition', 'PaymentMethodId']);

const instant = weighted(
  [3, fc.constantFrom('2026-01-01T00:00:00Z', '2026-03-01T12:00:00.5+02:00')],
  [
    2,
    fc
      .date({ min: new Date('2025-12-01Z'), max: new Date('2033-01-01Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ],
);

function text({ minLength = 0, maxLength = 1024 }: Schema): fc.Arbitrary<string> {
  const lengths = { minLength, maxLength: Math.min(maxLength, minLength + 12) };
  return weighted(
    [4, fc.string(lengths)],
    [2, fc.string({ ...lengths, unit: 'grapheme' })],
    [1, fc.constantFrom('x'.repeat(maxLength), '"\\\u2028\u0001'.slice(0, maxLength))],
  );
}

function stringOf(schema: Schema): fc.Arbitrary<unknown> {
  const { format, pattern } = schema;
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.map((one) => one.slice(0, 10));
  if (format === 'uri') return fc.webUrl();
  return pattern === undefined ? text(schema) : fc.stringMatching(new RegExp(pattern), { size: '-1' });
}

function integerOf({ minimum = -1000, maximum = 100_000 }: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 10) }),
    fc.integer({ min: minimum, max: maximum }),
  );
}

function listOf({ items = {}, minItems = 0, maxItems = 3 }: Schema): fc.Arbitrary<unknown> {
  const item = valueOf('', items);
  const max = Math.min(maxItems, 3);
  return weighted(
    [6, fc.array(item, { minLength: Math.min(1, max), maxLength: max })],
    [1, fc.array(item, { minLength: minItems, maxLength: max })],
  );
}

function typed(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
      return integerOf(schema);
    case 'number':
      return fc.oneof(fc.nat({ max: 1000 }), fc.double({ min: 0.01, max: 1000, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema);
    default:
      return objectOf(schema);
  }
}

/** An object with the members that must be there, and a few of the others. */
export function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties);
  if (members.length === 0) {
    const inner = additionalProperties ? valueOf('', additionalProperties) : fc.jsonValue({ maxDepth: 2 });
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), inner, { maxKeys: 3 });
  }
  // Of many that may be there, each is seldom; where there are few, they are what the call is about.
  const absence = Math.min(6, (members.length - required.length) / 2);
  const all = members.map(([name, member]) => {
    const value = valueOf(name, member);
    if (required.includes(name)) return value;
    const weight = Math.ceil(OFTEN.has(name) ? 1 : absence);
    return weighted<unknown>([weight, fc.constant(ABSENT)], [1, value]);
  });
  return fc
    .tuple(...all)
    .map((values) =>
      Object.fromEntries(
        values.flatMap((value, i) => (value === ABSENT ? [] : [[members[i]?.[0] ?? '', value] as const])),
      ),
    );
}

const KNOWN = new Map<Schema, Map<string, fc.Arbitrary<unknown>>>();

/** A value of a member of a name: an identifier of an earlier answer, a good value, or whatever its schema takes. */
export function valueOf(name: string, referring: Schema): fc.Arbitrary<unknown> {
  const schema = schemaOf(referring);
  const byName = KNOWN.get(schema) ?? new Map<string, fc.Arbitrary<unknown>>();
  KNOWN.set(schema, byName);
  const made = byName.get(name) ?? makeValue(name, schema);
  byName.set(name, made);
  return made;
}

function genericOf(name: string, { anyOf, ...schema }: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type !== undefined) {
    return fc.oneof(...[schema.type].flat().map((one) => typed(one, schema)));
  }
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valueOf(name, one)));
  return fc.jsonValue({ maxDepth: 2 });
}

function makeValue(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const generic = genericOf(name, schema);
  const pool = poolOfMember(name);
  const good = name === 'Token' || pool === null ? hintFor(name, schema) : identifierOf(pool);
  if (good === null) return generic;
  return weighted([9, good], [1, generic]);
}
