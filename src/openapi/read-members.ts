import type { $ZodType } from 'zod/v4/core';

import type { MemberDef } from '../http/member.js';
import { MEMBERS, type Said, type Schema } from './members.js';

/** The limits that texts have; which one, a member is asked. */
const TEXT_LIMITS = [100, 256, 1024];

/** What a member makes of a value: nothing is refused, or each issue has its code. */
export function refusalsOf(member: $ZodType, value: unknown): readonly number[] {
  const { transform } = member._zod.def as unknown as MemberDef;
  const payload = { value, issues: [] as { params?: { code?: number } }[] };
  transform(value, payload as never);
  return payload.issues.map(({ params }) => params?.code ?? 90);
}

export function isTransform(schema: $ZodType): boolean {
  return schema._zod.def.type === 'transform';
}

/** Whether a member must be there. */
export function isRequired(schema: $ZodType): boolean {
  if (isTransform(schema)) return refusalsOf(schema, undefined).length > 0;
  return schema._zod.def.type !== 'optional';
}

/** What was said of a name, the nearest first: `charge.Status` before `Status`. */
export function saidOf(
  table: Readonly<Record<string, Said>>,
  name: string,
  ...within: readonly string[]
): Said {
  const found = [...within.map((one) => `${one}.${name}`), name].find((key) => Object.hasOwn(table, key));
  if (found === undefined) {
    throw new Error(
      `Failed to describe ${[...within, name].join('.')}: give it a row in src/openapi/members.ts, or in parameters.ts.`,
    );
  }
  return table[found] as Said;
}

/** The schema of a member, from what is said of it and what it shows of itself. */
export function schemaOf(member: $ZodType, { says, schema }: Said): Schema {
  const { kind, optionalInSdk } = member._zod.def as unknown as MemberDef;
  const description = optionalInSdk ? `${says} The sdk dialect does without it.`.trim() : says;
  return { ...(schema ?? schemaOfKind(member, kind)), ...(description === '' ? {} : { description }) };
}

function schemaOfKind(member: $ZodType, kind: MemberDef['kind']): Schema {
  if (kind === 'flag') return { type: 'boolean' };
  if (kind === 'instant') return { type: 'string', format: 'date-time' };
  if (kind !== null) return { type: 'string', enum: kind };
  const max = TEXT_LIMITS.find((limit) => refusalsOf(member, 'x'.repeat(limit + 1)).length > 0);
  return {
    type: 'string',
    ...(isRequired(member) ? { minLength: 1 } : {}),
    ...(max === undefined ? {} : { maxLength: max }),
  };
}

/** A member that may be left out may be null as well, which counts as left out. */
export function orNull(schema: Schema): Schema {
  const { type, enum: words } = schema;
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  if (types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(words) ? { enum: [...(words as readonly unknown[]), null] } : {}),
  };
}

/** The schemas of all members of a contract, by the member's own zod schema. */
export type Described = Map<$ZodType, Schema>;

/** Describes each member of a body, however deep. */
export function describeMembers(schema: $ZodType, within: string, described: Described): void {
  for (const [name, member] of membersOf(schema)) {
    const said = saidOf(MEMBERS, name, within);
    if (isTransform(member)) {
      const own = schemaOf(member, said);
      described.set(member, isRequired(member) ? own : orNull(own));
    } else {
      const or = isRequired(member) ? {} : { type: [typeOf(member), 'null'] };
      described.set(member, { ...or, description: said.says });
      describeMembers(member, name, described);
    }
  }
}

function typeOf(schema: $ZodType): string {
  const { type, innerType } = schema._zod.def as unknown as { type: string; innerType?: $ZodType };
  return innerType === undefined ? (type === 'array' ? 'array' : 'object') : typeOf(innerType);
}

/** The members of an object, through all that is wrapped around it. */
export function membersOf(schema: $ZodType): [name: string, member: $ZodType][] {
  const def = schema._zod.def as unknown as {
    type: string;
    in?: $ZodType;
    innerType?: $ZodType;
    element?: $ZodType;
    shape?: Record<string, $ZodType>;
  };
  if (def.shape !== undefined) return Object.entries(def.shape);
  const inner = def.in ?? def.innerType ?? def.element;
  return inner === undefined ? [] : membersOf(inner);
}
