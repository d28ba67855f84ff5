import { quoted } from '../../core/text.js';
import { CODE, refuse } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import { restoreInTurns, type Snapshot, takeSnapshot } from '../../snapshot.js';
import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import { presentSavedCounts } from '../presenter.js';

export const SNAPSHOTS_MAX = 10;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

export interface SavedSnapshot {
  readonly name: string;
  /** The instant on the world's clock at which it was taken. */
  readonly at: number;
  /** How many records of each kind there were, and jobs. */
  readonly counts: Readonly<Record<string, number>>;
  readonly snapshot: Snapshot;
}

/** The named snapshots of all worlds: those of a world go with it at a reset, and stay when it is restored. */
export class Shelves {
  readonly #saved = new WeakMap<World, Map<string, SavedSnapshot>>();

  list(world: World): SavedSnapshot[] {
    return [...(this.#saved.get(world)?.values() ?? [])];
  }

  /** Saves a world under a name; an earlier snapshot of that name is replaced. */
  save(world: World, name: string): SavedSnapshot {
    if (!NAME.test(name)) {
      const given = quoted(name, 70);
      refuse(
        CODE.ValidationError,
        `The name of a snapshot is 1 to 64 letters, digits, dots, hyphens and underscores, not ${given}.`,
      );
    }
    const shelf = this.#saved.get(world) ?? new Map<string, SavedSnapshot>();
    if (shelf.size >= SNAPSHOTS_MAX && !shelf.has(name)) {
      refuse(
        CODE.RetryLater,
        `A world holds at most ${SNAPSHOTS_MAX} snapshots. Delete one, or save under one of its names.`,
      );
    }
    const saved = { name, at: world.now, counts: presentSavedCounts(world), snapshot: takeSnapshot(world) };
    shelf.set(name, saved);
    this.#saved.set(world, shelf);
    return saved;
  }

  /** The snapshot of a name; unknown: 404 that says which was probably meant. */
  require(world: World, name: string): SavedSnapshot {
    const shelf = this.#saved.get(world);
    const saved = shelf?.get(name);
    if (saved) return saved;
    const [near] = nearest(name, shelf?.keys() ?? []);
    const hint = near === undefined ? 'GET /_sandbox/snapshots lists them.' : `Did you mean ${near}?`;
    return refuse(CODE.ValidationError, `This world has no snapshot ${quoted(name, 64)}. ${hint}`, {
      httpStatus: 404,
    });
  }

  remove(world: World, name: string): SavedSnapshot {
    const saved = this.require(world, name);
    this.#saved.get(world)?.delete(name);
    return saved;
  }

  /** Puts a snapshot into the place of a world, which keeps its named ones. */
  async restore(worlds: Worlds, world: World, snapshot: Snapshot): Promise<World> {
    const restored = await restoreInTurns(worlds, world, snapshot);
    const shelf = this.#saved.get(world);
    if (shelf) this.#saved.set(restored, shelf);
    return restored;
  }
}
