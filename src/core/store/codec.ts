import { didYouMean } from '../text/nearest.js';
import { Pool } from './pool.js';
import { isObject, explainTooLong, explainTooManyKeys, explainWrongType } from '../text/text.js';
import { ValidationError } from '../validation-error.js';

/** Writes a value into a document and reads it again. Reading checks the whole value. */
export interface Codec<T> {
  readonly read: (value: unknown) => T;
  /** Returns undefined to leave the field out. */
  readonly write: (value: T) => unknown;
}

interface AnyCodec {
  readonly read: (value: unknown) => unknown;
  readonly write: (value: never) => unknown;
}

export type FieldCodecs = Readonly<Record<string, AnyCodec>>;

export type ValueOf<C extends AnyCodec> = ReturnType<C['read']>;

export type ValuesOf<F extends FieldCodecs> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Throws a ValidationError. Enclosing readers add their names to its path. */
export function invalid(reason: string): never {
  throw new ValidationError(reason);
}

export function invalidAt(path: readonly (string | number)[], reason: string): never {
  const error = new ValidationError(reason);
  error.path.push(...path);
  throw error;
}

/** Reads a value, and adds its name to the path of an error in it. */
export function readAt<T>(name: string | number, read: (value: unknown) => T, value: unknown): T {
  try {
    return read(value);
  } catch (error) {
    throw addPath(error, name);
  }
}

function addPath(error: unknown, ...path: (string | number)[]): unknown {
  if (error instanceof ValidationError) error.path.unshift(...path);
  return error;
}

export function toPascalCase(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

/** An object with a field in PascalCase for each codec. Unknown fields are refused. */
export function record<F extends FieldCodecs>(codecs: F): Codec<ValuesOf<F>> {
  const fields = Object.entries<AnyCodec>(codecs).map(([key, codec]) => ({
    key,
    name: toPascalCase(key),
    codec,
  }));
  return {
    read(value) {
      if (!isObject(value)) return invalid(explainWrongType('an object', value));
      const read: Record<string, unknown> = {};
      let known = 0;
      let at = '';
      try {
        for (const { key, name, codec } of fields) {
          const given = Object.hasOwn(value, name) ? value[name] : undefined;
          if (given !== undefined) known++;
          at = name;
          read[key] = codec.read(given);
        }
      } catch (error) {
        throw addPath(error, at);
      }
      if (Object.keys(value).length !== known) refuseUnknownKeys(value, fields);
      return read as ValuesOf<F>;
    },
    write(value) {
      const written: Record<string, unknown> = {};
      for (const { key, name, codec } of fields) written[name] = codec.write(value[key as keyof F] as never);
      return written;
    },
  };
}

/** Fields of earlier versions. Each is ignored in records that have the field next to it. */
const FORMER_FIELDS: Readonly<Record<string, string>> = { Dialect: 'Authorization', StaleMs: 'BadSignature' };

function refuseUnknownKeys(value: object, fields: readonly { readonly name: string }[]): void {
  const known = fields.map(({ name }) => name);
  const isKnown = (name: string): boolean =>
    known.includes(name) || known.includes(FORMER_FIELDS[name] ?? '');
  const unknown = Object.keys(value).find((name) => !isKnown(name));
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, 64));
  invalid(`has an unknown field ${shown}${didYouMean(unknown, known)}`);
}

type Variants<K extends string, V extends Readonly<Record<string, FieldCodecs>>> = {
  readonly [N in keyof V]: Readonly<Record<K, N>> & ValuesOf<V[N]>;
}[keyof V];

/** An object whose field `tag` decides which other fields it has. */
export function variants<K extends string, V extends Readonly<Record<string, FieldCodecs>>>(
  tag: K,
  fieldsOf: V,
): Codec<Variants<K, V>> {
  const names = Object.keys(fieldsOf);
  const codecs = new Map(
    names.map((name) => [name, record({ [tag]: word(name), ...fieldsOf[name] }) as Codec<unknown>]),
  );
  const named = word(...names);
  const field = toPascalCase(tag);
  return {
    read(value) {
      if (!isObject(value)) return invalid(explainWrongType('an object', value));
      return codecs.get(readAt(field, named.read, value[field]))?.read(value) as Variants<K, V>;
    },
    write: (value) => codecs.get(String(value[tag]))?.write(value),
  };
}

/** A field that is left out when it is null. */
export function orNull<T>(codec: Codec<T>): Codec<T | null> {
  return {
    ...codec,
    read: (value) => (value === undefined || value === null ? null : codec.read(value)),
    write: (value) => (value === null ? undefined : codec.write(value)),
  };
}

/** Adds a check, which returns the reason against a value. */
export function checked<T>(codec: Codec<T>, reasonAgainst: (value: T) => string | undefined): Codec<T> {
  return {
    read: (given) => {
      const value = codec.read(given);
      const reason = reasonAgainst(value);
      return reason === undefined ? value : invalid(reason);
    },
    write: codec.write,
  };
}

/** A field that is left out when it is `standard` itself. */
export function orElse<T>(standard: T, codec: Codec<T>): Codec<T> {
  return {
    read: (value) => (value === undefined ? standard : codec.read(value)),
    write: (value) => (value === standard ? undefined : codec.write(value)),
  };
}

/** A field that is left out when it is empty. */
export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    read: (value) => {
      if (value === undefined) return [];
      if (!Array.isArray(value)) return invalid(explainWrongType('an array', value));
      return value.map((item, n) => readAt(n, codec.read, item));
    },
    write: (items) => (items.length === 0 ? undefined : items.map((item) => codec.write(item))),
  };
}

function plainCodec<T>(read: (value: unknown) => T): Codec<T> {
  return { read, write: (value) => value };
}

export function whole(min: number, max: number): Codec<number> {
  return plainCodec((value) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    return invalid(`must be a whole number from ${min} to ${max}`);
  });
}

export function number(min: number, max: number): Codec<number> {
  return plainCodec((value) =>
    typeof value === 'number' && value >= min && value <= max
      ? value
      : invalid(`must be a number from ${min} to ${max}`),
  );
}

export const flag: Codec<boolean> = plainCodec((value) =>
  typeof value === 'boolean' ? value : invalid(explainWrongType('true or false', value)),
);

/** A flag that is left out when it is false. */
export const toggle: Codec<boolean> = {
  read: (value) => value !== undefined && flag.read(value),
  write: (value) => value || undefined,
};

export function text(
  max: number,
  fits: (value: string) => boolean = () => true,
  what = 'a string',
): Codec<string> {
  return plainCodec((value) => {
    if (typeof value !== 'string') return invalid(explainWrongType(what, value));
    if (value.length > max) return invalid(explainTooLong(value, max));
    return fits(value) ? value : invalid(`must be ${what}`);
  });
}

/** Equal texts become one string object, which saves memory where many records have them. */
export function shared(codec: Codec<string>): Codec<string> {
  const pool = new Pool<string>();
  return plainCodec((value) => {
    const read = codec.read(value);
    return pool.share(read, read);
  });
}

export function word<const W extends string>(...words: readonly W[]): Codec<W> {
  return plainCodec(
    (value) => words.find((one) => one === value) ?? invalid(`must be one of ${words.join(', ')}`),
  );
}

export const tableKey = <K extends string>(table: Readonly<Record<K, unknown>>): Codec<K> =>
  word(...(Object.keys(table) as K[]));

export function textMap(keysMax: number, max: number): Codec<Readonly<Record<string, string>>> {
  const item = text(max);
  return plainCodec((value) => {
    if (!isObject(value)) return invalid(explainWrongType('an object of strings', value));
    const entries = Object.entries(value);
    if (entries.length > keysMax) invalid(explainTooManyKeys(entries.length, keysMax));
    return Object.fromEntries(
      entries.map(([key, given]) => {
        if (key.length > max) invalid(`has a key longer than ${max} characters`);
        return [key, readAt(key, item.read, given)];
      }),
    );
  });
}
