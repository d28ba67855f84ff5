import type * as z from 'zod';

import { shownTo } from '../core/card.js';
import { nearest } from '../core/nearest.js';
import type { JsonValue } from './json.js';
import { NumberText } from './json.js';

/** The member names that a schema knows, and what it knows below them; null: nothing is looked at below. */
export interface Members {
  readonly [name: string]: Members | null;
}

/** Reads the known member names off a zod schema, through optional, piped and listed schemas. */
export function membersOf(schema: z.core.$ZodType): Members | null {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      // Without a prototype: a member that is called toString is unknown as well.
      return {
        __proto__: null,
        ...Object.fromEntries(Object.entries(def.shape).map(([name, inner]) => [name, membersOf(inner)])),
      };
    case 'array':
      return membersOf(def.element);
    case 'optional':
      return membersOf(def.innerType);
    case 'pipe':
      return membersOf(def.in);
    default:
      return null;
  }
}

/** How many unknown members are compared with the known ones, and named in a refusal; the rest is counted. */
export const UNKNOWN_MAX = 20;

/** A member that the schema does not know, and the known name that was probably meant. */
export interface UnknownMember {
  readonly path: string;
  readonly meant: string | null;
}

export type JsonObject = { [name: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/**
 * Walks a body along the known members: collects the unknown ones, and treats an explicit null as
 * an absent member.
 */
export function walkMembers(
  value: JsonObject,
  members: Members,
  unknown: UnknownMember[],
  path = '',
): Record<string, unknown> {
  const seen = value as Record<string, unknown>;
  for (const name in seen) {
    const inner = members[name];
    if (inner === undefined) noteUnknown(name, Object.keys(members), unknown, path);
    else if (seen[name] === null) seen[name] = undefined;
    else if (inner !== null) walkBelow(value[name], inner, unknown, `${path}${name}.`);
  }
  return seen;
}

/** Walks an object, or each of a list. */
function walkBelow(
  value: JsonValue | undefined,
  members: Members,
  unknown: UnknownMember[],
  path: string,
): void {
  if (isObject(value)) walkMembers(value, members, unknown, path);
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) walkBelow(item, members, unknown, `${path}${i}.`);
  }
}

/** Notes a name that is not among the known ones; `path` leads to it. */
export function noteUnknown(
  name: string,
  known: Iterable<string>,
  unknown: UnknownMember[],
  path = '',
): void {
  const meant = unknown.length < UNKNOWN_MAX ? nearest(name, known, 1)[0] : undefined;
  unknown.push({ path: path + shownTo(name, 64), meant: meant ?? null });
}

/** One unknown member in words. */
export function describeUnknownMember({ path, meant }: UnknownMember): string {
  return meant === null ? path : `${path} (did you mean ${meant}?)`;
}
