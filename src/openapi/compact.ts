import { NO_EFFECT } from '../http/fields/fields.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type DocumentObject = { readonly [name: string]: Json };

/** Parameters of at least this many operations become components. */
const SHARED_MIN = 2;
/** Fields that occur at least this often in bodies become components, unless they are shorter than a reference. */
const REPEATED_MIN = 3;
const WORTH_A_NAME = 85;

export function isDocumentObject(value: Json | undefined): value is DocumentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a document with shorter forms of JSON Schema, such as `type: ['string', 'null']`, and without redundant parts. */
export function compactDocument(document: object): DocumentObject {
  return shortenPart(JSON.parse(JSON.stringify(document)) as Json) as DocumentObject;
}

function shortenPart(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(shortenPart);
  if (!isDocumentObject(value)) return value;
  const kept = Object.entries(value).filter(([name, part]) => !isRedundant(name, part, value));
  const inner = Object.fromEntries(
    kept.map(([name, part]) => [name, name === 'example' || name === 'examples' ? part : shortenPart(part)]),
  );
  return mergeAlternatives(inner);
}

function isRedundant(name: string, value: Json, within: DocumentObject): boolean {
  if (name === 'pattern') return within['format'] === 'date-time';
  if (name === 'minimum' || name === 'maximum') return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return name === 'propertyNames';
}

/** Merges alternatives of which all but the first are bare types, such as a string or null, into one schema with several types. */
function mergeAlternatives(schema: DocumentObject): DocumentObject {
  const { anyOf, ...rest } = schema;
  const [first = {}, ...others] = Array.isArray(anyOf) ? (anyOf as readonly DocumentObject[]) : [];
  const { type, enum: words } = first;
  const takes = others.map((option) => (Object.keys(option).length === 1 ? option['type'] : undefined));
  // Constraints on strings do not affect other types, but an enum does.
  const isText = type === 'string' && words === undefined;
  if (takes.length === 0 || type === undefined) return schema;
  if (!takes.every((otherType) => otherType === 'null' || (isText && otherType !== undefined))) return schema;
  const enumeration = Array.isArray(words) ? { enum: [...(words as readonly Json[]), null] } : {};
  return { ...first, type: [type, ...(takes as Json[])].flat(), ...enumeration, ...rest };
}

/** Returns a document with its repeated parts as components. */
export function hoistRepeated(document: DocumentObject): DocumentObject {
  const parameters = new SharedParts('parameters', SHARED_MIN, 0);
  const schemas = new SharedParts('schemas', REPEATED_MIN, WORTH_A_NAME);
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, DocumentObject>>>>;
  const walk = (): DocumentObject =>
    mapFields(paths, (item) => mapFields(item, (operation) => addReferences(operation, parameters, schemas)));
  // The first walk counts, the second one adds the references.
  walk();
  parameters.isCounting = schemas.isCounting = false;
  const referred = walk();
  const components = document['components'] as Readonly<Record<string, DocumentObject>>;
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

function addReferences(operation: DocumentObject, shared: SharedParts, schemas: SharedParts): DocumentObject {
  const { parameters, requestBody } = operation;
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : {
          parameters: (parameters as readonly DocumentObject[]).map((parameter) =>
            shared.shareIfRepeated(parameter['name'] as string, parameter),
          ),
        }),
    ...(requestBody === undefined ? {} : { requestBody: addBodyReferences(requestBody, schemas) }),
  };
}

/** A part of a body, with references in place of the fields that are components. */
function addBodyReferences(value: Json, schemas: SharedParts): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => addBodyReferences(item, schemas));
  if (!isDocumentObject(value)) return value;
  return mapFields(value, (part, name) => {
    if (name === 'example') return part;
    if (name !== 'properties') return addBodyReferences(part, schemas);
    return mapFields(part as DocumentObject, (schema, field) =>
      schemas.shareIfRepeated(inputName(field, schema), schema, addBodyReferences(schema, schemas)),
    );
  });
}

/** All fields without effect share one component. */
function inputName(field: string, schema: Json): string {
  const isIgnored = isDocumentObject(schema) && schema['description'] === NO_EFFECT;
  return isIgnored ? 'IgnoredInput' : `${field}Input`;
}

function mapFields<T extends Json>(
  object: { readonly [name: string]: T },
  map: (value: T, name: string) => Json,
) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

/** Parts that occur several times, and become components. */
class SharedParts {
  isCounting = true;
  readonly components = new Map<string, Json>();
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly leastCount: number,
    private readonly leastLength: number,
  ) {}

  /** Returns a reference if the value occurs often enough. `inner` is the content of the component. */
  shareIfRepeated(name: string, value: Json, inner = value): Json {
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
