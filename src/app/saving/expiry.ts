import { isIdle } from '../../world/keeper.js';
import type { Worlds } from '../../world/worlds.js';

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
