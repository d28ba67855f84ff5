import { DEFAULT_KEY } from '../../core/keys.js';
import { DEFAULT_START } from '../../core/time/clock.js';
import { DIALECT_SETTINGS } from '../../core/dialect/dialect.js';
import { dropNulls } from '../../core/given.js';
import { formatCount, isObject, quoteText, quoteForShell } from '../../core/text/text.js';
import { DEFAULT_WORLDS_MAX, type InnerSandbox, buildWorldSettings } from '../../app/sandbox.js';
import { JOURNAL_ENTRIES_MAX } from '../../journal/completed-call.js';
import type { Scenario } from '../../scenarios/script/model.js';
import { restoreSnapshot, type Snapshot } from '../../world/snapshot.js';
import type { Worlds } from '../../world/worlds.js';
import type { StartOptions } from '../options/option-table.js';
import type { RestoredWorld } from '../cli/start/start-note.js';
import { formatLines, type Printable } from '../terminal/terminal.js';
import {
  BUNDLE,
  type JsonObject,
  nameFaultPlace,
  readScenarioField,
  readSnapshotField,
} from '../files/json-file.js';
import { FileError } from '../files/file-error.js';
import { playCalls, recordCalls } from './play-calls.js';
import { buildNthKey, readRecordings, type RecordedWorld } from '../replay/recordings.js';
import type { Trace } from '../replay/trace.js';

/** The key of an unused world, in which the calls of the bundle can be replayed. */
const REPLAY_KEY = 'sk_test_replay';

const LISTED_MAX = 20;
const RECEIVERS_ARE_LEFT =
  'Webhooks are off: receivers are not called; `--webhooks private` calls them, except for those that were pending.';

type Bundles = readonly [Bundle, ...Bundle[]];

interface Bundle {
  /** The key of the restored world. */
  readonly key: string;
  /** The name of the world where it was saved, or else the short hash of its key; null if unknown. */
  readonly world: string | null;
  readonly dialect: StartOptions['dialect'];
  readonly scenario: Scenario | null;
  readonly trace: Trace;
  readonly snapshot: Snapshot;
  readonly server: string;
}

export interface OpenedBundle {
  /** The given options, completed from the bundle. */
  readonly options: StartOptions;
  readonly scenario: Scenario | null;
  /** The name of new worlds, so that they have the identifiers of the original; null if that had none. */
  readonly name: string | null;
  readonly restored: RestoredWorld;
  readonly restore: (sandbox: InnerSandbox) => Promise<void>;
  /** The note for stderr: what was opened, and how to replay its calls in a fresh world. */
  readonly note: (url: string) => Printable;
}

/** Reads bundles, or calls without a state, and prepares a server for them. Rejects with a FileError. */
export async function openBundle(file: string, given: StartOptions): Promise<OpenedBundle> {
  const { all, lack } = await readRecordings(file, BUNDLE);
  const key = given.keys.find((accepted) => accepted !== 'any') ?? DEFAULT_KEY;
  const bundles: Bundle[] = [];
  for (const [n, { bundle, trace, world }] of all.entries()) {
    if (bundle === null) continue;
    const place = all.length === 1 ? file : `${file}: Bundles.${n}`;
    bundles.push({ ...(await readBundle(place, bundle)), trace, world, key: buildNthKey(key, n) });
  }
  const [first, ...others] = bundles;
  return first === undefined
    ? prepareCalls(file, given, key, all, lack ?? '')
    : prepareBundles(file, given, [first, ...others]);
}

function prepareBundles(file: string, given: StartOptions, bundles: Bundles): OpenedBundle {
  const [first] = bundles;
  const { scenario, key } = first;
  return {
    options: {
      ...given,
      // New worlds start as the one of the bundle did, so that its calls can be replayed in one.
      ...bundleSettings(first),
      clock: { mode: 'manual', rate: 0 },
      startTime: findStart(first),
      worldsMax: (given.worldsMax ?? DEFAULT_WORLDS_MAX) + 2 * bundles.length,
    },
    // The scenario applies to every new key.
    scenario: scenario === null ? null : { ...scenario, ...INHERITED },
    name: first.snapshot.settings.name,
    restored: { key, now: first.snapshot.clock.instant },
    restore: async ({ worlds }) => {
      for (const [n, bundle] of bundles.entries()) {
        restoreBundle(worlds, bundle);
        await prepareReplay(worlds, buildNthKey(REPLAY_KEY, n), bundle);
      }
    },
    note: (url) => openedNote(file, bundles, url, given),
  };
}

/** Seed, clock and dialect come from the state. */
const INHERITED = { seed: null, clock: null, startTime: null, dialect: null, keys: [] };

function restoreBundle(worlds: Worlds, bundle: Bundle): void {
  const { key, scenario, snapshot } = bundle;
  const { name } = snapshot.settings;
  const settings = { ...worlds.open(key).settings, ...bundleSettings(bundle), name };
  const world = restoreSnapshot(worlds, key, { ...snapshot, settings });
  recordCalls(world, bundle.trace);
  // Opening a file should not call the receivers in it.
  world.webhooks.withhold('it came with a bundle');
  // If the state has its own scenario, that continues.
  if (world.script.scenario === null) world.play(scenario);
}

/** Opens a new world that begins like the original, with the same identifiers and draws. */
async function prepareReplay(worlds: Worlds, key: string, bundle: Bundle): Promise<void> {
  const { snapshot, scenario } = bundle;
  const clock = { mode: 'manual' as const, rate: 0, start: findStart(bundle) };
  const { name } = snapshot.settings;
  const settings = { ...worlds.open(key).settings, ...bundleSettings(bundle), name, clock };
  const played = scenario === null ? null : { ...scenario, ...INHERITED };
  await worlds.load(played && { ...played, seed: settings.seed });
  const world = worlds.build(key, settings, snapshot.base);
  worlds.begin(world, played);
  worlds.replace(world);
}

/** Prepares a server for calls without a state: they are sent to new worlds before it starts. */
function prepareCalls(
  file: string,
  given: StartOptions,
  key: string,
  recordings: readonly RecordedWorld[],
  lack: string,
): OpenedBundle {
  const begins = recordings.flatMap(({ trace }) => trace.entries.slice(0, 1)).map(({ at }) => at);
  const start = begins.length === 0 ? DEFAULT_START : Math.min(...begins);
  let played = '';
  return {
    options: { ...given, clock: { mode: 'manual', rate: 0 }, startTime: start },
    scenario: null,
    name: null,
    restored: { key, now: start },
    restore: async (sandbox) => {
      played = await nameFaultPlace(file, playCalls(sandbox, recordings, key));
    },
    note: (url) =>
      formatLines([
        lack,
        `${played} To see the differences, replay them in another world:`,
        formatReplayCommand(file, url, given.adminToken),
      ]),
  };
}

/** The settings of a world that a bundle contains. The others are those of the server. */
function bundleSettings({ dialect, snapshot }: Bundle) {
  const { seed, tokenTtl, authorisationTtl, checkoutTtl, ccvTtl, knownProvidersOnly, batchPace } =
    snapshot.settings;
  const lifetimes = { tokenTtl, authorisationTtl, checkoutTtl, ccvTtl };
  const { strict, testCardsOnly, webhookHeaderPrefix } = snapshot.settings.own;
  const own = dropNulls({ strict, testCardsOnly, webhookHeaderPrefix });
  return { seed, dialect, ...lifetimes, knownProvidersOnly, batchPace, ...own };
}

function findStart({ trace }: Bundle): number {
  const first = trace.entries[0]?.at ?? DEFAULT_START;
  return trace.clockMode === 'real' ? first : Math.min(first, DEFAULT_START);
}

/** Settings that a state does not contain. */
const SETTINGS = buildWorldSettings({});

type BundleContent = Omit<Bundle, 'trace' | 'world' | 'key'>;

async function readBundle(place: string, read: JsonObject): Promise<BundleContent> {
  const { Playmoney, Node } = isObject(read['Server']) ? read['Server'] : {};
  const snapshot = await nameFaultPlace(`${place}: State`, readSnapshotField(read['State'], SETTINGS));
  const dialect = DIALECT_SETTINGS.find((setting) => setting === read['Dialect']);
  if (dialect === undefined) {
    const detail = `${place}: Dialect must be one of ${DIALECT_SETTINGS.join(', ')}, not ${quoteText(String(read['Dialect']))}`;
    throw new FileError(detail);
  }
  return {
    dialect,
    scenario: await readScenarioField(place, 'Scenario', read['Scenario']),
    snapshot,
    server: `playmoney ${String(Playmoney).slice(0, 40)} on Node ${String(Node).slice(0, 40)}`,
  };
}

function openedNote(
  file: string,
  bundles: Bundles,
  url: string,
  { adminToken, webhooks }: StartOptions,
): Printable {
  const [first] = bundles;
  const begin = `${file} was saved by ${first.server}.`;
  const command = formatReplayCommand(file, url, adminToken);
  const off = webhooks === 'off' ? [RECEIVERS_ARE_LEFT] : [];
  if (bundles.length === 1) {
    const holder = first.key === DEFAULT_KEY ? DEFAULT_KEY : 'the given key';
    const { length } = first.trace.recorded;
    const calls = formatCount(Math.min(length, JOURNAL_ENTRIES_MAX), 'recorded call');
    return formatLines([
      `${begin} The world of ${holder} is restored, with ${calls} in its journal, ${describePlay(first)}.`,
      `To replay ${length === 1 ? 'the call' : 'the calls'} in a new world that starts like the original:`,
      command,
      ...off,
    ]);
  }
  const more = bundles.length - LISTED_MAX;
  return formatLines([
    `${begin} Its ${bundles.length} worlds are restored, with their recorded calls, each under a key of its own:`,
    ...bundles.slice(0, LISTED_MAX).map(describeBundle),
    ...(more > 0 ? [`  and ${more} more; the dashboard lists them all`] : []),
    'To replay their recorded calls in new worlds that start like the originals:',
    command,
    ...off,
  ]);
}

/** A given key is secret. */
function describeBundle(bundle: Bundle, n: number): string {
  const key = bundle.key.startsWith(DEFAULT_KEY) ? bundle.key : buildNthKey('the given key', n);
  const world = bundle.world === null ? '' : `${bundle.world}, `;
  return `  ${key}: ${world}${formatCount(bundle.trace.recorded.length, 'call')}, ${describePlay(bundle)}`;
}

function describePlay({ scenario, snapshot }: Bundle): string {
  const plays = scenario === null ? 'no scenario' : `the scenario ${scenario.name}`;
  return `the seed ${snapshot.settings.seed} and ${plays}`;
}

function formatReplayCommand(file: string, url: string, adminToken: string | null): string {
  const admin = adminToken === null ? '' : ' --admin-token …';
  return `  playmoney replay ${quoteForShell(file)} --against ${url} --key ${REPLAY_KEY} --move-clock${admin}`;
}
