import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';

import { listFields, fitField } from '../../src/openapi/request-fields.js';
import { OPERATION_ROWS } from '../../src/app/sections.js';
import { words } from '../support/tables.js';

/** Values of every kind, among them good and bad ones of most members. */
const TEXTS = words`
  x 12 12.5 AUD CUSTOMER Month Day 10/30 123 2h manual SANDBOX Active token.expire charge.create
  2031-01-01T00:00:00Z https://example.com/hook http://localhost/ 4111111111111111
  00000000-0000-4000-8000-000000000001 062-000 data:image/png;base64,AAAA
`;
const LENGTHS = ['0'.repeat(32), '0'.repeat(31).concat('1'), 'x'.repeat(1024), 'x'.repeat(1025)];
const OTHERS = [12, 12.5, 0, -1, true, {}, { a: 'b' }, [], ['Transaction'], ['approve']];
const VALUES: readonly unknown[] = [...TEXTS, '4111 1111 1111 1111', ...LENGTHS, ...OTHERS];

/** What stands there has no effect, or is looked into elsewhere. */
const IGNORED = new Set(['SetDefault', 'Recurring', 'Definition']);

type Schema = Readonly<Record<string, unknown>>;
type Case = readonly [name: string, field: $ZodType, schema: Schema];

const described = (field: $ZodType): Schema =>
  z.toJSONSchema(field, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => fitField(zodSchema, jsonSchema),
  });

function casesOf(schema: $ZodType, within: string): Case[] {
  return listFields(schema).flatMap(([name, field]) => {
    const path = `${within}.${name}`;
    if (listFields(field).length > 0) return casesOf(field, path);
    return IGNORED.has(name) ? [] : [[path, field, described(field)] as const];
  });
}

const BODY_CASES = OPERATION_ROWS.flatMap(({ id, body }) => (body === undefined ? [] : casesOf(body, id)));
const QUERY_CASES = OPERATION_ROWS.flatMap(({ id, query }) =>
  query === undefined ? [] : casesOf(query, id),
);

const accepts = (field: $ZodType, value: unknown): boolean => z.safeParse(field, value).success;

describe('what is said of a field', () => {
  test.each(BODY_CASES)(
    '%s lets through what the schema takes, and no other kind of value',
    (_, field, schema) => {
      const reader = z.fromJSONSchema(schema);
      const isDescribed = (value: unknown): boolean => reader.safeParse(value).success;
      expect(VALUES.filter((value) => accepts(field, value) && !isDescribed(value))).toEqual([]);
      // Of what is neither a text nor a number, the description knows as much as the schema.
      const kinds = [true, {}, []];
      expect(kinds.filter((value) => !accepts(field, value) && isDescribed(value))).toEqual([]);
    },
  );

  test.each(QUERY_CASES)('%s lets through what the schema takes', (_, field, schema) => {
    const { type, anyOf = [{ type, enum: schema['enum'] }] } = schema as { type?: unknown; anyOf?: Schema[] };
    const [main = {}] = anyOf;
    for (const value of VALUES) {
      if (typeof value !== 'string' || !accepts(field, value)) continue;
      // In a query all is text.
      const isWhole = main['type'] === 'integer';
      const read = isWhole ? Number(value) : main['type'] === 'boolean' ? value === 'true' : value;
      // Words are taken in any case, and described in the one in which they are answered.
      const listed = main['enum'] as readonly string[] | undefined;
      const written = listed?.find((word) => word.toLowerCase() === value.toLowerCase()) ?? read;
      expect(z.fromJSONSchema(schema).safeParse(written).success, value).toBe(true);
    }
  });
});
