import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';

import { OPERATION_ROWS } from '../../src/openapi/operations.js';
import { MEMBERS, type Schema } from '../../src/openapi/members.js';
import { PARAMETERS } from '../../src/openapi/parameters.js';
import { subjectOf } from '../../src/openapi/operation.js';
import {
  describeMembers,
  type Described,
  isTransform,
  membersOf,
  refusalsOf,
  saidOf,
  schemaOf,
} from '../../src/openapi/read-members.js';

/** Values of every kind, among them good and bad ones of most members. */
const VALUES: readonly unknown[] = [
  'x',
  '12',
  '12.5',
  12,
  12.5,
  0,
  -1,
  true,
  {},
  { a: 'b' },
  [],
  ['Transaction'],
  ['approve'],
  'AUD',
  'CUSTOMER',
  'Month',
  'Day',
  '10/30',
  '123',
  '2h',
  'manual',
  'SANDBOX',
  'Active',
  'token.expire',
  'charge.create',
  '2031-01-01T00:00:00Z',
  'https://example.com/hook',
  'http://localhost/',
  '4111111111111111',
  '4111 1111 1111 1111',
  '0'.repeat(32),
  '0'.repeat(31).concat('1'),
  '00000000-0000-4000-8000-000000000001',
  '062-000',
  'data:image/png;base64,AAAA',
  'x'.repeat(1024),
  'x'.repeat(1025),
];

/** Whatever stands there has no effect, or is looked into elsewhere. */
const IGNORED = new Set(['SetDefault', 'Recurring', 'Definition']);

type Case = readonly [name: string, member: $ZodType, schema: Schema];

/** Each member of each body, with the schema that it is described by. */
function bodyCases(): Case[] {
  return OPERATION_ROWS.flatMap(({ id, body }) => {
    if (body === undefined) return [];
    const described: Described = new Map();
    describeMembers(body, id, described);
    return casesOf(body, id, described);
  });
}

function casesOf(schema: $ZodType, within: string, described: Described): Case[] {
  return membersOf(schema).flatMap(([name, member]) => {
    const path = `${within}.${name}`;
    if (!isTransform(member)) return casesOf(member, path, described);
    return IGNORED.has(name) ? [] : [[path, member, described.get(member) ?? {}] as const];
  });
}

function queryCases(): Case[] {
  return OPERATION_ROWS.flatMap(({ id, path, query }) =>
    membersOf(query ?? z.object({})).map(
      ([name, member]) =>
        [`${id}?${name}`, member, schemaOf(member, saidOf(PARAMETERS, name, subjectOf(path)))] as const,
    ),
  );
}

const accepts = (member: $ZodType, value: unknown): boolean => refusalsOf(member, value).length === 0;

describe('what is said of a member', () => {
  test.each(bodyCases())(
    '%s lets through whatever the contract takes, and no other kind of value',
    (_, member, schema) => {
      const described = z.fromJSONSchema(schema);
      const isDescribed = (value: unknown): boolean => described.safeParse(value).success;
      expect(VALUES.filter((value) => accepts(member, value) && !isDescribed(value))).toEqual([]);
      // Of what is neither a text nor a number, the schema knows as much as the contract.
      const kinds = [true, {}, []];
      expect(kinds.filter((value) => !accepts(member, value) && isDescribed(value))).toEqual([]);
    },
  );

  test.each(queryCases())('%s lets through whatever the contract takes', (_, member, schema) => {
    const { type } = schema;
    for (const value of VALUES) {
      if (typeof value !== 'string' || !accepts(member, value)) continue;
      // In a query all is text.
      const read = type === 'integer' ? Number(value) : type === 'boolean' ? value === 'true' : value;
      // Words are taken in any case, and described in the one in which they are answered.
      const words = schema['enum'] as readonly string[] | undefined;
      const spelt = words?.find((word) => word.toLowerCase() === value.toLowerCase()) ?? read;
      const described = z.fromJSONSchema(schema);
      expect(described.safeParse(spelt).success, value).toBe(true);
    }
  });

  test('no row is about a member that no operation has', () => {
    const names = new Set([...bodyCases(), ...queryCases()].flatMap(([name]) => name.split(/[.?]/)));
    for (const key of IGNORED) names.add(key);
    const rows = [...Object.keys(MEMBERS), ...Object.keys(PARAMETERS)];
    expect(rows.filter((row) => !names.has(row.slice(row.indexOf('.') + 1)))).toEqual([]);
  });
});
