import { NO_EFFECT } from '../http/fields/fields.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** Parameters of at least this many operations become components. */
const SHARED_MIN = 2;
/** Fields that occur at least this often in bodies become components, unless they are shorter than a reference. */
const REPEATED_MIN = 3;
const WORTH_A_NAME = 85;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same document, with shorter forms of JSON Schema and without redundant parts. */
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
  return merged(inner);
}

function goesWithoutSaying(name: string, value: Json, within: JsonObject): boolean {
  if (name === 'pattern') return within['format'] === 'date-time';
  if (name === 'minimum' || name === 'maximum') return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return name === 'propertyNames';
}

/** Merges alternatives of which all but the first are bare types, such as a string or null, into one schema with several types. */
function merged(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const [first = {}, ...others] = Array.isArray(anyOf) ? (anyOf as readonly JsonObject[]) : [];
  const { type, enum: words } = first;
  const takes = others.map((one) => (Object.keys(one).length === 1 ? one['type'] : undefined));
  // Constraints on strings do not affect other types, but an enum does.
  const isText = type === 'string' && words === undefined;
  if (takes.length === 0 || type === undefined) return schema;
  if (!takes.every((one) => one === 'null' || (isText && one !== undefined))) return schema;
  const enumeration = Array.isArray(words) ? { enum: [...(words as readonly Json[]), null] } : {};
  return { ...first, type: [type, ...(takes as Json[])].flat(), ...enumeration, ...rest };
}

/** The same document, with repeated parts as components. */
export function hoisted(document: JsonObject): JsonObject {
  const parameters = new Shared('parameters', SHARED_MIN, 0);
  const schemas = new Shared('schemas', REPEATED_MIN, WORTH_A_NAME);
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  const walk = (): JsonObject =>
    mapped(paths, (item) => mapped(item, (operation) => referring(operation, parameters, schemas)));
  // The first walk counts, the second one adds the references.
  walk();
  parameters.isCounting = schemas.isCounting = false;
  const referred = walk();
  const components = document['components'] as Readonly<Record<string, JsonObject>>;
  const all = { ...components['schemas'], ...Object.fromEntries(schemas.components) };
  return {
    ...document,
    paths: referred,
    components: {
      ...components,
      schemas: Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      parameters: Object.fromEntries(parameters.components),
    },
  };
}

function referring(operation: JsonObject, shared: Shared, schemas: Shared): JsonObject {
  const { parameters, requestBody } = operation;
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : {
          parameters: (parameters as readonly JsonObject[]).map((one) =>
            shared.see(one['name'] as string, one),
          ),
        }),
    ...(requestBody === undefined ? {} : { requestBody: referringIn(requestBody, schemas) }),
  };
}

/** A part of a body, with references in place of the fields that are components. */
function referringIn(value: Json, schemas: Shared): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => referringIn(one, schemas));
  if (!isObject(value)) return value;
  return mapped(value, (one, name) => {
    if (name === 'example') return one;
    if (name !== 'properties') return referringIn(one, schemas);
    return mapped(one as JsonObject, (schema, field) =>
      schemas.see(inputName(field, schema), schema, referringIn(schema, schemas)),
    );
  });
}

/** All fields without effect share one component. */
function inputName(field: string, schema: Json): string {
  const isIgnored = isObject(schema) && schema['description'] === NO_EFFECT;
  return isIgnored ? 'IgnoredInput' : `${field}Input`;
}

function mapped<T extends Json>(
  object: { readonly [name: string]: T },
  map: (value: T, name: string) => Json,
) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

/** Parts that occur several times, and become components. */
class Shared {
  isCounting = true;
  readonly components = new Map<string, Json>();
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly leastCount: number,
    private readonly leastLength: number,
  ) {}

  /** Returns a reference if the value occurs often enough. `inner` is the content of the component. */
  see(name: string, value: Json, inner = value): Json {
    const key = `${name} ${JSON.stringify(value)}`;
    const count = this.#counts.get(key) ?? 0;
    if (this.isCounting) this.#counts.set(key, count + 1);
    if (this.isCounting || count < this.leastCount || key.length < this.leastLength) return inner;
    return { $ref: `#/components/${this.folder}/${this.#put(name, inner)}` };
  }

  /** Adds a component and returns its name, with a number if the name is already used. */
  #put(name: string, component: Json): string {
    for (let n = 1; ; n++) {
      const tried = n === 1 ? name : `${name}${n}`;
      const kept = this.components.get(tried);
      if (kept === undefined) this.components.set(tried, component);
      if (kept === undefined || JSON.stringify(kept) === JSON.stringify(component)) return tried;
    }
  }
}
