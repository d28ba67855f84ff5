import { detached, type Snapshot } from './snapshot.js';
import type { World } from './world.js';
import type { Worlds } from './worlds.js';

/**
 * Puts a world as it was taken down into the place of the world of a key, which need not be the key that it was
 * taken from. The clock goes back; requests that wait in the replaced world are refused.
 */
export function restoreSnapshot(worlds: Worlds, key: string, snapshot: Snapshot): World {
  const world = worlds.build(key, snapshot.settings, snapshot.base);
  const steps = filling(world, snapshot);
  while (steps.next().done !== true);
  return putInPlace(worlds, world, snapshot);
}

/**
 * The same for a world that is there, with turns for other work: it goes on as it was until the other is there as a whole.
 * Throws (503, code 37) where it was replaced meanwhile.
 */
export async function restoreInTurns(worlds: Worlds, old: World, snapshot: Snapshot): Promise<World> {
  const world = worlds.build(old.key, snapshot.settings, snapshot.base);
  const steps = filling(world, snapshot);
  while (steps.next().done !== true) await world.host.pause();
  old.requireOpen();
  return putInPlace(worlds, world, snapshot);
}

function filling(world: World, snapshot: Snapshot): Generator<void, void> {
  world.giveIds(snapshot.givenIds);
  return world.loading({ ...snapshot, batches: detached(snapshot.batches) });
}

function putInPlace(worlds: Worlds, world: World, snapshot: Snapshot): World {
  const { instant, mode, rate } = snapshot.clock;
  world.chance.load(snapshot.counts);
  world.clock.restore(instant, { mode, rate });
  world.now = instant;
  world.rate = { ...snapshot.rate };
  world.jobs.load(snapshot.jobs);
  if (snapshot.script !== null) world.script.restore(snapshot.script);
  world.webhooks.outbox.resume();
  worlds.replace(world);
  // Nobody may ask for a while, and jobs are due all the same.
  world.armTimer();
  return world;
}
