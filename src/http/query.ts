import type { Context } from 'hono';
import type * as z from 'zod';

import { CODE, refuse } from '../core/errors.js';
import { reportUnknown, type Strictness } from './body.js';
import type { Env } from './exchange.js';
import { membersRefused } from './issues.js';
import { membersOf, noteUnknown, type UnknownMember } from './members.js';

/** A checked reader of query parameters: names in any case, each at most once, then the schema. */
export function query<S extends z.ZodType>(
  schema: S,
  strictness?: Strictness,
): (c: Context<Env>) => z.output<S> {
  const names = new Map(Object.keys(membersOf(schema) ?? {}).map((name) => [name.toLowerCase(), name]));
  return (c) => {
    const { sdk } = c.get('exchange');
    const asked = sdk ? sdk.read(schema, parametersOf(c)) : readParameters(c, names, strictness);
    const parsed = schema.safeParse(asked);
    if (!parsed.success) throw membersRefused(parsed.error.issues);
    return parsed.data;
  };
}

function readParameters(
  c: Context<Env>,
  names: ReadonlyMap<string, string>,
  strictness?: Strictness,
): Record<string, string> {
  const values: Record<string, string> = {};
  const unknown: UnknownMember[] = [];
  for (const [given, value] of parametersOf(c)) {
    const name = names.get(given.toLowerCase());
    if (name === undefined) {
      if (given === '' && value === '') continue;
      noteUnknown(given, names.values(), unknown);
    } else if (name in values) {
      refuse(CODE.ValidationError, `${name} is given twice; send it once.`, {
        details: { [name]: 'given twice' },
      });
    } else values[name] = value;
  }
  if (unknown.length > 0) reportUnknown(c, unknown, 'filter', strictness);
  return values;
}

/** The parameters as they were sent, decoded. */
function parametersOf(c: Context<Env>): Iterable<[string, string]> {
  const { url } = c.req;
  const mark = url.indexOf('?');
  return mark < 0 ? [] : new URLSearchParams(url.slice(mark + 1));
}
