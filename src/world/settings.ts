import { DEFAULT_AUTHORISATION_TTL } from '../records/charge.js';
import type { ClockSettings } from '../core/time/clock.js';
import { DEFAULT_DIALECT_SETTING, DIALECT_SETTINGS } from '../core/dialect/dialect.js';
import { CODE, refuse } from '../core/errors.js';
import { dropNulls } from '../core/given.js';
import {
  nonEmptyKind,
  DELAY_KIND,
  GUARD,
  wordKind,
  option,
  PACE_KIND,
  textKind,
  toggleOption,
  TTL_KIND,
  type OptionValues,
} from '../core/option.js';
import { formatDuration } from '../core/time/time.js';
import type { Scenario } from '../scenarios/script/model.js';
import { DEFAULT_CHECKOUT_TTL } from '../records/checkout.js';
import { DEFAULT_TOKEN_TTL } from '../records/token.js';
import { DEFAULT_HEADER_PREFIX, type WebhookReach } from '../webhooks/delivery.js';

/** The maximum length of the name of a world: our own limit. */
export const WORLD_NAME_MAX = 200;

/** Ordered from the fewest receivers to the most. */
const REACHES: readonly WebhookReach[] = ['off', 'private', 'public'];

/** The options that `start` sets for all worlds, and a reset for one. Options, reset and saved states derive from them. */
export const WORLD_OPTIONS = {
  dialect: option(
    wordKind('NAME', DIALECT_SETTINGS, 'auto, documented or sdk'),
    'request and answer format: documented, sdk, or auto (by caller)',
    DEFAULT_DIALECT_SETTING,
  ),
  strict: toggleOption('refuse unknown fields and filters instead of warning'),
  testCardsOnly: { ...toggleOption('refuse card numbers that are not test cards'), ...GUARD },
  knownProvidersOnly: toggleOption('refuse a ProviderId that is neither built in nor configured (code 39)'),
  batchPace: option(
    PACE_KIND,
    'time to process a batch row; default: 100ms, shorter in batches of more than 300 rows',
  ),
  tokenTtl: option(TTL_KIND, 'lifetime of a single-use token', formatDuration(DEFAULT_TOKEN_TTL)),
  authorisationTtl: option(
    TTL_KIND,
    'lifetime of an authorisation that is not captured',
    formatDuration(DEFAULT_AUTHORISATION_TTL),
  ),
  checkoutTtl: option(
    TTL_KIND,
    'how long a payer has to approve a check-out',
    formatDuration(DEFAULT_CHECKOUT_TTL),
  ),
  ccvTtl: option(TTL_KIND, 'how long the vault stores an unused Ccv; default: until a charge uses it'),
  delay: option(
    DELAY_KIND,
    'delay every answer of the service by this real time; adds to the delays of scenarios',
    '0s',
    { isHidden: true },
  ),
  webhooks: option(
    wordKind('WHERE', REACHES, 'private, public or off'),
    'send webhooks to private addresses, to all (public), or off',
    'private',
  ),
  webhookSecret: option(
    { ...nonEmptyKind('SECRET', 'a non-empty text'), isSecret: true, ...GUARD },
    'sign webhooks with this secret, as the dashboard of the service shows it',
  ),
  webhookHeaderPrefix: option(
    textKind(
      'PREFIX',
      'a header prefix of 1 to 64 letters, digits and hyphens, such as X-Payfurl-',
      (prefix) => /^[a-z\d-]{1,64}$/i.test(prefix),
    ),
    'prefix of the webhook headers Version and Signature',
    DEFAULT_HEADER_PREFIX,
  ),
};

type WorldOptions = OptionValues<typeof WORLD_OPTIONS>;

/** The settings of one world that a reset changed and later resets keep. Null for the others. */
export type OwnSettings = { readonly [K in keyof WorldOptions]: WorldOptions[K] | null } & {
  readonly name: string | null;
  /** `start` is null if only the mode and the rate were set. */
  readonly clock: ClockSettings | null;
};

/** The settings of a world. With the same name, settings and requests, it gives the same answers. */
export interface WorldSettings extends WorldOptions {
  readonly seed: string;
  /** Identifiers and draws come from the seed and this name; null for the key of the world. */
  readonly name: string | null;
  readonly clock: ClockSettings;
  readonly recordsMax: number;
  readonly own: OwnSettings;
}

const WORLD_OPTION_NAMES = Object.keys(WORLD_OPTIONS) as (keyof WorldOptions)[];

export const NO_OWN_SETTINGS: OwnSettings = {
  ...(Object.fromEntries(WORLD_OPTION_NAMES.map((name) => [name, null])) as {
    [K in keyof WorldOptions]: null;
  }),
  name: null,
  clock: null,
};

/** Fills in the default of each option that is not given. */
export function fillWorldOptions(options: Partial<WorldOptions>): WorldOptions {
  const values = WORLD_OPTION_NAMES.map((name) => [name, options[name] ?? WORLD_OPTIONS[name].fallback]);
  // Each name keeps the type of its row.
  return Object.fromEntries(values) as WorldOptions;
}

/** The seed, scenario and settings that a reset asks for. */
export interface ResetRequest {
  /** Null for the seed of the scenario; without one, for that of the world before, or of the sandbox where the reset gives a name. */
  readonly seed: string | null;
  /** Null for the scenario that the world was switched to, or else of new worlds. */
  readonly scenario: Scenario | null;
  /** Null for the settings of an earlier reset, or else of the sandbox. */
  readonly own: OwnSettings;
}

export const AS_BEFORE: ResetRequest = { seed: null, scenario: null, own: NO_OWN_SETTINGS };

/** Whether a scenario is for the world of a key; none is for all. */
export function isScenarioFor(scenario: Scenario | null, key: string): boolean {
  return scenario === null || scenario.keys.length === 0 || scenario.keys.includes(key);
}

/** A scenario's seed, clock, start time and dialect override the settings. */
export function applyScenario(settings: WorldSettings, scenario: Scenario): WorldSettings {
  const { seed, clock, startTime, dialect } = scenario;
  return {
    ...settings,
    seed: seed ?? settings.seed,
    dialect: dialect ?? settings.dialect,
    clock: { ...(clock ?? settings.clock), start: startTime ?? settings.clock.start },
  };
}

/** Settings of a reset override those of the sandbox. */
export function applyOwnSettings(settings: WorldSettings, own: OwnSettings): WorldSettings {
  const { clock, ...others } = dropNulls(own);
  const start = clock?.start ?? settings.clock.start;
  return { ...settings, ...others, clock: { ...settings.clock, ...clock, start }, own };
}

/** No reset and no document can weaken the protection of the whole sandbox. */
export function applyGuards(
  settings: WorldSettings,
  { webhooks, testCardsOnly }: WorldOptions,
): WorldSettings {
  return {
    ...settings,
    webhooks: isWiderReach(settings.webhooks, webhooks) ? webhooks : settings.webhooks,
    testCardsOnly: settings.testCardsOnly || testCardsOnly,
  };
}

export function refuseLooserSettings({ webhooks, testCardsOnly }: OwnSettings, common: WorldOptions): void {
  if (webhooks !== null && isWiderReach(webhooks, common.webhooks)) {
    const most = REACHES.slice(0, REACHES.indexOf(common.webhooks) + 1).join(' or ');
    refuseLooserSetting('Webhooks', webhooks, most, `--webhooks is ${common.webhooks}`);
  }
  if (testCardsOnly === false && common.testCardsOnly) {
    refuseLooserSetting(
      'TestCardsOnly',
      testCardsOnly,
      'true',
      'the sandbox was started with test cards only',
    );
  }
}

function isWiderReach(reach: WebhookReach, other: WebhookReach): boolean {
  return REACHES.indexOf(reach) > REACHES.indexOf(other);
}

function refuseLooserSetting(name: string, value: unknown, accepted: string, protection: string): never {
  const reason = `is ${String(value)}; it must be ${accepted}, because ${protection}, which a reset can only tighten`;
  const field = `Settings.${name}`;
  refuse(CODE.ValidationError, `${field} ${reason}.`, { details: { [field]: reason } });
}
