import { decodeBase64, encodeBase64 } from '../../core/base64.js';
import { nearest } from '../../core/nearest.js';
import { kindOf } from '../../http/field.js';

/** What does not fit in a document, and where: the names from the outermost on. */
export class Misfit extends Error {
  readonly path: (string | number)[] = [];
}

export function misfit(reason: string): never {
  throw new Misfit(reason);
}

/** How a value stands in a document: reading checks it whole, and gives back what writing was given. */
export interface Shape<T> {
  readonly read: (value: unknown) => T;
  /** Undefined: the member is left out. */
  readonly write: (value: T) => unknown;
}

/** Reads a part, and says where it stands when it does not fit. */
export function within<T>(name: string | number, read: (value: unknown) => T, value: unknown): T {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Misfit) error.path.unshift(name);
    throw error;
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object whose members are those of the record, their names in PascalCase; no other member may stand there. */
export function record<T extends object>(shapes: { readonly [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const members = Object.entries(shapes as Record<string, Shape<unknown>>).map(([key, shape]) => ({
    key,
    name: key.charAt(0).toUpperCase() + key.slice(1),
    shape,
  }));
  return {
    read(value) {
      if (!isPlainObject(value)) return misfit(`must be an object, not ${kindOf(value)}`);
      const made: Record<string, unknown> = {};
      let seen = 0;
      for (const { key, name, shape } of members) {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        if (given !== undefined) seen++;
        made[key] = within(name, shape.read, given);
      }
      if (Object.keys(value).length !== seen) refuseUnknown(value, members);
      return made as T;
    },
    write(value) {
      const written: Record<string, unknown> = {};
      for (const { key, name, shape } of members) written[name] = shape.write(value[key as keyof T]);
      return written;
    },
  };
}

function refuseUnknown(value: object, members: readonly { readonly name: string }[]): never {
  const known = members.map(({ name }) => name);
  const unknown = Object.keys(value).find((name) => !known.includes(name)) ?? '';
  const [near] = nearest(unknown, known);
  const shown = JSON.stringify(unknown.slice(0, 64));
  return misfit(`has an unknown member ${shown}${near === undefined ? '' : `, did you mean ${near}?`}`);
}

/** A member that is left out when it is null. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return {
    read: (value) => (value === undefined || value === null ? null : shape.read(value)),
    write: (value) => (value === null ? undefined : shape.write(value)),
  };
}

/** A member that is left out when it is empty. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    read: (value) => {
      if (value === undefined) return [];
      if (!Array.isArray(value)) return misfit(`must be a list, not ${kindOf(value)}`);
      return value.map((item, n) => within(n, shape.read, item));
    },
    write: (items) => (items.length === 0 ? undefined : items.map((item) => shape.write(item))),
  };
}

/** A value that stands in the document as it is. */
function plain<T>(read: (value: unknown) => T): Shape<T> {
  return { read, write: (value) => value };
}

export function whole(min: number, max: number): Shape<number> {
  return plain((value) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    return misfit(`must be a whole number from ${min} to ${max}`);
  });
}

export function number(min: number, max: number): Shape<number> {
  return plain((value) =>
    typeof value === 'number' && value >= min && value <= max
      ? value
      : misfit(`must be a number from ${min} to ${max}`),
  );
}

export const flag: Shape<boolean> = plain((value) =>
  typeof value === 'boolean' ? value : misfit(`must be true or false, not ${kindOf(value)}`),
);

export function text(
  max: number,
  fits: (value: string) => boolean = () => true,
  what = 'text',
): Shape<string> {
  return plain((value) => {
    if (typeof value !== 'string') return misfit(`must be ${what}, not ${kindOf(value)}`);
    if (value.length > max) return misfit(`has ${value.length} characters, at most ${max} are taken`);
    return fits(value) ? value : misfit(`must be ${what}`);
  });
}

/** Equal texts become one string: most records share these with many others. */
export function shared(shape: Shape<string>): Shape<string> {
  const known = new Map<string, string>();
  return plain((value) => {
    const before = typeof value === 'string' ? known.get(value) : undefined;
    if (before !== undefined) return before;
    const read = shape.read(value);
    known.set(read, read);
    return read;
  });
}

export function word<W extends string>(...words: readonly W[]): Shape<W> {
  return plain((value) => words.find((one) => one === value) ?? misfit(`must be one of ${words.join(', ')}`));
}

/** A caller's own map of texts. */
export const texts = (keysMax: number, max: number): Shape<Readonly<Record<string, string>>> => {
  const item = text(max);
  return plain((value) => {
    if (!isPlainObject(value)) return misfit(`must be an object of texts, not ${kindOf(value)}`);
    const entries = Object.entries(value);
    if (entries.length > keysMax) return misfit(`has ${entries.length} keys, at most ${keysMax} are taken`);
    return Object.fromEntries(
      entries.map(([key, given]) => {
        if (key.length > max) misfit(`has a key of more than ${max} characters`);
        return [key, within(key, item.read, given)];
      }),
    );
  });
};

export const bytes: Shape<Uint8Array> = {
  read: (value) =>
    (typeof value === 'string' ? decodeBase64(value) : undefined) ?? misfit('must be bytes as Base64'),
  write: encodeBase64,
};

/** A long text as the Base64 of its UTF-8, which needs no escapes. */
export const utf8: Shape<string> = {
  read: (value) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.read(value)),
  write: (value) => bytes.write(new TextEncoder().encode(value)),
};
