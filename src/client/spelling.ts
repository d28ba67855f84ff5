/**
 * Converts between the control API's PascalCase and a program's camelCase. Only fields of the control API are renamed. The
 * service's own bodies and the caller's data are unchanged.
 */

import { isPlainObject } from './sendable.js';

/** Fields whose content is not renamed, by their names on the wire. */
export const FOREIGN = [
  'Body',
  'Definition',
  'PaymentInformation',
  'RequestBody',
  'RequestHeaders',
  'ResponseBody',
  'State',
] as const;

const FOREIGN_NAMES: ReadonlySet<string> = new Set(FOREIGN);

/** An answer of the control API as a program reads it. `Exact` replaces the types of some fields. */
export type ClientAnswer<T, Exact = unknown> = Omit<CamelCased<T>, keyof Exact> & Readonly<Exact>;

type CamelCased<T> = T extends readonly (infer Item)[]
  ? readonly CamelCased<Item>[]
  : T extends object
    ? CamelCasedObject<T>
    : T;

type CamelCasedObject<T extends object> = string extends keyof T
  ? Readonly<Record<string, CamelCased<T[keyof T]>>>
  : {
      readonly [K in keyof T as Uncapitalize<K & string>]: K extends (typeof FOREIGN)[number]
        ? AsSent<T[K]>
        : CamelCased<T[K]>;
    };

/** An answer with field names as on the wire, read-only. */
export type AsSent<T> = T extends readonly (infer Item)[]
  ? readonly AsSent<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: AsSent<T[K]> }
    : T;

/** A program's value as the control API reads it. A Date becomes an ISO 8601 text. */
export function toWire(value: unknown): unknown {
  return renameFields(value, (name) => name.charAt(0).toUpperCase() + name.slice(1));
}

/** An answer of the control API as a program reads it. */
export function fromWire(value: unknown): unknown {
  return renameFields(value, (name) => name.charAt(0).toLowerCase() + name.slice(1));
}

function renameFields(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameFields(item, rename));
  if (value instanceof Date) return value.toISOString();
  if (!isPlainObject(value) || 'toJSON' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isForeign = FOREIGN_NAMES.has(name) || FOREIGN_NAMES.has(rename(name));
      return [rename(name), isForeign ? field : renameFields(field, rename)];
    }),
  );
}
