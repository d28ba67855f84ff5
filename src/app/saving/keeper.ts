import { summariseWorld } from '../../control/presenter.js';
import { CODE, refuse } from '../../core/errors.js';
import { listIdlest, isIdle, type Keeper, UnreadableWorld, type WorldSummary } from '../../world/keeper.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { readCalls } from './calls.js';
import { restoreWorld } from './document.js';
import { explainError, WorldSaver } from './saver.js';
import { SleepingWorlds } from './sleepers.js';
import type { WorldStore } from './store.js';
import { readSummary } from './summary.js';
import { workInParallel } from './turns.js';

/** A world with a job that is due sooner stays in memory. */
const SOON_MS = 1_000;
/** After so many tries in a row in which no world left memory, there is no room. */
const FAILED_TRIES_MAX = 3;

/** Keeps the worlds of a sandbox in a store. When there are too many, the least recently used ones leave memory. */
export class WorldKeeper implements Keeper {
  readonly #asleep: SleepingWorlds;
  /** How many worlds more than the maximum may be in memory while others are saved. */
  readonly #spare: number;
  #evicting: Promise<number> | null = null;

  private constructor(
    private readonly worlds: Worlds,
    private readonly store: WorldStore,
    readonly saver: WorldSaver,
  ) {
    this.#spare = 1 + Math.floor(worlds.max / 8);
    // A world with a due job is loaded, and then runs it.
    this.#asleep = new SleepingWorlds(worlds.host, (ids) => {
      void workInParallel(ids, (id) => this.#load(id)).then((errors) => saver.reportFirst(errors, ids));
    });
  }

  /** Begins to keep the worlds of a sandbox. The store must be locked. */
  static async open(worlds: Worlds, store: WorldStore): Promise<WorldKeeper> {
    const saved = await store.list();
    const keeper = new WorldKeeper(worlds, store, new WorldSaver(worlds, store, await store.loadUptime()));
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
    return this.#requireRoom();
  }

  wakeNamed(name: string): Promise<string | null> | null {
    const id = this.#asleep.ids.find((asleep) => asleep.startsWith(`${name}-`));
    return id === undefined ? null : this.#load(id).then(() => this.#findKey(name));
  }

  async remove(key: string): Promise<void> {
    const id = this.store.idOf(key);
    this.saver.forget(key);
    await this.saver.queues.runInTurn(id, () => this.#forget(id));
  }

  async removeUnused(before: number): Promise<void> {
    for (const id of this.#asleep.ids) {
      const remove = async (): Promise<void> => {
        if (this.#asleep.has(id) && ((await this.store.usedAt(id)) ?? 0) < before) await this.#forget(id);
      };
      await this.saver.queues.runInTurn(id, remove).catch((error: unknown) => this.saver.report(error));
    }
  }

  async list(skip: number, limit: number): Promise<readonly (WorldSummary | UnreadableWorld)[]> {
    const ids = this.#asleep.ids.slice(skip, skip + limit);
    const summaries = await Promise.all(ids.map((id) => this.#summarise(id)));
    return summaries.filter((summary) => summary !== null);
  }

  /** Saves everything a last time. Resolves with whether that succeeded. */
  end(): Promise<boolean> {
    this.#asleep.end();
    return this.saver.end();
  }

  /** Null if the world is gone. */
  async #summarise(id: string): Promise<WorldSummary | UnreadableWorld | null> {
    const summary = await this.store
      .peek(id)
      .then((text) => (text === null ? null : readSummary(text)))
      .catch(() => null);
    if (summary !== null) return summary;
    try {
      // Loads a world of an earlier version, which has no summary, and finds out what is wrong with any other.
      await this.#load(id);
    } catch (error) {
      return this.#unreadable(id, error);
    }
    const key = this.#findKey(readKeyHash(id));
    const world = key === null ? undefined : this.worlds.find(key);
    return world === undefined ? null : summariseWorld(world);
  }

  #findKey(name: string): string | null {
    for (const { key, keyHash } of this.worlds.all()) if (keyHash === name) return key;
    return null;
  }

  /** Rejects with an UnreadableWorld. One that is gone is forgotten, and the next call opens a new world. */
  #load(id: string): Promise<void> {
    return this.saver.queues.runInTurn(id, async () => {
      // An earlier turn may have loaded it.
      if (!this.#asleep.has(id)) return;
      await this.#requireRoom();
      const world = await this.#restore(id);
      // The calls that were saved beside a lost document belong to no world any more.
      if (world === null) return this.#forget(id);
      this.#asleep.delete(id);
      this.saver.noteLoaded(world);
    });
  }

  async #restore(id: string): Promise<World | null> {
    try {
      const stored = await this.store.load(id);
      if (stored === null) return null;
      const { place, callsPlace = place } = stored;
      const calls = await namePlace(callsPlace, async () => readCalls(stored.calls));
      return await namePlace(place, () => restoreWorld(this.worlds, { ...stored, calls }, this.saver.uptime));
    } catch (error) {
      this.saver.report(error);
      throw this.#unreadable(id, error);
    }
  }

  #unreadable(id: string, error: unknown): UnreadableWorld {
    const remove = (): Promise<void> => this.saver.queues.runInTurn(id, () => this.#forget(id));
    return error instanceof UnreadableWorld
      ? error
      : new UnreadableWorld(readKeyHash(id), explainError(error), remove, this.store.hint);
  }

  /** The next call with its key opens a new world. */
  async #forget(id: string): Promise<void> {
    await this.store
      .remove(id)
      .catch((error: unknown) =>
        refuse(CODE.RetryLater, `The saved world cannot be deleted: ${explainError(error)}.`),
      );
    this.#asleep.delete(id);
  }

  get #isFull(): boolean {
    return this.worlds.size >= this.worlds.max + this.#spare;
  }

  /** Makes room in memory for a world: null if there is some, or else a promise that rejects if the worlds there are all busy, or cannot be saved. */
  #requireRoom(): Promise<void> | null {
    if (this.worlds.size >= this.worlds.max) void this.#evictIdlest();
    return this.#isFull ? this.#waitForRoom() : null;
  }

  async #waitForRoom(): Promise<void> {
    // Calls that waited, too, may have taken the room, and worlds that were to leave may have been called.
    for (let failedTries = 0; this.#isFull;) {
      failedTries = (await this.#evictIdlest()) > 0 ? 0 : failedTries + 1;
      if (failedTries < FAILED_TRIES_MAX) continue;
      const { reported } = this.saver;
      const reason = reported === '' ? 'are busy' : `cannot be saved: ${reported}`;
      refuse(CODE.RetryLater, `The ${this.worlds.size} worlds in memory ${reason}.`);
    }
  }

  /** Takes the idlest worlds out of memory, a few more than necessary. Resolves with how many have left. */
  #evictIdlest(): Promise<number> {
    const { worlds, saver } = this;
    const idlest = listIdlest(worlds.all(), worlds.size - worlds.max + this.#spare);
    let evicted = 0;
    const evict = async (world: World): Promise<void> => {
      if (await this.#evict(world)) evicted++;
    };
    return (this.#evicting ??= workInParallel(idlest, evict)
      .then((errors) => saver.reportFirst(errors, idlest))
      .then(() => evicted)
      .finally(() => (this.#evicting = null)));
  }

  /** Saves a world and takes it out of memory. Resolves with whether it could leave. */
  #evict(world: World): Promise<boolean> {
    const { saver, store, worlds } = this;
    const id = store.idOf(world.key);
    return saver.queues.runInTurn(id, async () => {
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

/** Adds to an error the place of what cannot be read. */
async function namePlace<T>(place: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw new Error(`${place}: ${explainError(error)}`);
  });
}

/** The short hash of the key, with which an identifier begins. */
function readKeyHash(id: string): string {
  return id.slice(0, id.indexOf('-'));
}
