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

/** A rule or a policy as a file has it. */
export interface FileRule {
  readonly name?: string | undefined;
  readonly when?: When | undefined;
  readonly then: Effect;
  readonly times: number | null;
}

const TimesField = f.orNull(f.whole(1, TIMES_MAX).describe('how many times it applies at most'));

/** A list of rules or policies. One without a name is named after its place, such as `rule 1`. */
function ruleList(
  noun: string,
  item: z.ZodType<FileRule, { readonly when?: unknown }>,
  accepted: string,
  max: number,
) {
  const list = f.list(item.superRefine(refuseUselessFields), accepted, max);
  const rules = z.codec(list, z.custom<readonly Rule[]>(), {
    decode: (given) =>
      given.map(({ name, when, then, times }, index) => ({
        name: name ?? `${noun} ${index + 1}`,
        when: when ?? {},
        effect: then,
        times,
      })),
    // oxlint-disable-next-line unicorn/no-thenable -- the field's name in the file
    encode: (given) => given.map(({ effect, ...rule }) => ({ ...rule, then: effect })),
  });
  return rules.default([]);
}

function refuseUselessFields({ then, when }: FileRule, context: z.RefinementCtx): void {
  for (const { field, given, why } of findUselessFields(then, when?.operation ?? OPERATIONS)) {
    const shown = given === undefined ? '' : `"${given}" `;
    refuseInput(context, `${shown}has no effect: ${why}`, undefined, 'then', field);
  }
}

const RuleName = f
  .textThat('1 to 64 ASCII characters', (text) => RULE_NAME.test(text) && text.trim() === text)
  .meta({ maxLength: 64 });

export function rulesField(providers: ProviderNames) {
  const rule = f.object({
    name: RuleName.optional(),
    when: whenField(providers).optional(),
    // The field's name in the file. It is not a function, so `await` does not mistake the object for a promise.
    // oxlint-disable-next-line unicorn/no-thenable
    then: ThenField,
    times: TimesField,
  });
  return ruleList('rule', rule, 'a list of rules', RULES_MAX).superRefine((rules, context) =>
    refuseDuplicates(rules, 'name', 'rule', context),
  );
}

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

const Policy = f.object({
  name: f.textWithin(64).describe('the name of the policy').optional(),
  when: PolicyWhen.optional(),
  // oxlint-disable-next-line unicorn/no-thenable -- as in a rule
  then: PolicyEffect,
  times: TimesField,
});

/** A null secret: the sandbox uses its own. */
export const WebhooksField = f.object({
  secret: f.orNull(Secret),
  policies: ruleList('webhook', Policy, 'a list of {when, then}', POLICIES_MAX),
});
