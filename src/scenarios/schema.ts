import * as z from 'zod';

import { RATE_MAX, RATE_MIN } from '../core/clock.js';
import { DIALECTS } from '../core/dialect.js';
import { DURATION_MAX_MS, parseDuration, parseInstant } from '../core/time.js';
import { faultsOf, type ScenarioFault } from './faults.js';
import * as m from './members.js';
import type { ValidationError } from '../core/validation-error.js';
import { refused, refusedSecret } from './members.js';
import { idleMembers } from './idle.js';
import { type BatchBehaviour, OPERATIONS, type Rule, type Scenario, type TimelineAction } from './model.js';
import { BUILT_IN_NAMES, namesIn, type ProviderNames } from './provider-names.js';
import { providersMember } from './providers.js';
import { seedDataMember } from './seed-data.js';
import { refuseTogether, State, ThenMember } from './then.js';
import { WebhooksMember } from './webhooks.js';
import { providerMember, whenMember } from './when.js';

/** How many rules and instants a scenario has at most: our own limits. */
export const RULES_MAX = 500;
export const TIMELINE_MAX = 1000;

const TIMES_MAX = 1_000_000_000;
const SEED_LENGTH_MAX = 256;
/** Rule names travel in a header, so they are printable ASCII. */
const RULE_NAME = /^[\x20-\x7e]{1,64}$/;
const SECRET_KEY = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;

const RuleName = m.member({ type: 'string', maxLength: 64 }, (value): string | ValidationError => {
  const isName = typeof value === 'string' && RULE_NAME.test(value) && value.trim() === value;
  return isName ? value : refused(value, `1 to 64 characters of ASCII${m.quotesHint(value)}`);
});

const ruleMember = (providers: ProviderNames) =>
  m
    .object({
      name: RuleName.optional(),
      when: whenMember(providers).optional(),
      // The file says `then`, as a story does; nothing of it can be called, so no await takes it for a promise.
      // oxlint-disable-next-line unicorn/no-thenable
      then: m.required(ThenMember, 'what the rule does, such as {outcome: insufficient_funds}'),
      times: m.whole(1, TIMES_MAX, 'how often the rule acts at most').optional(),
    })
    .superRefine((rule, context) => {
      for (const { member, message } of idleMembers(rule.then, rule.when?.operation ?? OPERATIONS)) {
        context.addIssue({ code: 'custom', path: ['then', member], message });
      }
    });

type WrittenRule = z.output<ReturnType<typeof ruleMember>>;

/** Rules without a name are called by their place, from 1; no two rules share a name. */
function nameRules(written: readonly WrittenRule[], context: z.RefinementCtx): readonly Rule[] {
  const names = new Map<string, number>();
  return written.map((rule, index) => {
    const name = rule.name ?? `rule ${index + 1}`;
    const earlier = names.get(name);
    if (earlier !== undefined) {
      const message = `is the name of rule ${earlier + 1} as well; each takes a name of its own`;
      context.issues.push({ code: 'custom', message, input: name, path: [index, 'name'] });
    }
    names.set(name, index);
    return { name, when: rule.when ?? {}, effect: rule.then, times: rule.times ?? null };
  });
}

const rulesMember = (providers: ProviderNames) =>
  z
    .array(ruleMember(providers), { error: (issue) => refused(issue.input, 'a list of rules').message })
    .max(RULES_MAX, { error: `is a list of more than ${RULES_MAX}, which is the most` })
    .transform(nameRules);

const Seed = m.member({ type: ['string', 'integer'] }, (value): string | ValidationError => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const isSeed = typeof text === 'string' && text !== '' && text.length <= SEED_LENGTH_MAX;
  return isSeed ? text : refused(value, `a text of 1 to ${SEED_LENGTH_MAX} characters or a whole number`);
});

const CLOCK_TAKES = `real, manual or a rate such as x60 (x${RATE_MIN} to x${RATE_MAX})`;

const Clock = m.member({ type: 'string', description: CLOCK_TAKES }, (value) => {
  if (value === 'real') return { mode: 'real', rate: 1 } as const;
  if (value === 'manual') return { mode: 'manual', rate: 0 } as const;
  const rate =
    typeof value === 'string' && /^x\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value.slice(1)) : NaN;
  if (rate >= RATE_MIN && rate <= RATE_MAX) return { mode: 'scaled', rate } as const;
  const hint = typeof value === 'string' ? m.didYouMean(value, ['real', 'manual']) : '';
  return refused(value, `${CLOCK_TAKES}${hint}`);
});

const Instant = m.member({ type: 'string', format: 'date-time' }, (value): number | ValidationError => {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  return instant ?? refused(value, 'an instant such as 2026-01-01T00:00:00Z');
});

const SecretKey = m.member({ type: 'string' }, (value): string | ValidationError => {
  const isKey = typeof value === 'string' && SECRET_KEY.test(value);
  return isKey ? value : refusedSecret(value, 'is no secret key', 'a text such as sk_test_local');
});

const OFFSET_TAKES = 'a time from the start of the scenario such as +30s, +15m or +1h';

const Offset = m.member({ type: 'string', description: OFFSET_TAKES }, (value): number | ValidationError => {
  const ms = typeof value === 'string' && value.startsWith('+') ? parseDuration(value.slice(1)) : undefined;
  return ms !== undefined && ms <= DURATION_MAX_MS ? ms : refused(value, OFFSET_TAKES);
});

const actionMember = (providers: ProviderNames) =>
  m
    .object({
      providerDown: providerMember(providers).optional(),
      providerUp: providerMember(providers).optional(),
      setState: State.optional(),
    })
    .transform(({ providerDown, providerUp, setState }, context): TimelineAction => {
      const actions: TimelineAction[] = [];
      if (providerDown !== undefined) actions.push({ kind: 'providerDown', providerId: providerDown });
      if (providerUp !== undefined) actions.push({ kind: 'providerUp', providerId: providerUp });
      if (setState !== undefined) actions.push({ kind: 'setState', state: setState });
      const [action] = actions;
      if (action !== undefined && actions.length === 1) return action;
      const found = actions.length === 0 ? 'none' : actions.map(({ kind }) => kind).join(' and ');
      return refuseTogether(context, `has ${found}; it takes one of providerDown, providerUp, setState`);
    });

const entryMember = (providers: ProviderNames) =>
  m
    .object({
      at: Offset,
      do: m.required(actionMember(providers), 'what happens then, such as {providerDown: steady}'),
    })
    .transform((entry) => ({ offsetMs: entry.at, action: entry.do }));

const timelineMember = (providers: ProviderNames) =>
  z
    .array(entryMember(providers), { error: (issue) => refused(issue.input, 'a list of {at, do}').message })
    .max(TIMELINE_MAX, { error: `is a list of more than ${TIMELINE_MAX}, which is the most` });

const PACE_TAKES = 'immediate or a duration for each row such as 100ms';

const Pace = m.member({ type: 'string', description: PACE_TAKES }, (value): number | ValidationError => {
  if (value === 'immediate') return 0;
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms !== undefined) return ms;
  const hint = typeof value === 'string' ? m.didYouMean(value, ['immediate']) : '';
  return refused(value, `${PACE_TAKES}${hint}`);
});

const Batches = m
  .object({
    pace: Pace.optional(),
    failAt: m.number(0, 1, 'the share of the rows after which a batch fails').optional(),
    stuckAt: m.number(0, 1, 'the share of the rows after which a batch stops for good').optional(),
  })
  .transform(({ pace, failAt, stuckAt }, context): BatchBehaviour => {
    if (failAt !== undefined && stuckAt !== undefined) {
      return refuseTogether(context, 'stands beside failAt; a batch does one of them', 'stuckAt');
    }
    return { paceMs: pace ?? null, failAt: failAt ?? null, stuckAt: stuckAt ?? null };
  });

/** A scenario file whose rules and timeline may name these providers. */
const scenarioFile = (names: ProviderNames) =>
  m
    .object({
      name: m.textUpTo(100, 'what the scenario is called'),
      description: m.textUpTo(4000, 'what happens, for its readers').optional(),
      seed: Seed.optional(),
      clock: Clock.optional(),
      startTime: Instant.optional(),
      dialect: m.oneOf(DIALECTS, 'how members, statuses and errors are spelt').optional(),
      keys: m.oneOrMany(SecretKey).optional(),
      providers: providersMember(names).optional(),
      seedData: seedDataMember(names).optional(),
      rules: rulesMember(names).optional(),
      timeline: timelineMember(names).optional(),
      batches: Batches.optional(),
      webhooks: WebhooksMember.optional(),
    })
    .transform((file): Scenario => ({
      name: file.name,
      description: file.description ?? null,
      seed: file.seed ?? null,
      clock: file.clock ?? null,
      startTime: file.startTime ?? null,
      dialect: file.dialect ?? null,
      keys: file.keys ?? [],
      providers: file.providers ?? [],
      seedData: file.seedData ?? null,
      rules: file.rules ?? [],
      timeline: file.timeline ?? [],
      batches: file.batches ?? null,
      webhooks: file.webhooks ?? null,
    }));

/** A scenario file that brings no providers along. The JSON Schema for editors is made from its input side. */
export const ScenarioFile = scenarioFile(BUILT_IN_NAMES);

export type ParsedScenario = { readonly scenario: Scenario } | { readonly faults: readonly ScenarioFault[] };

/** Reads a scenario from what stood in a file or a request, or says all that is wrong with it. */
export function parseScenario(value: unknown): ParsedScenario {
  const names = namesIn(value);
  const file = names === BUILT_IN_NAMES ? ScenarioFile : scenarioFile(names);
  const read = file.safeParse(value, { reportInput: true });
  return read.success ? { scenario: read.data } : { faults: faultsOf(read.error.issues) };
}
