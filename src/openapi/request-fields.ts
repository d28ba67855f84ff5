import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';

import { CODE } from '../core/errors.js';
import { neverBoth } from '../http/fields/field.js';
import { innerOf, metaAt } from '../http/fields/issues.js';

/** Reads the schemas of requests for the description: fields, error codes, and how values are sent. */

/** The fields of an object, without its wrappers. */
export function listFields(schema: $ZodType): [name: string, field: $ZodType][] {
  const { shape, element } = schema._zod.def as unknown as {
    shape?: Record<string, $ZodType>;
    element?: $ZodType;
  };
  if (shape !== undefined) return Object.entries(shape);
  const inner = element ?? innerOf(schema);
  return inner === undefined ? [] : listFields(inner);
}

export function isRequired(schema: $ZodType): boolean {
  return schema._zod.optin === undefined;
}

/** The codes that a schema and its fields refuse with. */
export function listErrorCodes(schema: $ZodType): number[] {
  const { code, otherCodes = [], missingCode } = z.globalRegistry.get(schema) ?? {};
  const own = [code, missingCode, ...otherCodes].filter((errorCode) => errorCode !== undefined);
  const inner = innerOf(schema);
  const below = inner === undefined ? listFields(schema).map(([, field]) => field) : [inner];
  return [CODE.ValidationError, ...own, ...below.flatMap(listErrorCodes)];
}

/** Metadata for validation, which does not belong into the description. */
const NOT_FOR_READERS = [
  'code',
  'otherCodes',
  'missingCode',
  'missing',
  'sample',
  'expected',
  'wrong',
  'instant',
  'amount',
  'values',
  'orderBy',
  'optionalInSdk',
  'keepsNull',
  'neverWith',
  'sent',
];

/** Adapts the JSON Schema that zod makes of a field to what clients really send. */
export function fitField(schema: $ZodType, json: Record<string, unknown>): void {
  const { sent, optionalInSdk } = z.globalRegistry.get(schema) ?? {};
  if (sent !== undefined) {
    const { description } = json;
    for (const name of Object.keys(json)) delete json[name];
    Object.assign(json, sent, description === undefined ? {} : { description });
  }
  if (optionalInSdk) requireInDocumented(json);
  Object.assign(json, findExclusivePair(schema));
  if (json['default'] === null) delete json['default'];
  // Null counts as left out.
  if (schema._zod.def.type === 'optional' && typeof json['type'] === 'string')
    json['type'] = [json['type'], 'null'];
  dropInternalMeta(json);
}

export function dropInternalMeta(json: Record<string, unknown>): void {
  for (const name of NOT_FOR_READERS) delete json[name];
}

/** The two fields of an object that may not both have values. */
function findExclusivePair(schema: $ZodType): object {
  const { shape } = schema._zod.def as { readonly shape?: Readonly<Record<string, $ZodType>> };
  for (const [name, field] of Object.entries(shape ?? {})) {
    const { neverWith } = metaAt(field, []);
    if (neverWith !== undefined) return neverBoth(name, neverWith);
  }
  return {};
}

/** Removes null, which the documented dialect does not accept here. */
function requireInDocumented(json: Record<string, unknown>): void {
  const { anyOf } = json;
  const [only] = Array.isArray(anyOf) ? (anyOf as readonly object[]) : [];
  delete json['anyOf'];
  for (const [name, value] of Object.entries(only ?? {})) json[name] ??= value;
  const description = typeof json['description'] === 'string' ? json['description'] : '';
  json['description'] = `${description} Optional in the sdk dialect.`.trim();
}

/** A query parameter, which may be left out but is never null. */
export function fitParameter({ schema, ...rest }: QueryParameter): QueryParameter {
  const { anyOf, ...outer } = schema;
  const [only = {}] = Array.isArray(anyOf) ? (anyOf as readonly object[]) : [];
  const { description, specified, ...json } = { ...only, ...outer } as Readonly<Record<string, unknown>>;
  const { type, enum: words } = json;
  return {
    ...rest,
    ...(specified === undefined ? {} : { name: specified }),
    ...(description === undefined ? {} : { description }),
    schema: {
      ...json,
      ...(Array.isArray(type) ? { type: dropNullFrom(type) } : {}),
      ...(Array.isArray(words) ? { enum: words.filter((word) => word !== null) } : {}),
    },
  };
}

export interface QueryParameter {
  readonly in: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
}

function dropNullFrom(types: readonly unknown[]): unknown {
  const others = types.filter((type) => type !== 'null');
  return others.length === 1 ? others[0] : others;
}
