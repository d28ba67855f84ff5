import * as z from 'zod';

import * as f from '../file/field.js';
import { idleFields } from './reach.js';
import type { Effect, Rule, When } from './model.js';
import { OPERATIONS } from './operations.js';

const TIMES_MAX = 1_000_000_000;

interface RuleFields {
  readonly name: z.ZodType<string>;
  readonly when: z.ZodType<When>;
  readonly then: z.ZodType<Effect>;
}

/** A list of rules or policies. One without a name is named after its place, such as `rule 1`. */
export function ruleList(what: string, accepted: string, max: number, { name, when, then }: RuleFields) {
  const fields = {
    name: name.optional(),
    when: when.optional(),
    // The field's name in the file. It is not a function, so `await` does not mistake the object for a promise.
    // oxlint-disable-next-line unicorn/no-thenable
    then,
    times: f.orNull(f.whole(1, TIMES_MAX, 'how many times it applies at most')),
  };
  const one = f.object(fields).superRefine((rule, context) => {
    for (const { field, message } of idleFields(rule.then, rule.when?.operation ?? OPERATIONS)) {
      f.refuse(context, message, undefined, 'then', field);
    }
  });
  const rules = z.codec(f.list(one, accepted, max), z.custom<readonly Rule[]>(), {
    decode: (given) =>
      given.map((rule, index) => ({
        name: rule.name ?? `${what} ${index + 1}`,
        when: rule.when ?? {},
        effect: rule.then,
        times: rule.times,
      })),
    // oxlint-disable-next-line unicorn/no-thenable -- the field's name in the file
    encode: (given) => given.map(({ effect, ...rule }) => ({ ...rule, then: effect })),
  });
  return rules.default([]);
}
