import * as z from 'zod';

import { OPERATIONS } from '../script/operations.js';
import { findUselessFields } from '../script/reach.js';
import type { Effect, Rule, When } from '../script/rule.js';
import * as f from './field.js';
import { refuseInput, refuseDuplicates } from './field.js';
import type { ProviderNames } from './provider-names.js';
import { ThenField } from './then.js';
import { PolicyThen, PolicyWhen } from './webhooks.js';
import { whenField } from './when.js';

/** How many rules and policies a scenario has at most: our own limits. */
export const RULES_MAX = 500;
const POLICIES_MAX = 100;

const TIMES_MAX = 1_000_000_000;
/** Rule names are sent in a header, so they are printable ASCII. */
const RULE_NAME = /^[\x20-\x7e]{1,64}$/;

interface RuleFields {
  readonly name: z.ZodType<string>;
  readonly when: z.ZodType<When>;
  readonly does: z.ZodType<Effect>;
}

/** A list of rules or policies. One without a name is named after its place, such as `rule 1`. */
function ruleList(what: string, accepted: string, max: number, { name, when, does }: RuleFields) {
  const fields = {
    name: name.optional(),
    when: when.optional(),
    // The field's name in the file. It is not a function, so `await` does not mistake the object for a promise.
    // oxlint-disable-next-line unicorn/no-thenable
    then: does,
    times: f.orNull(f.whole(1, TIMES_MAX, 'how many times it applies at most')),
  };
  const one = f.object(fields).superRefine((rule, context) => {
    for (const { field, given, why } of findUselessFields(rule.then, rule.when?.operation ?? OPERATIONS)) {
      const shown = given === undefined ? '' : `"${given}" `;
      refuseInput(context, `${shown}has no effect: ${why}`, undefined, 'then', field);
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

const RuleName = f
  .textThat('1 to 64 ASCII characters', (text) => RULE_NAME.test(text) && text.trim() === text)
  .meta({ maxLength: 64 });

export const rulesField = (providers: ProviderNames) =>
  ruleList('rule', 'a list of rules', RULES_MAX, {
    name: RuleName,
    when: whenField(providers),
    does: ThenField,
  }).superRefine((rules, context) => refuseDuplicates(rules, 'name', 'rule', context));

/** The longest secret: our own limit. */
const SECRET_LENGTH_MAX = 1024;

const secretWords = f.secretMustBe(`a string of 1 to ${SECRET_LENGTH_MAX} characters`);

const Secret = z
  .string(secretWords)
  .min(1, secretWords)
  .max(SECRET_LENGTH_MAX, secretWords)
  .describe('the key of the signature');

const PolicyEffect = z.codec(PolicyThen, z.custom<Effect>(), {
  decode: (webhook): Effect => ({ phase: 'after', webhook }),
  encode: ({ webhook = {} }) => webhook,
});

/** A null secret: the sandbox uses its own. */
export const WebhooksField = f.object({
  secret: f.orNull(Secret),
  policies: ruleList('webhook', 'a list of {when, then}', POLICIES_MAX, {
    name: f.textWithin(64, 'the name of the policy'),
    when: PolicyWhen,
    does: PolicyEffect,
  }),
});
