import { sdkName } from '../core/dialect/sdk-answer.js';
import { ABSENT_FIELDS, ANSWER_WORDS, OWN_MAPS } from '../core/dialect/sdk-tables.js';
import { isObject, type Json, type JsonObject } from './compact.js';

/** The schemas of a document by their names. */
export type Schemas = Readonly<Record<string, JsonObject>>;

/** The schema of the record in a message, made from that of answers: in camelCase, without null. */
export function messageSchema(component: string, schemas: Schemas): JsonObject {
  return sentOf(schemas[component] ?? {}, schemas, component);
}

function sentOf(schema: JsonObject, schemas: Schemas, name: string): JsonObject {
  const { $ref, anyOf, type, enum: words, properties, required: _, items, ...rest } = schema;
  if (typeof $ref === 'string') return sentOf(componentOf($ref, schemas), schemas, name);
  if (Array.isArray(anyOf)) return sentOfAny(anyOf as readonly JsonObject[], rest, schemas, name);
  return {
    ...rest,
    ...(type === undefined ? {} : { type: withoutNull(type) }),
    ...(Array.isArray(words) ? { enum: wordsOf(words as readonly Json[], name) } : {}),
    ...(isObject(items) ? { items: sentOf(items, schemas, name) } : {}),
    ...(isObject(properties) ? propertiesOf(properties as Schemas, schemas, name) : {}),
  };
}

function sentOfAny(
  anyOf: readonly JsonObject[],
  rest: JsonObject,
  schemas: Schemas,
  name: string,
): JsonObject {
  const kept = anyOf.filter(({ type }) => type !== 'null').map((one) => sentOf(one, schemas, name));
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? { ...only, ...rest } : { ...rest, anyOf: kept };
}

function propertiesOf(properties: Schemas, schemas: Schemas, within: string): JsonObject {
  const answered = Object.entries(properties).filter(([, { type }]) => type !== 'null');
  const sent = answered.map(([name, schema]): [string, Json] => [
    sdkName(name),
    OWN_MAPS.has(name) ? sentMap(schema) : sentOf(schema, schemas, name),
  ]);
  const required = answered.flatMap(([name, schema]) => (takesNull(schema) ? [] : [sdkName(name)]));
  return {
    properties: Object.fromEntries([...addedTo(properties, within), ...sent]),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The further fields that client libraries read, except those that are null. */
function addedTo(properties: Schemas, within: string): [string, Json][] {
  const absent = Object.keys(properties).flatMap((name) => ABSENT_FIELDS.get(name) ?? []);
  const flags = absent.flatMap(([name, stand]): [string, Json][] =>
    stand === false ? [[sdkName(name), { type: 'boolean' }]] : [],
  );
  return within === 'PaymentInformation' ? [...flags, ['providerType', { type: 'string' }]] : flags;
}

/** A caller's own map, whose keys are not renamed. */
function sentMap({ type, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(type === undefined ? {} : { type: withoutNull(type) }) };
}

function componentOf(reference: string, schemas: Schemas): JsonObject {
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

function takesNull({ type, anyOf }: JsonObject): boolean {
  const all = Array.isArray(anyOf) ? (anyOf as readonly JsonObject[]).map((one) => one['type']) : [type];
  return all.flat().includes('null');
}

function withoutNull(type: Json): Json {
  if (!Array.isArray(type)) return type;
  const others = (type as readonly Json[]).filter((one) => one !== 'null');
  return others.length === 1 ? (others[0] as Json) : others;
}

/** The words of both dialects. */
function wordsOf(words: readonly Json[], name: string): readonly Json[] {
  const inSdk = ANSWER_WORDS.get(name);
  return words.flatMap((word) => {
    if (word === null) return [];
    const other = typeof word === 'string' ? inSdk?.get(word) : undefined;
    return other === undefined ? [word] : [word, other];
  });
}
