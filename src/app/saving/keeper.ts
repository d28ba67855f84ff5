import { CODE, refuse } from '../../core/errors.js';
import { idlest, isIdle, type Keeper, type WorldSummary } from '../../world/keeper.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { restoreWorld } from './document.js';
import { reasonOf, Saver } from './saver.js';
import { Sleepers } from './sleepers.js';
import type { WorldStore } from './store.js';
import { summaryIn } from './summary.js';
import { inParallel } from './turns.js';

/** A world with a job that is due sooner stays in memory. */
const SOON_MS = 1_000;
/** After so many times in a row in which no world left memory, there is no room. */
const VAIN_MAX = 3;

/** Keeps the worlds of a sandbox in a store, and takes those out of memory that were not called for longest, when there are too many. */
export class WorldKeeper implements Keeper {
  readonly #asleep: Sleepers;
  /** How many worlds more than the maximum may be in memory while others are saved. */
  readonly #spare: number;
  #thinning: Promise<number> | null = null;

  private constructor(
    private readonly worlds: Worlds,
    private readonly store: WorldStore,
    readonly saver: Saver,
  ) {
    this.#spare = 1 + Math.floor(worlds.max / 8);
    // They run their jobs as soon as they are in memory.
    this.#asleep = new Sleepers(worlds.host, (ids) => {
      void inParallel(ids, (id) => this.#load(id)).catch((error: unknown) => saver.report(error));
    });
  }

  /** Begins to keep the worlds of a sandbox. The store must be locked. */
  static async open(worlds: Worlds, store: WorldStore): Promise<WorldKeeper> {
    const saved = await store.list();
    const keeper = new WorldKeeper(worlds, store, new Saver(worlds, store, await store.loadUptime()));
    for (const { id, due } of saved) keeper.#asleep.add(id, due);
    worlds.keeper = keeper;
    return keeper;
  }

  get asleep(): number {
    return this.#asleep.size;
  }

  /** Room is made before a world is opened, since that takes time. */
  makeRoom = (): void => {};

  /** By default, what has changed is saved a little later. */
  attemptEnded = (): void => {};

  isAsleep(key: string): boolean {
    return this.#asleep.has(this.store.idOf(key));
  }

  wake(key: string): Promise<void> | null {
    const id = this.store.idOf(key);
    if (this.#asleep.has(id)) return this.#load(id);
    this.#thinIfFull();
    return this.#isFull() ? this.#room() : null;
  }

  wakeNamed(name: string): Promise<string | null> | null {
    const id = this.#asleep.ids.find((one) => one.startsWith(`${name}-`));
    return id === undefined ? null : this.#load(id).then(() => this.#keyNamed(name));
  }

  async remove(key: string): Promise<void> {
    const id = this.store.idOf(key);
    this.saver.forget(key);
    this.#asleep.delete(id);
    await this.saver.turns.take(id, () => this.store.remove(id));
  }

  async removeUnused(before: number): Promise<void> {
    for (const id of this.#asleep.ids) {
      const remove = async (): Promise<void> => {
        if (!this.#asleep.has(id) || (await this.store.usedAt(id)) >= before) return;
        this.#asleep.delete(id);
        await this.store.remove(id);
      };
      await this.saver.turns.take(id, remove).catch((error: unknown) => this.saver.report(error));
    }
  }

  list(skip: number, limit: number): Promise<readonly WorldSummary[]> {
    const ids = this.#asleep.ids.slice(skip, skip + limit);
    return Promise.all(ids.map(async (id) => summaryIn(await this.store.peek(id))));
  }

  /** Saves everything a last time. Resolves with whether that succeeded. */
  end(): Promise<boolean> {
    this.#asleep.end();
    return this.saver.end();
  }

  #keyNamed(name: string): string | null {
    for (const { key, keyHash } of this.worlds.all()) if (keyHash === name) return key;
    return null;
  }

  #load(id: string): Promise<void> {
    return this.saver.turns.take(id, async () => {
      // An earlier turn may have loaded it.
      if (!this.#asleep.has(id)) return;
      await this.#room();
      const world = await this.#restore(id);
      this.#asleep.delete(id);
      this.saver.loaded(world);
    });
  }

  async #restore(id: string): Promise<World> {
    try {
      const stored = await this.store.load(id);
      return await restoreWorld(this.worlds, stored, this.saver.uptime).catch((error: unknown) => {
        throw new Error(`${stored.place}: ${reasonOf(error)}`);
      });
    } catch (error) {
      this.saver.report(error);
      const detail = `The saved world of this key cannot be read: ${reasonOf(error)}. To begin with an empty world, move that file to another place.`;
      return refuse(CODE.RetryLater, detail);
    }
  }

  #isFull(): boolean {
    return this.worlds.size >= this.worlds.max + this.#spare;
  }

  #thinIfFull(): void {
    if (this.worlds.size >= this.worlds.max) void this.#thin();
  }

  /** Resolves when a world has room in memory. Rejects if those in memory are all busy, or cannot be saved. */
  async #room(): Promise<void> {
    this.#thinIfFull();
    // Calls that waited, too, may have taken the room, and worlds that were to leave may have been called.
    for (let vain = 0; this.#isFull();) {
      vain = (await this.#thin()) > 0 ? 0 : vain + 1;
      if (vain < VAIN_MAX) continue;
      const { reported } = this.saver;
      const reason = reported === '' ? 'are busy' : `cannot be saved: ${reported}`;
      refuse(CODE.RetryLater, `The ${this.worlds.size} worlds in memory ${reason}.`);
    }
  }

  /** Takes the idlest worlds out of memory, a few more than necessary. Resolves with how many have left. */
  #thin(): Promise<number> {
    const { worlds, saver } = this;
    const surplus = worlds.size - worlds.max + this.#spare;
    let left = 0;
    const leave = async (world: World): Promise<void> => {
      if (await this.#leave(world)) left++;
    };
    return (this.#thinning ??= inParallel(idlest(worlds.all(), surplus), leave)
      .catch((error: unknown) => saver.report(error))
      .then(() => left)
      .finally(() => (this.#thinning = null)));
  }

  /** Whether it could leave. */
  #leave(world: World): Promise<boolean> {
    const { saver, store, worlds } = this;
    const id = store.idOf(world.key);
    return saver.turns.take(id, async () => {
      if (worlds.find(world.key) !== world) return false;
      await saver.saveAll(world);
      // Between this check and the end of the world nothing else can run.
      if (worlds.find(world.key) !== world || !isIdle(world) || saver.isChanged(world)) return false;
      const { due } = saver.savingOf(world);
      if (due !== null && due < worlds.host.now() + SOON_MS) return false;
      worlds.letGo(world);
      saver.forget(world.key);
      this.#asleep.add(id, due);
      return true;
    });
  }
}
