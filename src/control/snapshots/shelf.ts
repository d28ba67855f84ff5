import { quoteText } from '../../core/text/text.js';
import { CODE, refuse, refuseFull } from '../../core/errors.js';
import { findNearest } from '../../core/text/nearest.js';
import { restoreInTurns, type Snapshot, takeSnapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { presentSavedCounts } from '../presenter.js';

export const SNAPSHOTS_MAX = 10;
/** How many hidden snapshots of a world are kept, such as those before its last changes in the dashboard: our own limit. */
export const HIDDEN_SNAPSHOTS_MAX = 3;
const SNAPSHOT_NAME = /^[A-Za-z0-9._-]{1,64}$/;

export interface NamedSnapshot {
  readonly name: string;
  /** The instant on the world's clock at which it was taken. */
  readonly at: number;
  /** How many records of each kind there were, and jobs. */
  readonly counts: Readonly<Record<string, number>>;
  readonly snapshot: Snapshot;
}

/** Names of hidden snapshots begin with a dot, like those of hidden files. */
const isHidden = (name: string): boolean => name.startsWith('.');

/**
 * The named snapshots of all worlds. A reset deletes those of its world; a restore keeps them. Hidden ones stay in both cases, and
 * are saved nowhere.
 */
export class NamedSnapshots {
  readonly #saved = new WeakMap<World, Map<string, NamedSnapshot>>();

  list(world: World, withHidden = false): NamedSnapshot[] {
    const all = [...(this.#saved.get(world)?.values() ?? [])];
    return withHidden ? all : all.filter(({ name }) => !isHidden(name));
  }

  /** Saves a world under a name; an earlier snapshot of that name is replaced. */
  save(world: World, name: string): NamedSnapshot {
    if (!SNAPSHOT_NAME.test(name)) {
      const given = quoteText(name, 70);
      const detail = `The name of a snapshot must be 1 to 64 letters, digits, dots, hyphens or underscores, not ${given}.`;
      refuse(CODE.ValidationError, detail);
    }
    const shelf = this.#saved.get(world) ?? new Map<string, NamedSnapshot>();
    const alike = [...shelf.keys()].filter((other) => isHidden(other) === isHidden(name));
    const [oldest = ''] = alike;
    if (isHidden(name)) {
      if (alike.length >= HIDDEN_SNAPSHOTS_MAX && !shelf.has(name)) shelf.delete(oldest);
    } else if (alike.length >= SNAPSHOTS_MAX && !shelf.has(name)) {
      const detail = `This world has ${alike.length} snapshots, the maximum. Delete one with DELETE /_sandbox/snapshots/{name}, or replace one by saving under its name.`;
      refuseFull(detail);
    }
    const saved = { name, at: world.now, counts: presentSavedCounts(world), snapshot: takeSnapshot(world) };
    shelf.set(name, saved);
    this.#saved.set(world, shelf);
    return saved;
  }

  /** The snapshot of a name. An unknown name is a 404 with a suggestion. */
  require(world: World, name: string): NamedSnapshot {
    const shelf = this.#saved.get(world);
    const saved = shelf?.get(name);
    if (saved) return saved;
    const [near] = findNearest(name, shelf?.keys() ?? []);
    const hint = near === undefined ? 'GET /_sandbox/snapshots lists them.' : `Did you mean ${near}?`;
    return refuse(CODE.ValidationError, `This world has no snapshot ${quoteText(name, 64)}. ${hint}`, {
      httpStatus: 404,
    });
  }

  /** Gives a world that was reset the hidden snapshots of the one before. */
  carryHidden(before: World, world: World): void {
    const hidden = this.list(before, true).filter(({ name }) => isHidden(name));
    // The journal of the new world has none of their calls.
    this.putBack(
      world,
      hidden.map((saved) => ({ ...saved, snapshot: { ...saved.snapshot, branch: null } })),
    );
  }

  /** Gives a world the snapshots that were saved with it. */
  putBack(world: World, saved: readonly NamedSnapshot[]): void {
    if (saved.length > 0) this.#saved.set(world, new Map(saved.map((snapshot) => [snapshot.name, snapshot])));
  }

  remove(world: World, name: string): NamedSnapshot {
    const saved = this.require(world, name);
    this.#saved.get(world)?.delete(name);
    world.memory.freed();
    return saved;
  }

  /** Replaces a world by a snapshot. The named snapshots stay. */
  async restore(worlds: Worlds, world: World, snapshot: Snapshot): Promise<World> {
    const restored = await restoreInTurns(worlds, world, snapshot);
    const shelf = this.#saved.get(world);
    if (shelf) this.#saved.set(restored, shelf);
    return restored;
  }
}

/** Keyed by world, so that no two sandboxes share anything. */
export const NAMED_SNAPSHOTS = new NamedSnapshots();
