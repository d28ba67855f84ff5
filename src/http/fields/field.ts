import * as z from 'zod';

import { NumberText, quoteText } from '../../core/text/text.js';
import { ValidationError } from '../../core/validation-error.js';
import type { AcceptedValues as RecordValues } from '../../records/field-values.js';

declare module 'zod/v4/core' {
  interface GlobalMeta {
    /** The error code of a value that is wrong; 90 by default. */
    code?: number;
    /** Further codes that a value may be refused with. */
    otherCodes?: readonly number[];
    /** The field that takes an object whose fields begin with a lower-case letter, for the hint where one is beside it. */
    lowerCaseIn?: string;
    /** The error code of a missing required field; 90 by default. */
    missingCode?: number;
    /** The example in the message for a missing field. */
    sample?: string;
    /** The whole message for a missing field, in place of `sample`. */
    missing?: string;
    /** The expected type for messages, such as `a string`. The message adds the received one. */
    expected?: string;
    /** The whole message for a value of the wrong type, in place of `expected`. */
    wrong?: string | ((kind: string) => string);
    /** The values that it can have in an answer, where they are fewer than its type has. */
    values?: RecordValues;
    /** Whether it is the code of a currency, which is accepted in any letter case. */
    currency?: boolean;
    /** Whether it is an amount, which client libraries may send with an exponent. */
    amount?: boolean;
    /** Whether it is a date-time, for which client libraries have their own formats. */
    instant?: boolean;
    /** The words of an order. Client libraries send other words for no order. */
    orderBy?: readonly string[];
    /** The JSON Schema of what is sent, in place of the one derived from the zod schema. */
    sent?: Readonly<Record<string, unknown>>;
    /** Whether null is a value of its own, not the same as a field that is left out. Only in the documented dialect. */
    keepsNull?: boolean;
    /** Required, but not in the `sdk` dialect. */
    optionalInSdk?: boolean;
    /** A field of the same object that cannot be combined with this one. */
    neverWith?: string;
    /** The name of a query parameter as the specification writes it. It is accepted in any letter case. */
    specified?: string;
    /** Further checks of the server, which the JSON Schema does not express, in words. */
    'x-server-checks'?: string;
  }
}

export function describeBlank(sample: string): string {
  return `must not be blank; send for example ${sample}`;
}

export function refuseValue(
  context: { readonly issues: unknown[] },
  message: string,
  { code, path = [] }: { readonly code?: number | undefined; readonly path?: readonly string[] } = {},
): never {
  context.issues.push({ code: 'custom', message, input: undefined, path: [...path], params: { code } });
  return z.NEVER;
}

/** Converts a value of the input schema. OpenAPI still describes the input. */
export function convertField<I extends z.ZodType, T>(
  input: I,
  read: (value: z.output<I>) => T | ValidationError,
) {
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

/** A text that `read` converts. If it returns undefined, the text is refused as `wrong`, and repeated. */
export const convertText = <T>(read: (text: string) => T | undefined, wrong: string) =>
  convertField(
    z.string(),
    (value): T | ValidationError => read(value) ?? new ValidationError(`${wrong}, not ${quoteText(value)}`),
  );

/** The fields of a request, and how they become a command. Built with the first call that needs it. */
export const requestSchema = <F extends z.ZodRawShape, C>(
  fields: () => F,
  command: (body: z.output<z.ZodObject<F>>, context: z.RefinementCtx) => C,
) => z.lazy(() => z.object(fields()).transform(command));

export type FieldsOutput<F extends () => z.ZodRawShape> = z.output<z.ZodObject<ReturnType<F>>>;

/** A field that may be left out or null; both are read as null. */
export const optionalField = <S extends z.ZodType>(schema: S) => schema.nullable().default(null);

/** A field that is required, except in the `sdk` dialect, where it is null if left out. */
export const optionalInSdk = <S extends z.ZodType>(schema: S) =>
  schema.nullable().meta({ optionalInSdk: true });

/** A number, or its digits as text. shape.ts passes the digits on as they were sent. */
export const digitsField = () => z.union([z.number(), z.string()]);

export function readDigits(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

export const cappedText = (max: number) => z.string().max(max);

/** The fields of a body or a query in camelCase: `FirstName` is `firstName`. */
export type CamelCase<B> = { readonly [Name in keyof B & string as Uncapitalize<Name>]: B[Name] };

export function toCamelCase<B extends object>(body: B): CamelCase<B> {
  const entries = Object.entries(body).map(([name, value]) => [
    name.charAt(0).toLowerCase() + name.slice(1),
    value as unknown,
  ]);
  return Object.fromEntries(entries) as CamelCase<B>;
}

/** The JSON Schema of an object in which all fields of one of the lists must have values. */
export const oneGiven = (...lists: readonly (readonly string[])[]) => ({ anyOf: lists.map(allGiven) });

/** The JSON Schema of an object whose two fields must not both have values. */
export const neverBoth = (...names: readonly [string, string]) => ({ not: allGiven(names) });

/** Null counts as left out. */
function allGiven(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { not: { type: 'null' } }]));
  return { required: names, properties };
}
