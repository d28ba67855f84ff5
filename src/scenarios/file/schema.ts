import * as z from 'zod';

import { type ClockMode, RATE_MAX, RATE_MIN } from '../../core/time/clock.js';
import { DIALECT_SETTINGS } from '../../core/dialect/dialect.js';
import {
  DURATION_MAX_MS,
  formatDuration,
  formatInstant,
  parseDuration,
  parseInstant,
} from '../../core/time/time.js';
import { findImpossible } from '../vet/impossible.js';
import { scenarioIssues, type ScenarioIssue } from './issues.js';
import * as f from './field.js';
import { orNull, refuseTogether, mustBe } from './field.js';
import { BUILT_IN_NAMES, readProviderNames, type ProviderNames } from './provider-names.js';
import { PROVIDERS_MAX, providersField } from './providers.js';
import { seedDataField } from '../seed/seed-data.js';
import { requireReferences } from '../seed/seed-references.js';
import { State } from './effects.js';
import { RULES_MAX, rulesField, WebhooksField } from './rules.js';
import { providerField } from './when.js';

/** Exported here so that one `import()` loads the schema, what reads the text of a file, and what is noted about a scenario or a queue. */
export { findHints } from '../vet/hints.js';
export { vetMatch } from '../vet/match.js';
export * from './yaml.js';

/** How many timeline entries a scenario has at most: our own limit. */
export const TIMELINE_MAX = 1000;

const SEED_LENGTH_MAX = 256;
const SECRET_KEY = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;

const seedWords = mustBe(`a string of 1 to ${SEED_LENGTH_MAX} characters or a whole number`);

const Seed = f.codecField(f.numberOrDigits(seedWords), z.string(), seedWords, {
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

const Clock = f.encodedText(
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
  f.hintNearest(['real', 'manual']),
);

const Instant = f
  .encodedText(z.number(), 'a date-time such as 2026-01-01T00:00:00Z', {
    read: parseInstant,
    write: formatInstant,
  })
  .meta({ format: 'date-time' });

const keyWords = f.secretMustBe('a secret key such as sk_test_local');
const SecretKey = z.string(keyWords).refine((key) => SECRET_KEY.test(key), keyWords);

const Offset = f.encodedText(
  z.number(),
  'a time since the start of the scenario such as +30s, +15m or +1h',
  f.OFFSET,
);

const actionField = (providers: ProviderNames) =>
  f
    .object(
      {
        providerDown: providerField(providers).optional(),
        providerUp: providerField(providers).optional(),
        setState: State.optional(),
      },
      'an action such as {providerDown: steady}',
    )
    .superRefine((action, context) => {
      const actions = Object.keys(action);
      if (actions.length === 1) return;
      const found = actions.length === 0 ? '' : `, not ${actions.join(' and ')}`;
      refuseTogether(context, `must have one of providerDown, providerUp and setState${found}`);
    });

const timelineField = (providers: ProviderNames) =>
  f
    .list(f.object({ at: Offset, do: actionField(providers) }), 'a list of {at, do}', TIMELINE_MAX)
    .default([]);

const Pace = f.encodedText(
  z.number(),
  'immediate, or a duration for each row such as 100ms',
  {
    read: (text) => (text === 'immediate' ? 0 : parseDuration(text)),
    write: (ms) => (ms === 0 ? 'immediate' : formatDuration(ms)),
  },
  f.hintNearest(['immediate']),
);

const ROWS_MAX = 1_000_000;

const rowOrShare = () => {
  const row = f.whole(0, ROWS_MAX).describe('the last row that is processed; a shorter batch ends as usual');
  const words = mustBe('a number from 0 to 1, or a row such as {row: 20}');
  return orNull(z.union([f.number(0, 1).describe('a share of its rows'), f.object({ row })], words));
};

const Batches = f
  .object({
    pace: orNull(Pace),
    failAt: rowOrShare().describe('The share of its rows, or the row, after which a batch fails.'),
    stuckAt: rowOrShare().describe(
      'The share of its rows, or the row, after which a batch stops for good and stays IN_PROGRESS.',
    ),
  })
  .superRefine(({ failAt, stuckAt }, context) => {
    if (failAt === null || stuckAt === null) return;
    refuseTogether(context, 'cannot be combined with failAt', 'stuckAt');
  });

const Routing = f
  .object({
    mode: f
      .choice(['off', 'lowestCost', 'success'])
      .describe(
        'off: the first provider; lowestCost: the cheapest; success: the best by its rate of approvals and its costs',
      ),
    weight: f.orNull(
      f.number(0, 1).describe('with success: 1 counts only approvals, 0 only costs; 0.5 by default'),
    ),
  })
  .superRefine(({ mode, weight }, context) => {
    if (weight !== null && mode !== 'success')
      refuseTogether(context, `has no effect with the mode ${mode}; use success`, 'weight');
  });

/** Rules and timeline can refer to these providers. Fields that are left out become null or an empty list. */
const scenarioFile = (names: ProviderNames) =>
  f.object({
    name: f.textWithin(100).describe('The name of the scenario, 1 to 100 characters. Required.'),
    description: orNull(f.textWithin(4000).describe('A description for readers.')),
    // The next four fields take effect when a world is created or reset; null: the sandbox's own setting.
    seed: orNull(Seed).describe(
      'A string or a whole number. All identifiers and random numbers derive from it.',
    ),
    clock: orNull(Clock).describe('`real`, `manual`, or a rate such as `x60`.'),
    startTime: orNull(Instant).describe(
      'Where the clock starts: a date-time such as `2026-01-01T00:00:00Z`.',
    ),
    dialect: orNull(
      f
        .choice(DIALECT_SETTINGS)
        .describe(
          '`documented` or `sdk`: how fields, statuses and errors are formatted. `auto`: as the caller reads them.',
        ),
    ),
    keys: f
      .oneOrMany(SecretKey)
      .default([])
      .describe('The key or keys that get the scenario. All keys by default.'),
    providers: providersField(names).describe(`At most ${PROVIDERS_MAX} providers.`),
    seedData: orNull(seedDataField(names).superRefine(requireReferences)).describe(
      'Records that exist before the first call.',
    ),
    rules: rulesField(names).describe(`At most ${RULES_MAX} rules.`),
    timeline: timelineField(names).describe(`At most ${TIMELINE_MAX} events that happen without a call.`),
    ccvTtl: orNull(
      f
        .duration(1, DURATION_MAX_MS, '100 years')
        .describe('How long the vault keeps a Ccv that no charge uses, such as `10m`. Default: `--ccv-ttl`.'),
    ),
    knownProvidersOnly: orNull(
      f
        .choice([true, false])
        .describe(
          'With `true`, a ProviderId that is neither built in nor configured is refused (code 39). Default: `--known-providers-only`.',
        ),
    ),
    routing: orNull(Routing).describe(
      'How calls without ProviderId find their provider: `{ mode: off }`, `{ mode: lowestCost }` (the default) or `{ mode: success, weight: 0.5 }`. [Providers that fail](../guides/providers.md#routing) describes them.',
    ),
    batches: orNull(Batches).describe('How batches make progress: `pace`, and `failAt` or `stuckAt`.'),
    webhooks: orNull(WebhooksField).describe('The `secret` of signatures, and at most 100 `policies`.'),
  });

/** A scenario file that defines no providers. Its input side becomes the JSON Schema for editors. */
export const ScenarioFile = scenarioFile(BUILT_IN_NAMES);

/** A validated scenario as plain data. */
export type Scenario = Readonly<z.output<typeof ScenarioFile>>;

export type ParsedScenario = { readonly scenario: Scenario } | { readonly issues: readonly ScenarioIssue[] };

/** Validates a scenario from a file or a request. Refuses what can never match once everything else is right. */
export function parseScenario(value: unknown): ParsedScenario {
  const read = readSavedScenario(value);
  if ('issues' in read) return read;
  const issues = findImpossible(read.scenario, value);
  return issues.length === 0 ? read : { issues };
}

/** Reads a scenario that was in use. Earlier versions accepted what can never match, and their files still open. */
export function readSavedScenario(value: unknown): ParsedScenario {
  const names = readProviderNames(value);
  const file = names === BUILT_IN_NAMES ? ScenarioFile : scenarioFile(names);
  const read = file.safeParse(value, { reportInput: true });
  return read.success ? { scenario: read.data } : { issues: scenarioIssues(read.error.issues) };
}
