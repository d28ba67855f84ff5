import { stat } from 'node:fs/promises';

import { count, isObject, plainLine } from '../../core/text.js';
import { ApiError } from '../../core/errors.js';
import { dialectNamed } from '../../core/dialect.js';
import type { Sandbox } from '../../sandbox.js';
import type { Scenario } from '../../scenarios/model.js';
import { restoreSnapshot } from '../../restore.js';
import { takeSnapshot } from '../../snapshot.js';
import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import { holdFile } from './file-lock.js';
import { NODE_HOST } from '../http/host.js';
import { JSON_FILE_BYTES_MAX, readJsonFile } from './json-file.js';
import { keepWorlds } from './state-keeper.js';
import { requireFormat, WORLDS_FORMAT as FORMAT } from '../replay/trace.js';
import { FileError, namedBy, replaceFile, requireWritable, type Write } from './whole-file.js';
import { definitionOf, WHOLE } from '../../scenarios/definition.js';

/** The version that is written, and the newest that is read. */
const VERSION = 1;
const NOTE =
  'Holds the secret keys of all worlds and whole card numbers in plain text, and what providers and webhooks authenticate with: keep it to yourself.';

/** The worlds of a file, which a server goes on with and keeps there. */
export interface KeptWorlds {
  /** What was found, for stderr. */
  readonly note: string;
  /** Puts each world under its key. Ends the program's start with a FileError where one is not taken. */
  readonly restore: (sandbox: Sandbox) => Promise<void>;
  /** Writes the worlds whenever they have changed; what is given back writes them for the last time. */
  readonly keep: (sandbox: Sandbox) => () => Promise<boolean>;
}

/** A world as it stands in the file, before its state is read. */
interface KeptWorld {
  readonly key: string;
  readonly dialect: World['settings']['dialect'];
  /** When its clock showed what its state says, by the wall clock in milliseconds since 1970. */
  readonly at: number;
  /** What it was switched to by itself; null: nothing. */
  readonly chosen: Scenario | null;
  readonly state: unknown;
  /** Where it stands in the file, for messages. */
  readonly place: string;
}

/** As {@link openState}, for a server: keeps every other one from the file until this process ends. Faults name --state. */
export async function takeState(file: string): Promise<KeptWorlds> {
  const taken = await namedBy('--state', holdState(file));
  return { ...taken, restore: (sandbox) => namedBy('--state', taken.restore(sandbox)) };
}

async function holdState(file: string): Promise<KeptWorlds> {
  await requireWritable(file);
  await holdFile(file);
  return openState(file);
}

/**
 * Reads the worlds of a file; a file that is not there yet holds none. Rejects with a FileError, and then
 * has changed nothing.
 */
export async function openState(file: string): Promise<KeptWorlds> {
  await requireWritable(file);
  const worlds = (await isThere(file)) ? await readWorlds(file) : [];
  return {
    note: `${noteOf(file, worlds.length)}\n`,
    restore: async ({ worlds: all }) => {
      for (const world of worlds) await restoreWorld(all, world);
    },
    keep: ({ worlds: all }) =>
      keepWorlds(all, (changed) =>
        replaceFile(file, (write) => writeWorlds(changed, write), JSON_FILE_BYTES_MAX),
      ),
  };
}

function noteOf(file: string, worlds: number): string {
  const found =
    worlds === 0
      ? 'It holds none yet'
      : `${count(worlds, 'world')} of it ${worlds === 1 ? 'goes' : 'go'} on as left, whatever --scenario, --seed and --clock say`;
  return plainLine(
    `Worlds are kept in ${file}, with their keys and whole card numbers in plain text. ${found}.`,
  );
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function readWorlds(file: string): Promise<KeptWorld[]> {
  const { Worlds: listed } = requireFormat(file, await readJsonFile(file), FORMAT, VERSION);
  if (!Array.isArray(listed)) throw new FileError(`${file}: Worlds must be a list`);
  const read: KeptWorld[] = [];
  for (const [n, world] of listed.entries()) read.push(await readWorld(world, `${file}: Worlds.${n}`));
  const keys = new Set(read.map(({ key }) => key));
  if (keys.size < read.length) throw new FileError(`${file}: two of its Worlds have the same Key`);
  return read;
}

async function readWorld(world: unknown, place: string): Promise<KeptWorld> {
  const { Key, Dialect, At, Chosen, State } = isObject(world) ? world : {};
  if (typeof Key !== 'string' || Key === '') throw new FileError(`${place} has no Key`);
  const dialect = dialectNamed(String(Dialect));
  if (dialect === undefined) throw new FileError(`${place} has a Dialect that is not known`);
  const at = typeof At === 'string' ? Date.parse(At) : NaN;
  if (Number.isNaN(at)) throw new FileError(`${place} has an At that is no instant`);
  const chosen = Chosen === null || Chosen === undefined ? null : await readScenario(Chosen, place);
  return { key: Key, dialect, at, chosen, state: State, place };
}

async function readScenario(definition: unknown, place: string): Promise<Scenario> {
  const { parseScenario } = await import('../../scenarios/schema.js');
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const faults = parsed.faults.map(({ path, message }) => `${['Chosen', ...path].join('.')}: ${message}`);
  throw new FileError(`${place}: ${faults.join('; ')}`);
}

async function restoreWorld(
  worlds: Worlds,
  { key, dialect, at, chosen, state, place }: KeptWorld,
): Promise<void> {
  const { readState } = await import('../../control/snapshots/state-read.js');
  try {
    await worlds.prepare(key);
    const fresh = worlds.open(key);
    await worlds.load(chosen);
    if (chosen !== null) worlds.switchTo(fresh, chosen);
    const snapshot = await readState(state, { ...fresh.settings, dialect }, () => NODE_HOST.pause());
    const { clock } = snapshot;
    // A clock in real time went on while nobody looked; any other goes on from where it stood.
    const gone = clock.mode === 'real' ? Math.max(0, Date.now() - at) : 0;
    restoreSnapshot(worlds, key, { ...snapshot, clock: { ...clock, instant: clock.instant + gone } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new FileError(`${place}: ${error.refusal.detail}`);
  }
}

/** The text of the file, in pieces between which the event loop has its turns. */
async function writeWorlds(worlds: Worlds, write: Write): Promise<void> {
  const { writeState } = await import('../../control/snapshots/state-write.js');
  await write(`${JSON.stringify({ Format: FORMAT, Version: VERSION, Note: NOTE }).slice(0, -1)},"Worlds":[`);
  let separator = '\n';
  for (const world of Array.from(worlds.all())) {
    const { clock } = world;
    const { mode } = clock;
    const chosen = worlds.chosenFor(world.key);
    const head = {
      Key: world.key,
      Dialect: world.settings.dialect,
      // The state's instant is that of the last thing that happened.
      At: new Date(Date.now() - (mode === 'real' ? clock.now() - world.now : 0)).toISOString(),
      Chosen: chosen === null ? null : definitionOf(chosen, WHOLE),
    };
    // Nothing that waits comes between the instant and the state.
    const pieces = writeState(takeSnapshot(world));
    await write(`${separator}${JSON.stringify(head).slice(0, -1)},"State":`);
    for (const piece of pieces) {
      await write(piece);
      await NODE_HOST.pause();
    }
    await write('}');
    separator = ',\n';
  }
  await write('\n]}\n');
}
