import { dialectNamed, DIALECTS } from '../../core/dialect.js';
import { count, isObject } from '../../core/text.js';
import type { Sandbox } from '../../sandbox.js';
import type { Scenario } from '../../scenarios/model.js';
import { restoreSnapshot, takeSnapshot } from '../../snapshot.js';
import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import { linesOf, messageOf, print } from '../cli/terminal.js';
import { NODE_HOST } from '../http/host.js';
import { holdFile } from './file-lock.js';
import {
  JSON_FILE_BYTES_MAX,
  readJsonFile,
  refusedAt,
  requireFormat,
  scenarioIn,
  snapshotIn,
  WORLDS,
} from './json-file.js';
import { FileError, isThere, namedBy, replaceFile, requireWritable, type Write } from './whole-file.js';

const NOTE =
  'Contains the secret keys of all worlds, full card numbers, and the credentials of providers and webhooks in plain text. Do not share it.';
/** How often changed worlds are written. */
const KEEP_MS = 5000;

/** The worlds of a file, which a server restores and saves there. */
export interface KeptWorlds {
  /** Describes the content of the file in one line, for stderr. */
  readonly note: string;
  /** Restores each world under its key; rejects with a FileError if one is refused. */
  readonly restore: (sandbox: Sandbox) => Promise<void>;
  /** Writes the worlds whenever they change; the returned function writes them a last time. */
  readonly keep: (sandbox: Sandbox) => () => Promise<boolean>;
}

interface KeptWorld {
  readonly key: string;
  readonly dialect: World['settings']['dialect'];
  /** When the state was taken, by the wall clock in milliseconds since 1970. */
  readonly at: number;
  /** The scenario that only this world was switched to; null if none. */
  readonly chosen: Scenario | null;
  readonly state: unknown;
  readonly place: string;
}

/** Like {@link openState}, but locks the file for this process until it ends. Messages name --state. */
export async function takeState(file: string): Promise<KeptWorlds> {
  const hold = async (): Promise<KeptWorlds> => {
    await requireWritable(file);
    await holdFile(file);
    return openState(file);
  };
  const taken = await namedBy('--state', hold());
  return { ...taken, restore: (sandbox) => namedBy('--state', taken.restore(sandbox)) };
}

/**
 * Reads the worlds of a file, which may not exist yet. Rejects with a FileError, and then has changed nothing.
 */
export async function openState(file: string): Promise<KeptWorlds> {
  await requireWritable(file);
  const worlds = (await isThere(file)) ? await readWorlds(file) : [];
  return {
    note: noteOf(file, worlds.length),
    restore: async ({ worlds: all }) => {
      for (const world of worlds) await refusedAt(world.place, restoreWorld(all, world));
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
      ? 'It has no worlds yet'
      : `Restored ${count(worlds, 'world')}; --scenario, --seed and --clock apply only to new worlds`;
  return `State: worlds are saved in ${file}, with their keys and full card numbers in plain text. ${found}.`;
}

async function readWorlds(file: string): Promise<KeptWorld[]> {
  const { Worlds: listed } = requireFormat(file, await readJsonFile(file), WORLDS);
  if (!Array.isArray(listed)) throw new FileError(`${file}: Worlds must be a list`);
  const read: KeptWorld[] = [];
  for (const [n, world] of listed.entries()) read.push(await readWorld(world, `${file}: Worlds.${n}`));
  const keys = new Set(read.map(({ key }) => key));
  if (keys.size < read.length) throw new FileError(`${file}: two Worlds have the same Key`);
  return read;
}

async function readWorld(world: unknown, place: string): Promise<KeptWorld> {
  const { Key, Dialect, At, Chosen, State } = isObject(world) ? world : {};
  if (typeof Key !== 'string' || Key === '') throw new FileError(`${place}: Key must be a non-empty string`);
  const dialect = dialectNamed(String(Dialect));
  if (dialect === undefined) throw new FileError(`${place}: Dialect must be ${DIALECTS.join(' or ')}`);
  const at = typeof At === 'string' ? Date.parse(At) : NaN;
  if (Number.isNaN(at)) throw new FileError(`${place}: At must be a date and time`);
  return { key: Key, dialect, at, chosen: await scenarioIn(place, 'Chosen', Chosen), state: State, place };
}

async function restoreWorld(worlds: Worlds, { key, dialect, at, chosen, state }: KeptWorld): Promise<void> {
  await worlds.prepare(key);
  const fresh = worlds.open(key);
  await worlds.load(chosen);
  if (chosen !== null) worlds.switchTo(fresh, chosen);
  const snapshot = await snapshotIn(state, { ...fresh.settings, dialect });
  const { clock } = snapshot;
  // A real clock continued while the server was down; any other continues from where it stopped.
  const gone = clock.mode === 'real' ? Math.max(0, Date.now() - at) : 0;
  restoreSnapshot(worlds, key, { ...snapshot, clock: { ...clock, instant: clock.instant + gone } });
}

/** Writes the file in pieces, and lets the event loop run between them. */
async function writeWorlds(worlds: Worlds, write: Write): Promise<void> {
  const { writeState } = await import('../../control/snapshots/state-write.js');
  const { definitionOf, WHOLE } = await import('../../scenarios/definition.js');
  const head = { Format: WORLDS.format, Version: WORLDS.version, Note: NOTE };
  await write(`${JSON.stringify(head).slice(0, -1)},"Worlds":[`);
  let separator = '\n';
  for (const world of Array.from(worlds.all())) {
    const { clock, key } = world;
    const chosen = worlds.chosenFor(key);
    const own = {
      Key: key,
      Dialect: world.settings.dialect,
      // The instant of the state is that of the last event.
      At: new Date(Date.now() - (clock.mode === 'real' ? clock.now() - world.now : 0)).toISOString(),
      Chosen: chosen === null ? null : definitionOf(chosen, WHOLE),
    };
    // Taken before the first await, so that the state belongs to the instant.
    const pieces = writeState(takeSnapshot(world));
    await write(`${separator}${JSON.stringify(own).slice(0, -1)},"State":`);
    for (const piece of pieces) {
      await write(piece);
      await NODE_HOST.pause();
    }
    await write('}');
    separator = ',\n';
  }
  await write('\n]}\n');
}

/**
 * Writes the worlds every five seconds if something has changed. The returned function stops this and writes them a last
 * time; it resolves with whether they are saved.
 */
export function keepWorlds(
  worlds: Worlds,
  write: (worlds: Worlds) => Promise<unknown>,
): () => Promise<boolean> {
  let kept = marksOf(worlds);
  let reported = '';
  let writing: Promise<boolean> = Promise.resolve(true);
  const keep = async (): Promise<boolean> => {
    const marks = marksOf(worlds);
    if (marks.length === kept.length && marks.every((mark, i) => Object.is(mark, kept[i]))) return true;
    try {
      await write(worlds);
      kept = marks;
      reported = '';
      return true;
    } catch (error) {
      const message = messageOf(error);
      if (message !== reported) print(process.stderr, linesOf([`playmoney: --state: ${message}`]));
      reported = message;
      return false;
    }
  };
  // One after the other: two writes must not overlap.
  const next = (): Promise<boolean> => (writing = writing.then(keep));
  const timer = setInterval(() => void next(), KEEP_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return next();
  };
}

/** Values that differ when worlds have changed: everything that happens is counted, scheduled or delivered. */
function marksOf(worlds: Worlds): unknown[] {
  return Array.from(worlds.all()).flatMap((world) => {
    const { chance, jobs, dispatch, script, clock } = world;
    const counts = [chance.countOf('requests'), chance.countOf('controls'), dispatch.ended];
    return [world, ...counts, jobs.nextDue, jobs.size, script.scenario, clock.mode];
  });
}
