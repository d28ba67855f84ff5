import { WorldKeeper } from '../../app/saving/keeper.js';
import type { InnerSandbox } from '../../app/sandbox.js';
import { formatCount } from '../../core/text/text.js';
import { nameFaultOption } from '../files/whole-file.js';
import { FolderStore } from './folder-store.js';
import { isIdle } from '../../world/keeper.js';
import type { Worlds } from '../../world/worlds.js';

/** The folder of --state, which is locked for this process until it ends. */
export interface KeptWorlds {
  /** Describes the content of the folder in one line, for stderr. */
  readonly note: string;
  /** Lets a server load its worlds from there, and save them there. */
  readonly keep: (sandbox: InnerSandbox) => Promise<WorldKeeper>;
}

/** Takes a folder, which may not exist yet. Rejects with a FileError that names --state, and then has changed nothing. */
export async function openStateFolder(path: string): Promise<KeptWorlds> {
  const store = new FolderStore(path);
  const saved = await nameFaultOption(
    '--state',
    store.lock().then(() => store.list()),
  );
  return {
    note: keptNote(path, saved.length),
    keep: ({ worlds }) => nameFaultOption('--state', WorldKeeper.open(worlds, store)),
  };
}

/** Reads each world of a folder, without using it; rejects with a FileError for the first that cannot be read. */
export async function checkState(path: string): Promise<string> {
  const store = new FolderStore(path);
  const saved = await store.list();
  for (const { id } of saved) await store.load(id);
  return keptNote(path, saved.length);
}

function keptNote(name: string, worlds: number): string {
  const found =
    worlds === 0
      ? 'It has no worlds yet'
      : `It has ${formatCount(worlds, 'world')}; --scenario, --seed and --clock apply only to new worlds`;
  return `State: worlds are saved in ${name}, with their keys and full card numbers in plain text. ${found}.`;
}

/** How often unused worlds are looked for: ten times in the time after which they expire, within these limits. */
const EVERY_MS_MIN = 1_000;
const EVERY_MS_MAX = 3_600_000;

/** Deletes worlds that were not called for so many milliseconds of the wall clock, also saved ones. Returns what ends it. */
export function expireWorlds(worlds: Worlds, ms: number): () => void {
  const { host } = worlds;
  let isOver = false;
  let cancel = (): void => {};
  const expireUnused = async (): Promise<void> => {
    const before = host.now() - ms;
    for (const world of worlds.all()) if (world.usedAt < before && isIdle(world)) await worlds.delete(world);
    await worlds.keeper.removeUnused(before);
    if (!isOver) schedule();
  };
  const schedule = (): void => {
    const intervalMs = Math.min(EVERY_MS_MAX, Math.max(EVERY_MS_MIN, ms / 10));
    cancel = host.timer(() => void expireUnused(), intervalMs);
  };
  schedule();
  return () => {
    isOver = true;
    cancel();
  };
}
