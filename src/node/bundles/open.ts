import { DEFAULT_KEY } from '../../core/keys.js';
import { DEFAULT_START } from '../../core/time/clock.js';
import { formatCount, isObject, quoteForShell } from '../../core/text/text.js';
import { DEFAULT_WORLDS_MAX, type InnerSandbox, buildWorldSettings } from '../../app/sandbox.js';
import { type BundledWorld, pickSettings, readBundle, restoreBundle } from '../../control/opening/bundle.js';
import type { JsonObject } from '../../control/opening/file-format.js';
import { playTrace } from '../../control/opening/play-calls.js';
import { buildNthKey, type RecordedWorld } from '../../control/opening/recordings.js';
import { JOURNAL_ENTRIES_MAX } from '../../journal/completed-call.js';
import type { Scenario } from '../../scenarios/script/model.js';
import type { Worlds } from '../../world/worlds.js';
import type { StartOptions } from '../options/option-table.js';
import type { RestoredWorld } from '../cli/start/start-note.js';
import { NODE_HOST } from '../machine/host.js';
import { formatLines, type Printable } from '../terminal/terminal.js';
import { asFileError } from '../files/json-file.js';
import { readRecordingsFile } from '../replay/recordings.js';

/** The key of an unused world, in which the calls of the bundle can be replayed. */
const REPLAY_KEY = 'sk_test_replay';

const ORIGIN = 'http://localhost';
const LISTED_MAX = 20;
const RECEIVERS_ARE_LEFT =
  'Webhooks are off: receivers are not called; `--webhooks private` calls them, except for those that were pending.';

type Bundles = readonly [Bundle, ...Bundle[]];

interface Bundle extends BundledWorld {
  /** The key of the restored world. */
  readonly key: string;
  /** The name of the world where it was saved, or else the short hash of its key; null if unknown. */
  readonly world: string | null;
  /** Follows the name of the file in a sentence, such as "was saved by playmoney 0.1.0 on Node v20.19.0". */
  readonly origin: string;
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

/** Reads bundles, a state, or calls without a state, and prepares a server for them. Rejects with a FileError. */
export async function openBundle(file: string, given: StartOptions): Promise<OpenedBundle> {
  const { all, lack } = await readRecordingsFile(file, true);
  const key = given.keys.find((accepted) => accepted !== 'any') ?? DEFAULT_KEY;
  const bundles: Bundle[] = [];
  for (const [n, { bundle, trace, world }] of all.entries()) {
    if (bundle === null) continue;
    const place = all.length === 1 ? file : `${file}: Bundles.${n}`;
    const pause = () => NODE_HOST.pause();
    const found = await asFileError(() => readBundle(place, bundle, trace, SETTINGS, pause));
    bundles.push({ ...found, world, key: buildNthKey(key, n), origin: describeOrigin(bundle) });
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
      ...pickSettings(first),
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
        restoreBundle(worlds, bundle.key, bundle, worlds.open(bundle.key).settings);
        await prepareReplay(worlds, buildNthKey(REPLAY_KEY, n), bundle);
      }
    },
    note: (url) => openedNote(file, bundles, url, given),
  };
}

/** Seed, clock and dialect come from the state. */
const INHERITED = { seed: null, clock: null, startTime: null, dialect: null, keys: [] };

/** Opens a new world that begins like the original, with the same identifiers and draws. */
async function prepareReplay(worlds: Worlds, key: string, bundle: Bundle): Promise<void> {
  const { snapshot, scenario } = bundle;
  const clock = { mode: 'manual' as const, rate: 0, start: findStart(bundle) };
  const { name } = snapshot.settings;
  const settings = { ...worlds.open(key).settings, ...pickSettings(bundle), name, clock };
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
      played = await asFileError(() => playAll(sandbox, recordings, key), `${file}: `);
    },
    note: (url) =>
      formatLines([
        lack,
        `${played} To see the differences, replay them in another world:`,
        formatReplayCommand(file, url, given.adminToken),
      ]),
  };
}

function findStart({ trace }: Bundle): number {
  const first = trace.entries[0]?.at ?? DEFAULT_START;
  return trace.clockMode === 'real' ? first : Math.min(first, DEFAULT_START);
}

/** Sends the calls of each world to a new one. Returns what to print. */
async function playAll(
  sandbox: InnerSandbox,
  recordings: readonly RecordedWorld[],
  key: string,
): Promise<string> {
  const { worlds } = sandbox;
  const player = { worlds, send: (request: Request) => sandbox.fetch(request), base: ORIGIN };
  let calls = 0;
  let different = 0;
  for (const [n, { trace }] of recordings.entries()) {
    const world = await worlds.bring(buildNthKey(key, n));
    calls += trace.entries.length;
    different += await playTrace(player, world.key, trace, world.settings);
  }
  const result =
    different === 0 ? 'all answers are equal' : `${different} of the answers are different or missing`;
  const places = recordings.length === 1 ? 'a new world' : formatCount(recordings.length, 'new world');
  return `Its ${formatCount(calls, 'call')} were sent to ${places}, whose webhooks are off: ${result}.`;
}

/** Settings that a state does not contain. */
const SETTINGS = buildWorldSettings({});

function describeOrigin({ Server }: JsonObject): string {
  if (!isObject(Server)) return 'has the state of a world, without its calls';
  const { Playmoney, Node } = Server;
  return `was saved by playmoney ${String(Playmoney).slice(0, 40)} on Node ${String(Node).slice(0, 40)}`;
}

function openedNote(
  file: string,
  bundles: Bundles,
  url: string,
  { adminToken, webhooks }: StartOptions,
): Printable {
  const [first] = bundles;
  const begin = `${file} ${first.origin}.`;
  const command = formatReplayCommand(file, url, adminToken);
  const off = webhooks === 'off' ? [RECEIVERS_ARE_LEFT] : [];
  if (bundles.length === 1) {
    const holder = first.key === DEFAULT_KEY ? DEFAULT_KEY : 'the given key';
    const { length } = first.trace.recorded;
    const calls = formatCount(Math.min(length, JOURNAL_ENTRIES_MAX), 'recorded call');
    return formatLines([
      `${begin} The world of ${holder} is restored, with ${calls} in its journal, ${describePlay(first)}.`,
      ...(length === 0
        ? []
        : [
            `To replay ${length === 1 ? 'the call' : 'the calls'} in a new world that starts like the original:`,
            command,
          ]),
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
