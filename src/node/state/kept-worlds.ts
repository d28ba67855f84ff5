import { count } from '../../core/text/text.js';
import type { Sandbox } from '../../app/sandbox.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { linesOf, messageOf, print } from '../terminal/terminal.js';
import { NODE_HOST } from '../machine/host.js';
import { FolderStore } from './folder-store.js';
import { refusedAt } from '../files/json-file.js';
import { namedBy } from '../files/whole-file.js';
import { readWorld, restoreWorld, type SavedWorld, writeWorld } from './world-document.js';
import type { WorldStore } from './world-store.js';

/** How often changed worlds are saved. */
const SAVE_EVERY_MS = 500;
/** The pause after a save is at least this many times as long as the save, so that saving takes at most a tenth of the time. */
const SAVE_SHARE = 10;
/** How many worlds are saved at a time, so that the disk does not wait for the processor, or the reverse. */
const SAVES_AT_A_TIME = 8;

/** The worlds of a store, which a server restores and saves there. */
export interface KeptWorlds {
  /** Describes the content of the store in one line, for stderr. */
  readonly note: string;
  /** Restores each world under its key; rejects with a FileError if one is refused. */
  readonly restore: (sandbox: Sandbox) => Promise<void>;
  /** Saves worlds whenever they change; the returned function saves them a last time. */
  readonly keep: (sandbox: Sandbox) => () => Promise<boolean>;
}

/** Like {@link openState}, but locks the store for this process until it ends. Messages name --state. */
export async function takeState(path: string): Promise<KeptWorlds> {
  const store = new FolderStore(path);
  const taken = await namedBy(
    '--state',
    store.lock().then(() => openStore(store)),
  );
  return { ...taken, restore: (sandbox) => namedBy('--state', taken.restore(sandbox)) };
}

/** Reads the worlds of a path, which may not exist yet. Rejects with a FileError, and then has changed nothing. */
export async function openState(path: string): Promise<KeptWorlds> {
  return openStore(new FolderStore(path));
}

/** Reads the worlds of a store. */
export async function openStore(store: WorldStore): Promise<KeptWorlds> {
  const worlds: SavedWorld[] = [];
  for (const stored of await store.load()) worlds.push(await readWorld(stored));
  return {
    note: noteOf(store.name, worlds.length),
    restore: async ({ worlds: all }) => {
      for (const world of worlds) await refusedAt(world.place, restoreWorld(all, world));
    },
    keep: ({ worlds: all }) => keepWorlds(all, store),
  };
}

function noteOf(name: string, worlds: number): string {
  const found =
    worlds === 0
      ? 'It has no worlds yet'
      : `Restored ${count(worlds, 'world')}; --scenario, --seed and --clock apply only to new worlds`;
  return `State: worlds are saved in ${name}, with their keys and full card numbers in plain text. ${found}.`;
}

/** Stops a running save when the server ends, because the last save follows at once. */
class Ending extends Error {}

/** Saves each world soon after a change. The returned function saves without a pause; resolves with whether all are saved. */
export function keepWorlds(worlds: Worlds, store: WorldStore): () => Promise<boolean> {
  const kept = new Map<string, readonly unknown[]>();
  for (const world of worlds.all()) kept.set(world.key, marksOf(world));
  let isEnding = false;
  let reported = '';

  const save = async (key: string, pause: () => Promise<void>): Promise<void> => {
    const world = worlds.find(key);
    if (world === undefined) return;
    const marks = marksOf(world);
    await store.save(key, writeWorld(world, worlds.chosenFor(key), pause));
    kept.set(key, marks);
  };

  const saveChanged = async (pause: () => Promise<void>): Promise<boolean> => {
    const begun = Date.now();
    const changed = Array.from(worlds.all()).filter(
      (world) => (isEnding && isBusy(world)) || !isSame(marksOf(world), kept.get(world.key)),
    );
    try {
      await inParallel(changed, ({ key }) => save(key, pause));
      worlds.savedUntil = begun;
      reported = '';
      return true;
    } catch (error) {
      if (error instanceof Ending) return false;
      const message = messageOf(error);
      if (message !== reported) print(process.stderr, linesOf([`playmoney: --state: ${message}`]));
      reported = message;
      return false;
    }
  };

  const pause = (): Promise<void> => (isEnding ? Promise.reject(new Ending()) : NODE_HOST.pause());
  let timer: NodeJS.Timeout;
  let saving: Promise<unknown> = Promise.resolve();
  const schedule = (ms: number): void => {
    timer = setTimeout(() => {
      const begun = performance.now();
      saving = saveChanged(pause).then(() => {
        if (!isEnding) schedule(Math.max(SAVE_EVERY_MS, SAVE_SHARE * (performance.now() - begun)));
      });
    }, ms);
    timer.unref();
  };
  schedule(SAVE_EVERY_MS);
  return async () => {
    isEnding = true;
    clearTimeout(timer);
    await saving;
    return saveChanged(() => Promise.resolve());
  };
}

/** Waits for all, even if one fails. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: SAVES_AT_A_TIME }, one));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}

/** Values that differ when a world has changed: everything that happens is counted, scheduled or delivered. */
function marksOf({ chance, jobs, dispatch, script, clock, calls }: World): readonly unknown[] {
  const counts = [chance.countOf('requests'), calls.begun, calls.ended, dispatch.ended];
  return [chance, ...counts, jobs.nextDue, jobs.size, script.scenario, clock.mode];
}

/** Whether a call is under way, such as one whose answer hangs: it may change the world without changing its marks. */
function isBusy({ calls }: World): boolean {
  return calls.begun > calls.ended;
}

function isSame(marks: readonly unknown[], before: readonly unknown[] = []): boolean {
  return marks.length === before.length && marks.every((mark, i) => Object.is(mark, before[i]));
}
