import { type DialectSetting, DIALECT_SETTINGS } from '../../core/dialect/dialect.js';
import { ApiError } from '../../core/errors.js';
import { dropNulls } from '../../core/given.js';
import { quoteText } from '../../core/text/text.js';
import { readSavedScenario } from '../../scenarios/file/schema.js';
import type { Scenario } from '../../scenarios/script/model.js';
import type { WorldSettings } from '../../world/settings.js';
import { restoreSnapshot, type Snapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { readState } from '../snapshots/state-read.js';
import { type JsonObject, refuseFile } from './file-format.js';
import { recordCalls } from './play-calls.js';
import type { Trace } from './recorded-call.js';

/** A world as a bundle has it, or a state, which has no calls. */
export interface BundledWorld {
  readonly dialect: DialectSetting;
  readonly scenario: Scenario | null;
  readonly snapshot: Snapshot;
  readonly trace: Trace;
}

/** Reads a bundle, or the state in place of one; `settings` has those that no state contains. */
export async function readBundle(
  place: string,
  bundle: JsonObject,
  trace: Trace,
  settings: WorldSettings,
  pause: () => Promise<void>,
): Promise<BundledWorld> {
  const { State, Scenario: definition } = bundle;
  const snapshot = await readState(State, settings, pause).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    return refuseFile(`${place}: State: ${error.refusal.detail}`);
  });
  // A state by itself has no format beside it, and its dialect among its settings.
  const dialect = 'Format' in bundle ? readDialect(place, bundle) : snapshot.settings.dialect;
  return { dialect, scenario: readScenario(place, definition), snapshot, trace };
}

function readDialect(place: string, { Dialect }: JsonObject): DialectSetting {
  const dialect = DIALECT_SETTINGS.find((setting) => setting === Dialect);
  if (dialect !== undefined) return dialect;
  return refuseFile(
    `${place}: Dialect must be one of ${DIALECT_SETTINGS.join(', ')}, not ${quoteText(String(Dialect))}`,
  );
}

function readScenario(place: string, definition: unknown): Scenario | null {
  if (definition === null || definition === undefined) return null;
  const parsed = readSavedScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const issues = parsed.issues.map(({ path, message }) => `${['Scenario', ...path].join('.')}: ${message}`);
  return refuseFile(`${place}: ${issues.join('; ')}`);
}

/** Replaces the world of a key by one that a file has; `base` has the settings that the file does not contain. */
export function restoreBundle(worlds: Worlds, key: string, bundle: BundledWorld, base: WorldSettings): World {
  const { scenario, snapshot } = bundle;
  const { name } = snapshot.settings;
  const settings = { ...base, ...pickSettings(bundle), name };
  const world = restoreSnapshot(worlds, key, { ...snapshot, settings });
  recordCalls(world, bundle.trace);
  // Opening a file should not call the receivers in it.
  world.webhooks.withhold('it came with a file');
  // If the state has its own scenario, that continues.
  if (world.script.scenario === null) world.play(scenario);
  return world;
}

/** The settings of a world that a bundle contains. The others are those of the server. */
export function pickSettings({ dialect, snapshot }: BundledWorld) {
  const { seed, tokenTtl, authorisationTtl, checkoutTtl, ccvTtl, knownProvidersOnly, batchPace } =
    snapshot.settings;
  const lifetimes = { tokenTtl, authorisationTtl, checkoutTtl, ccvTtl };
  const { strict, testCardsOnly, webhookHeaderPrefix } = snapshot.settings.own;
  const own = dropNulls({ strict, testCardsOnly, webhookHeaderPrefix });
  return { seed, dialect, ...lifetimes, knownProvidersOnly, batchPace, ...own };
}
