/** Any JSON. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** Parameters that stand at as many operations become components. */
const SHARED_MIN = 2;
/** Members of bodies that stand there as often become components, unless they are shorter than a reference. */
const REPEATED_MIN = 3;
const WORTH_A_NAME = 80;

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same document in fewer words: what JSON Schema can say shorter, without what goes without saying. */
export function compacted(document: object): JsonObject {
  return shorter(JSON.parse(JSON.stringify(document)) as Json) as JsonObject;
}

function shorter(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(shorter);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, one]) => !goesWithoutSaying(name, one, value));
  const inner = Object.fromEntries(
    kept.map(([name, one]) => [name, name === 'example' || name === 'examples' ? one : shorter(one)]),
  );
  return orNull(inner);
}

function goesWithoutSaying(name: string, value: Json, within: JsonObject): boolean {
  if (name === 'pattern') return within['format'] === 'date-time';
  if (name === 'minimum' || name === 'maximum') return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return name === 'propertyNames';
}

/** A schema or null as one schema of two types. */
function orNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf as readonly Json[];
  if (!isObject(first) || !isObject(second) || second['type'] !== 'null') return schema;
  const { type, enum: words } = first;
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const both = Array.isArray(words) ? { enum: [...(words as readonly Json[]), null] } : {};
  return { ...first, type: [...types, 'null'], ...both, ...rest };
}

/** The same document with what stands in it several times as components. */
export function hoisted(document: JsonObject): JsonObject {
  const kept = new Map<string, Json>();
  const parameters = sharedParameters(document);
  const schemas = { kept, counts: countBodies(document) };
  const paths = Object.entries(document['paths'] as JsonObject).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as JsonObject).map(([method, operation]) => [
        method,
        referring(operation as JsonObject, schemas, parameters),
      ]),
    ),
  ]);
  const components = document['components'] as Readonly<Record<string, JsonObject>>;
  const all = { ...components['schemas'], ...Object.fromEntries(kept) };
  return {
    ...document,
    paths: Object.fromEntries(paths) as JsonObject,
    components: {
      ...components,
      schemas: Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      parameters: Object.fromEntries([...parameters].map(([text, name]) => [name, JSON.parse(text) as Json])),
    },
  };
}

function referring(
  { parameters, requestBody, ...rest }: JsonObject,
  schemas: Schemas,
  shared: ReadonlyMap<string, string>,
): JsonObject {
  const { responses, ...head } = rest;
  return {
    ...head,
    ...(Array.isArray(parameters)
      ? {
          parameters: (parameters as readonly Json[]).map((parameter) => {
            const name = shared.get(JSON.stringify(parameter));
            return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
          }),
        }
      : {}),
    ...(requestBody === undefined ? {} : { requestBody: named(requestBody, schemas) }),
    responses: responses ?? {},
  };
}

/** What stands in a body, with references in place of the members that have a name. */
function named(value: Json, schemas: Schemas): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => named(one, schemas));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (name === 'example') return [name, one];
      return [name, name === 'properties' ? namedMembers(one as JsonObject, schemas) : named(one, schemas)];
    }),
  );
}

function namedMembers(members: JsonObject, schemas: Schemas): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const isRepeated = (schemas.counts.get(keyOf(name, schema)) ?? 0) >= REPEATED_MIN;
      const inner = named(schema, schemas);
      if (!isRepeated) return [name, inner];
      return [name, { $ref: `#/components/schemas/${put(`${name}Input`, inner, schemas.kept)}` }];
    }),
  );
}

/** What is sent in several bodies: how often, and what was given a name. */
interface Schemas {
  readonly counts: ReadonlyMap<string, number>;
  readonly kept: Map<string, Json>;
}

const keyOf = (name: string, schema: Json): string => `${name} ${JSON.stringify(schema)}`;

/** How often each member stands in bodies. */
function countMembers(value: Json, counts: Map<string, number>): Map<string, number> {
  if (Array.isArray(value)) for (const one of value as readonly Json[]) countMembers(one, counts);
  else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      if (name === 'example') continue;
      if (name === 'properties') {
        for (const [member, schema] of Object.entries(one as JsonObject)) {
          const key = keyOf(member, schema);
          if (key.length >= WORTH_A_NAME) counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
      countMembers(one, counts);
    }
  }
  return counts;
}

/** The name under which a schema is kept; another one of the same name has a number behind. */
function put(name: string, schema: Json, schemas: Map<string, Json>): string {
  for (let n = 1; ; n++) {
    const tried = n === 1 ? name : `${name}${n}`;
    const kept = schemas.get(tried);
    if (kept === undefined) schemas.set(tried, schema);
    if (kept === undefined || JSON.stringify(kept) === JSON.stringify(schema)) return tried;
  }
}

function countBodies({ paths }: JsonObject): Map<string, number> {
  const counts = new Map<string, number>();
  for (const operation of operationsOf(paths)) countMembers(operation['requestBody'] ?? null, counts);
  return counts;
}

function operationsOf(paths: Json | undefined): JsonObject[] {
  return Object.values(paths as JsonObject).flatMap(
    (item) => Object.values(item as JsonObject) as JsonObject[],
  );
}

/** The parameters that several operations have, as JSON texts, and what they are called. */
function sharedParameters({ paths }: JsonObject): Map<string, string> {
  const counts = new Map<string, number>();
  for (const operation of operationsOf(paths)) {
    for (const parameter of (operation['parameters'] ?? []) as readonly Json[]) {
      const text = JSON.stringify(parameter);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const names = new Map<string, string>();
  for (const [text, count] of counts) {
    if (count < SHARED_MIN) continue;
    const { name } = JSON.parse(text) as { name: string };
    const taken = [...names.values()].filter((one) => one.replace(/\d+$/, '') === name).length;
    names.set(text, taken === 0 ? name : `${name}${taken + 1}`);
  }
  return names;
}
