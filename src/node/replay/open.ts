import { DEFAULT_START } from '../../core/clock.js';
import { dialectNamed, DIALECTS } from '../../core/dialect.js';
import { given as fieldsGiven } from '../../core/given.js';
import { count, isObject, quoted, shellQuoted } from '../../core/text.js';
import { type Sandbox, worldSettings } from '../../sandbox.js';
import type { Scenario } from '../../scenarios/model.js';
import { restoreSnapshot, type Snapshot } from '../../snapshot.js';
import { DEFAULT_KEY, type StartOptions } from '../cli/option-table.js';
import type { Restored } from '../cli/start-note.js';
import { linesOf, type Printable } from '../cli/terminal.js';
import {
  BUNDLE,
  readJsonFile,
  refusedAt,
  requireFormat,
  scenarioIn,
  snapshotIn,
} from '../state/json-file.js';
import { FileError } from '../state/whole-file.js';
import { type Trace, traceOf } from './trace.js';

/** An unused world, in which the calls of the bundle can be played. */
const REPLAY_KEY = 'sk_test_replay';

interface Bundle {
  readonly file: string;
  readonly dialect: StartOptions['dialect'];
  readonly scenario: Scenario | null;
  readonly trace: Trace;
  readonly snapshot: Snapshot;
  /** Such as `playmoney 0.1.0 on Node v24.1.0`. */
  readonly server: string;
}

export interface Opened {
  /** The given options, completed from the bundle. */
  readonly options: StartOptions;
  readonly scenario: Scenario | null;
  /** The name of new worlds, so that they have the identifiers of the original; null if that had none. */
  readonly name: string | null;
  readonly restored: Restored;
  readonly restore: (sandbox: Sandbox) => void;
  /** The note for stderr: what was opened, and how to play its calls in a fresh world. */
  readonly note: (url: string) => Printable;
}

/** Reads a bundle and prepares a server for it. Rejects with a FileError. */
export async function openBundle(file: string, given: StartOptions): Promise<Opened> {
  const bundle = await readBundle(file);
  const { scenario } = bundle;
  const key = given.keys.find((one) => one !== 'any') ?? DEFAULT_KEY;
  // Seed, clock and dialect come from the state, and every key plays the scenario.
  const inherited = { seed: null, clock: null, startTime: null, dialect: null, keys: [] };
  return {
    options: { ...given, ...freshWorlds(bundle) },
    scenario: scenario === null ? null : { ...scenario, ...inherited },
    name: bundle.snapshot.settings.name,
    restored: { key, now: bundle.snapshot.clock.instant },
    restore: ({ worlds }) => {
      const { settings } = worlds.open(key);
      const world = restoreSnapshot(worlds, key, { ...bundle.snapshot, settings });
      // Opening a file should not call the receivers in it.
      world.webhooks.withhold('it came with a bundle');
      // If the state has its own scenario, that continues.
      if (world.script.scenario === null) world.play(scenario);
    },
    note: (url) => noteOf(bundle, key, url, given.adminToken),
  };
}

/**
 * The settings of new worlds, so that the calls of the bundle can be replayed in one: those that the world of the bundle
 * started with, and a manual clock that starts where the recorded one did.
 */
function freshWorlds({ dialect, trace, snapshot }: Bundle): Partial<StartOptions> {
  const { seed, tokenTtl, authorisationTtl, ccvTtl, knownProvidersOnly, batchPace } = snapshot.settings;
  const { strict, testCardsOnly, webhookHeaderPrefix } = snapshot.settings.own;
  const first = trace.entries[0]?.at ?? DEFAULT_START;
  return {
    seed,
    dialect,
    clock: { mode: 'manual', rate: 0 },
    startTime: trace.clockMode === 'real' ? first : Math.min(first, DEFAULT_START),
    tokenTtl,
    authorisationTtl,
    ccvTtl,
    knownProvidersOnly,
    batchPace,
    ...fieldsGiven({ strict, testCardsOnly, webhookHeaderPrefix }),
  };
}

/** Settings that a state does not contain. */
const SETTINGS = worldSettings({});

async function readBundle(file: string): Promise<Bundle> {
  const read = requireFormat(file, await readJsonFile(file), BUNDLE);
  const { Playmoney, Node } = isObject(read['Server']) ? read['Server'] : {};
  const trace = traceOf(read['Trace'], file);
  const snapshot = await refusedAt(`${file}: State`, snapshotIn(read['State'], SETTINGS));
  const dialect = dialectNamed(String(read['Dialect']));
  if (dialect === undefined) {
    throw new FileError(
      `${file}: Dialect must be ${DIALECTS.join(' or ')}, not ${quoted(String(read['Dialect']))}`,
    );
  }
  return {
    file,
    dialect,
    scenario: await scenarioIn(file, 'Scenario', read['Scenario']),
    trace,
    snapshot,
    server: `playmoney ${String(Playmoney).slice(0, 40)} on Node ${String(Node).slice(0, 40)}`,
  };
}

function noteOf(bundle: Bundle, key: string, url: string, adminToken: string | null): Printable {
  const { file, scenario, trace, snapshot, server } = bundle;
  const whose = key === DEFAULT_KEY ? DEFAULT_KEY : 'the given key';
  const plays = scenario === null ? 'no scenario' : `the scenario ${scenario.name}`;
  const { length } = trace.entries;
  const calls = length === 1 ? 'its recorded call' : `its ${count(length, 'recorded call')}`;
  const admin = adminToken === null ? '' : ' --admin-token …';
  return linesOf([
    `${file} was saved by ${server}. The world of ${whose} is restored, with the seed ${snapshot.settings.seed} and ${plays}.`,
    `To replay ${calls} in a new world that starts like the original:`,
    `  playmoney replay ${shellQuoted(file)} --against ${url} --key ${REPLAY_KEY} --move-clock${admin}`,
  ]);
}
