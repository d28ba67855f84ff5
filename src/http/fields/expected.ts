import * as z from 'zod';

import { shortenText } from '../../core/cards/card.js';
import { findNearest, suggest } from '../../core/text/nearest.js';
import { isObject, endSentence } from '../../core/text/text.js';
import { type AcceptedValues, whyImpossibleAmount } from '../../records/field-values.js';
import { innerOf, metaAt, whyRefused } from './issues.js';

/** Judges what a test expects of a record by the record's schema. A value that none can have would make a test with `not` pass. */

/** Where an expected value stands. */
export interface ExpectedPlace {
  /** The kind of record, such as `a charge`. */
  readonly noun: string;
  /** The names of the fields that lead to it. */
  readonly path: readonly string[];
  /** The currency of its amounts, if the test names one. */
  readonly currency?: string | undefined;
}

type AnySchema = z.core.$ZodType;
type FieldSchemas = Readonly<Record<string, AnySchema>>;

/**
 * How an expected value compares itself with another one: a regular expression, a Date, or a matcher of a test runner such as
 * `expect.any(String)`. Null for any other value.
 */
export function findComparison(expected: unknown): ((value: unknown) => boolean) | null {
  const kind = readTypeTag(expected);
  if (kind === 'RegExp') return (value) => typeof value === 'string' && value.search(expected as RegExp) >= 0;
  if (kind === 'Date') return (value) => value === (expected as Date).toISOString();
  const compare = isObject(expected) ? expected['asymmetricMatch'] : undefined;
  return typeof compare === 'function' ? (value) => compare.call(expected, value) === true : null;
}

/** `RegExp` for any regular expression, also one of another realm, such as a test file of Jest; `Promise` also for a query that waits. */
export function readTypeTag(value: unknown): string {
  if (isObject(value) && typeof value['then'] === 'function') return 'Promise';
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Why nothing that the schema describes is like the expected value, as a sentence; null if something may be. */
export function whyImpossible(schema: AnySchema, expected: unknown, place: ExpectedPlace): string | null {
  // A field of a message that has no value is left out.
  if (expected === null && [null, undefined].some((one) => z.safeParse(schema, one).success)) return null;
  const inner = innerOf(schema);
  if (inner !== undefined) return whyImpossible(inner, expected, place);
  const says = (why: string): string => endSentence(`${place.path.join('.') || 'what is expected'} ${why}`);
  if (readTypeTag(expected) === 'Date') {
    const instant = expected as Date;
    if (Number.isNaN(instant.getTime())) return says('is an invalid Date, which has no time');
    return whyImpossible(schema, instant.toISOString(), place);
  }
  if (expected === undefined) return says('is undefined. Leave it out, or write null if it has no value');
  if (readTypeTag(expected) === 'Promise') return says('is a promise. Await it first');
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const compares = findComparison(expected);
  if (compares !== null && place.path.length > 0) return whyNothingFits(schema, expected, compares, says);
  const expects = (kind: string): string => says(`is ${formatExpected(expected)}; it must be ${kind}`);
  switch (def.type) {
    case 'object':
      return compares === null && readTypeTag(expected) === 'Object'
        ? whyNoField(def.shape, expected as object, place)
        : expects('an object of fields');
    case 'array':
      return Array.isArray(expected)
        ? findFirstReason(expected.entries(), ([n, item]) =>
            whyImpossible(def.element, item, nestPlace(place, n)),
          )
        : expects('an array');
    case 'record':
      return readTypeTag(expected) === 'Object'
        ? findFirstReason(Object.entries(expected as object), ([name, value]) =>
            whyImpossible(def.valueType, value, nestPlace(place, name)),
          )
        : expects('an object');
    default: {
      const why = whyNoValue(schema, expected, place);
      return why === null ? null : says(why);
    }
  }
}

function nestPlace(place: ExpectedPlace, name: string | number): ExpectedPlace {
  return { ...place, path: [...place.path, String(name)] };
}

function findFirstReason<T>(items: Iterable<T>, judge: (item: T) => string | null): string | null {
  for (const item of items) {
    const why = judge(item);
    if (why !== null) return why;
  }
  return null;
}

function whyNoField(shape: FieldSchemas, expected: object, place: ExpectedPlace): string | null {
  const { noun, path } = place;
  const known = new Map(Object.entries(shape));
  const fields = Object.entries(expected) as [string, unknown][];
  const given = fields.find(([name]) => name.toLowerCase() === 'currency')?.[1];
  const currency = typeof given === 'string' ? given : place.currency;
  return findFirstReason(fields, ([name, value]) => {
    const field = known.get(name);
    if (field !== undefined) return whyImpossible(field, value, { ...nestPlace(place, name), currency });
    const [meant] = findNearest(name, known.keys(), 1);
    const hint = meant === undefined ? `Known: ${[...known.keys()].join(', ')}.` : `Did you mean ${meant}?`;
    return `${noun} has no field ${[...path, name].join('.')}. ${hint}`;
  });
}

/** Why no value of a plain type fits a pattern or a matcher. What a matcher does with a text or a number is known only to itself. */
function whyNothingFits(
  schema: AnySchema,
  expected: unknown,
  compares: (value: unknown) => boolean,
  says: (why: string) => string,
): string | null {
  const shown = formatExpected(expected);
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const { values } = metaAt(schema, []);
  const words = def.type === 'enum' ? Object.values(def.entries) : values?.words;
  if (words !== undefined) {
    const accepted = def.type === 'enum' ? `one of ${words.join(', ')}` : values?.accepted;
    return [...words, null].some(compares)
      ? null
      : says(`is expected to match ${shown}, but it is ${accepted}`);
  }
  if (readTypeTag(expected) === 'Object' || def.type === 'string' || def.type === 'unknown') return null;
  return says(`is expected to match ${shown}, but it is not a string`);
}

/** Why no record has the value, as the end of a sentence; null if one may. */
function whyNoValue(schema: AnySchema, expected: unknown, { currency }: ExpectedPlace): string | null {
  const { amount, values } = metaAt(schema, []);
  if (amount && typeof expected === 'number') return whyImpossibleAmount(expected, currency ?? null);
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (typeof expected === 'string') {
    if (def.type === 'enum' && z.safeParse(schema, expected).success) return null;
    if (values) return whyNotAmong(values, expected);
  }
  const refused = whyRefused(schema as z.ZodType, expected);
  if (refused === null) return null;
  const options = def.type === 'enum' ? Object.values(def.entries).map(String) : [];
  const near = [
    ...findNearest(String(expected), options, 1),
    String(expected),
    Number(expected),
    expected === 'true',
  ];
  const meant = near.find((one) => z.safeParse(schema, one).success);
  const hint = typeof meant === typeof expected ? String(meant) : JSON.stringify(meant);
  return `is ${formatExpected(expected)}; it ${refused.reason}${suggest(hint)}`;
}

function whyNotAmong(values: AcceptedValues, expected: string): string | null {
  const read = values.read(expected);
  if (read === expected) return null;
  const hint = suggest(read ?? values.suggest(expected));
  return `is ${formatExpected(expected)}; it must be ${values.accepted}${hint}`;
}

const VALUE_SHOWN_MAX = 40;

function formatExpected(value: unknown): string {
  if (findComparison(value) !== null) return readTypeTag(value) === 'Object' ? 'a matcher' : String(value);
  // JSON has neither NaN nor a bigint.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  const text = typeof value === 'string' ? shortenText(value, VALUE_SHOWN_MAX) : value;
  return (
    JSON.stringify(text, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ??
    String(text)
  );
}
