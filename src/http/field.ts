import * as z from 'zod';

import { kindOf as kindOfValue } from '../core/text.js';
import { ValidationError } from '../core/validation-error.js';
import { NumberText } from './json.js';

declare module 'zod/v4/core' {
  interface GlobalMeta {
    /** The error code of a value that is wrong; 90 where a field has none. */
    code?: number;
    /** Further codes that a value may be refused with. */
    otherCodes?: readonly number[];
    /** The error code where a required field is missing; 90 otherwise. */
    missingCode?: number;
    /** What the message for a missing field shows. */
    sample?: string;
    /** The whole message for a missing field, where `sample` does not do. */
    missing?: string;
    /** What a value of the wrong type should have been, such as `text`; the message goes on with what it is. */
    expected?: string;
    /** The whole message for a value of the wrong type, where `expected` does not do. */
    wrong?: string | ((kind: string) => string);
    /** The code of a currency: taken in any letter case. */
    currency?: boolean;
    /** A date-time: client libraries write it in ways of their own. */
    instant?: boolean;
    /** An order by one of these words: client libraries send other words for no order. */
    orderBy?: readonly string[];
    /** What OpenAPI says of what is sent, in place of what the schema shows. */
    sent?: Readonly<Record<string, unknown>>;
    /** Required, but not in the `sdk` dialect. */
    optionalInSdk?: boolean;
    /** A field of the same object that excludes this one. */
    neverWith?: string;
    /** How the specification writes the name of a query parameter, which is taken in any case. */
    specified?: string;
    /** What the server refuses although the description takes it, for its readers. */
    'x-server-checks'?: string;
  }
}

export function kindOf(value: unknown): string {
  return value instanceof NumberText ? 'a number' : kindOfValue(value);
}

export function refuseValue(
  context: { readonly issues: unknown[] },
  message: string,
  { code, path = [] }: { readonly code?: number | undefined; readonly path?: readonly string[] } = {},
): never {
  context.issues.push({ code: 'custom', message, input: undefined, path: [...path], params: { code } });
  return z.NEVER;
}

/** A value of the input schema, read into what the program works with. The schema of what is sent stays visible to OpenAPI. */
export function readAs<I extends z.ZodType, T>(input: I, read: (value: z.output<I>) => T | ValidationError) {
  return z.pipe(
    input,
    z.transform((value: z.output<I>, context): T => {
      const result = read(value);
      return result instanceof ValidationError
        ? refuseValue(context, result.message, { code: result.code })
        : result;
    }),
  );
}

/** The fields of a request and the command that they make; made with the first call that needs it. */
export const request = <F extends z.ZodRawShape, C>(
  fields: () => F,
  command: (body: z.output<z.ZodObject<F>>, context: z.RefinementCtx) => C,
) => z.lazy(() => z.object(fields()).transform(command));

export type FieldValues<F extends () => z.ZodRawShape> = z.output<z.ZodObject<ReturnType<F>>>;

/** A field that may be left out, or null: then it is null. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullable().default(null);

/** A required field that the `sdk` dialect does without: null where it was left out there. */
export const optionalInSdk = <S extends z.ZodType>(schema: S) =>
  schema.nullable().meta({ optionalInSdk: true });

/** A number or its digits as text. The walk before zod gives the digits as they were sent. */
export const digits = () => z.union([z.number(), z.string()]);

export const textUpTo = (max: number) => z.string().max(max);

/** The fields of a body or a query under our own names: `FirstName` is `firstName`. */
export type Renamed<B> = { readonly [Name in keyof B & string as Uncapitalize<Name>]: B[Name] };

/** Gives fields our own names, all of them: for bodies that mean something with each. */
export function renamed<B extends object>(body: B): Renamed<B> {
  const entries = Object.entries(body).map(([name, value]) => [
    name.charAt(0).toLowerCase() + name.slice(1),
    value as unknown,
  ]);
  return Object.fromEntries(entries) as Renamed<B>;
}

/** What OpenAPI says of an object: one of these lists of fields has to have values. */
export const oneGiven = (...lists: readonly (readonly string[])[]) => ({ anyOf: lists.map(allGiven) });

/** What OpenAPI says of an object whose two fields may not both have values. */
export const neverBoth = (...names: readonly [string, string]) => ({ not: allGiven(names) });

/** Null counts as left out. */
function allGiven(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { not: { type: 'null' } }]));
  return { required: names, properties };
}
