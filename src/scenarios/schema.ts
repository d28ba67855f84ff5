import * as z from 'zod';

import { type ClockMode, RATE_MAX, RATE_MIN } from '../core/clock.js';
import { DIALECTS } from '../core/dialect.js';
import { DURATION_MAX_MS, formatDuration, formatInstant, parseDuration, parseInstant } from '../core/time.js';
import { scenarioIssues, type ScenarioIssue } from './issues.js';
import * as f from './field.js';
import { orNull, refuse, refuseTogether, takes } from './field.js';
import { BUILT_IN_NAMES, namesIn, type ProviderNames } from './provider-names.js';
import { providersField } from './providers.js';
import { ruleList } from './rule-list.js';
import { seedDataField } from './seed-data.js';
import { State, ThenField } from './then.js';
import { WebhooksField } from './webhooks.js';
import { providerField, whenField } from './when.js';

/** How many rules and instants a scenario has at most: our own limits. */
export const RULES_MAX = 500;
export const TIMELINE_MAX = 1000;

const SEED_LENGTH_MAX = 256;
/** Rule names travel in a header, so they are printable ASCII. */
const RULE_NAME = /^[\x20-\x7e]{1,64}$/;
const SECRET_KEY = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;

const RuleName = f
  .textThat('1 to 64 characters of ASCII', (text) => RULE_NAME.test(text) && text.trim() === text)
  .meta({ maxLength: 64 });

function requireNames(rules: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  const places = new Map<string, number>();
  for (const [index, { name }] of rules.entries()) {
    const earlier = places.get(name);
    const message = `is the name of rule ${(earlier ?? 0) + 1} as well; each takes a name of its own`;
    if (earlier !== undefined) refuse(context, message, name, index, 'name');
    places.set(name, index);
  }
}

const rulesField = (providers: ProviderNames) => {
  // The file says `then`, as a story does; nothing of it can be called, so no await takes it for a promise.
  // oxlint-disable-next-line unicorn/no-thenable
  const fields = { name: RuleName, when: whenField(providers), then: ThenField };
  return ruleList('rule', 'a list of rules', RULES_MAX, fields).superRefine(requireNames);
};

const seedWords = takes(`a text of 1 to ${SEED_LENGTH_MAX} characters or a whole number`);

const Seed = f.readAs(f.digits(seedWords), z.string(), seedWords, {
  read: (value) => {
    const seed = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
    return seed !== '' && seed.length <= SEED_LENGTH_MAX ? seed : undefined;
  },
  write: (seed) => seed,
});

interface ClockChoice {
  readonly mode: ClockMode;
  readonly rate: number;
}

const Clock = f.textAs(
  z.custom<ClockChoice>(),
  `real, manual or a rate such as x60 (x${RATE_MIN} to x${RATE_MAX})`,
  {
    read: (text): ClockChoice | undefined => {
      if (text === 'real') return { mode: 'real', rate: 1 };
      if (text === 'manual') return { mode: 'manual', rate: 0 };
      const rate = /^x\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text.slice(1)) : NaN;
      return rate >= RATE_MIN && rate <= RATE_MAX ? { mode: 'scaled', rate } : undefined;
    },
    write: ({ mode, rate }) => (mode === 'scaled' ? `x${rate}` : mode),
  },
  f.nearestOf(['real', 'manual']),
);

const Instant = f
  .textAs(z.number(), 'an instant such as 2026-01-01T00:00:00Z', { read: parseInstant, write: formatInstant })
  .meta({ format: 'date-time' });

const keyWords = f.takesSecret('is no secret key', 'a text such as sk_test_local');
const SecretKey = z.string(keyWords).refine((key) => SECRET_KEY.test(key), keyWords);

const Offset = f.textAs(z.number(), 'a time from the start of the scenario such as +30s, +15m or +1h', {
  read: (text) => {
    const ms = text.startsWith('+') ? parseDuration(text.slice(1)) : undefined;
    return ms !== undefined && ms <= DURATION_MAX_MS ? ms : undefined;
  },
  write: (ms) => `+${formatDuration(ms)}`,
});

const actionField = (providers: ProviderNames) =>
  f
    .object(
      {
        providerDown: providerField(providers).optional(),
        providerUp: providerField(providers).optional(),
        setState: State.optional(),
      },
      'what happens then, such as {providerDown: steady}',
    )
    .superRefine((action, context) => {
      const actions = Object.keys(action);
      if (actions.length === 1) return;
      const found = actions.length === 0 ? 'none' : actions.join(' and ');
      refuseTogether(context, `has ${found}; it takes one of providerDown, providerUp, setState`);
    });

const timelineField = (providers: ProviderNames) =>
  f
    .list(f.object({ at: Offset, do: actionField(providers) }), 'a list of {at, do}', TIMELINE_MAX)
    .default([]);

const Pace = f.textAs(
  z.number(),
  'immediate or a duration for each row such as 100ms',
  {
    read: (text) => (text === 'immediate' ? 0 : parseDuration(text)),
    write: (ms) => (ms === 0 ? 'immediate' : formatDuration(ms)),
  },
  f.nearestOf(['immediate']),
);

const Batches = f
  .object({
    pace: orNull(Pace),
    failAt: orNull(f.number(0, 1, 'the share of the rows after which a batch fails')),
    stuckAt: orNull(f.number(0, 1, 'the share of the rows after which a batch stops for good')),
  })
  .superRefine(({ failAt, stuckAt }, context) => {
    if (failAt === null || stuckAt === null) return;
    refuseTogether(context, 'stands beside failAt; a batch does one of them', 'stuckAt');
  });

/** A scenario file whose rules and timeline may name these providers. What it leaves out is null or an empty list. */
const scenarioFile = (names: ProviderNames) =>
  f.object({
    name: f.textUpTo(100, 'what the scenario is called'),
    description: orNull(f.textUpTo(4000, 'what happens, for its readers')),
    // These four act when a world is made or reset; null: as the sandbox is set.
    seed: orNull(Seed),
    clock: orNull(Clock),
    startTime: orNull(Instant),
    dialect: orNull(f.oneOf(DIALECTS, 'how fields, statuses and errors are formatted')),
    // The secret keys that get the scenario; all unless given.
    keys: f.oneOrMany(SecretKey).default([]),
    providers: providersField(names),
    seedData: orNull(seedDataField(names)),
    rules: rulesField(names),
    timeline: timelineField(names),
    ccvTtl: orNull(
      f.duration(1, DURATION_MAX_MS, '100 years', 'how long the vault keeps a Ccv that no charge uses'),
    ),
    knownProvidersOnly: orNull(
      f.oneOf([true, false], 'whether a ProviderId that is neither built in nor configured is refused'),
    ),
    batches: orNull(Batches),
    webhooks: orNull(WebhooksField),
  });

/** A scenario file that brings no providers along; the JSON Schema for editors is made from its input side. */
export const ScenarioFile = scenarioFile(BUILT_IN_NAMES);

/** A scenario as it is played: read and checked, and nothing but plain data. */
export type Scenario = Readonly<z.output<typeof ScenarioFile>>;

export type ParsedScenario = { readonly scenario: Scenario } | { readonly issues: readonly ScenarioIssue[] };

/** Reads a scenario from what stood in a file or a request, or says all that is wrong with it. */
export function parseScenario(value: unknown): ParsedScenario {
  const names = namesIn(value);
  const file = names === BUILT_IN_NAMES ? ScenarioFile : scenarioFile(names);
  const read = file.safeParse(value, { reportInput: true });
  return read.success ? { scenario: read.data } : { issues: scenarioIssues(read.error.issues) };
}
