import { ApiError, CODE, refuse } from '../../core/errors.js';
import { Alarm } from '../../core/time/alarm.js';
import { JobQueue } from '../../core/time/jobs.js';
import { ValidationError } from '../../core/validation-error.js';
import { idlest, isIdle, type Keeper, type WorldSummary } from '../../world/keeper.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { writeCalls } from './calls.js';
import { restoreWorld, summaryIn, writeWorld } from './document.js';
import type { Saving, WorldStore } from './store.js';

/** How often changed worlds are saved. */
const SAVE_EVERY_MS = 500;
/** The pause after a save is at least this many times as long as the save, so that saving takes at most a tenth of the time. */
const SAVE_SHARE = 10;
/** How many worlds are saved or loaded at a time, so that the disk does not wait for the processor, or the reverse. */
const AT_A_TIME = 8;
/** The kind of the jobs that wake a world. */
const WAKE = 'wake';
/** A world with a job that is due sooner stays in memory. */
const SOON_MS = 1_000;

/** What was saved of a world in memory. */
interface Saved {
  readonly marks: readonly unknown[];
  /** The number of the call after the last one that was saved; NaN for none. */
  readonly calls: number;
}

const UNSAVED: Saved = { marks: [], calls: NaN };

/** Stops a running save when the server ends, because the last save follows at once. */
class Ending extends Error {}

/** Saves the worlds of a sandbox in a store soon after each change, and takes the idlest out of memory when there are too many. */
export class WorldKeeper implements Keeper {
  /** The identifiers of the saved worlds that are not in memory. */
  readonly #asleep = new Set<string>();
  /** When sleeping worlds must wake, by the wall clock. */
  readonly #dues = new JobQueue();
  /** By key, what was saved of each world in memory. */
  readonly #saved = new Map<string, Saved>();
  /** By identifier, the last piece of work in the store, so that each follows the one before. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #alarm: Alarm;
  readonly #started: number;
  #uptime = 0;
  #thinning: Promise<void> | null = null;
  #isEnding = false;
  #saving: Promise<unknown> = Promise.resolve();
  #cancel = (): void => {};
  #reported = '';

  private constructor(
    private readonly worlds: Worlds,
    private readonly store: WorldStore,
    /** How many worlds more than the maximum may be in memory while others are saved. */
    private readonly spare = 1 + Math.floor(worlds.max / 8),
  ) {
    this.#started = worlds.host.now();
    this.#alarm = new Alarm(worlds.host, () => void this.#wakeDue());
  }

  /** Begins to keep the worlds of a sandbox. The store must be locked. */
  static async open(worlds: Worlds, store: WorldStore): Promise<WorldKeeper> {
    const keeper = new WorldKeeper(worlds, store);
    for (const { id, due } of await store.list()) keeper.#putToSleep(id, due);
    keeper.#uptime = await store.loadUptime();
    worlds.keeper = keeper;
    keeper.#armAlarm();
    keeper.#schedule(SAVE_EVERY_MS);
    return keeper;
  }

  get asleep(): number {
    return this.#asleep.size;
  }

  isAsleep(key: string): boolean {
    return this.#asleep.has(this.store.idOf(key));
  }

  wake(key: string): Promise<void> | null {
    const id = this.store.idOf(key);
    if (this.#asleep.has(id)) return this.#load(id);
    if (this.worlds.size >= this.worlds.max) void this.#thin();
    return this.worlds.size >= this.worlds.max + this.spare ? this.#room() : null;
  }

  async wakeNamed(name: string): Promise<string | null> {
    for (const id of this.#asleep) {
      if (!id.startsWith(`${name}-`)) continue;
      await this.#load(id);
      for (const { key, keyHash } of this.worlds.all()) if (keyHash === name) return key;
    }
    return null;
  }

  async remove(key: string): Promise<void> {
    const id = this.store.idOf(key);
    this.#saved.delete(key);
    this.#wakeUp(id);
    await this.#inTurn(id, () => this.store.remove(id));
  }

  async removeUnused(before: number): Promise<void> {
    for (const id of [...this.#asleep]) {
      await this.#inTurn(id, async () => {
        if (!this.#asleep.has(id) || (await this.store.usedAt(id)) >= before) return;
        this.#wakeUp(id);
        await this.store.remove(id);
      }).catch((error: unknown) => this.#report(error));
    }
  }

  async list(skip: number, limit: number): Promise<readonly WorldSummary[]> {
    const ids = [...this.#asleep].slice(skip, skip + limit);
    return Promise.all(ids.map(async (id) => summaryIn(await this.store.peek(id))));
  }

  /** Saves everything a last time. Resolves with whether that succeeded. */
  async end(): Promise<boolean> {
    this.#isEnding = true;
    this.#cancel();
    this.#alarm.clear();
    await this.#saving;
    return this.#saveChanged();
  }

  get #hasSaved(): boolean {
    return this.#asleep.size + this.#saved.size > 0;
  }

  /** For how long servers have run on the store. */
  #runFor(): number {
    return this.#uptime + this.worlds.host.now() - this.#started;
  }

  readonly #pause = (): Promise<void> =>
    this.#isEnding ? Promise.reject(new Ending()) : this.worlds.host.pause();

  /** Work on a world in the store that follows all earlier work on it. */
  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work, work);
    const over = turn.then(
      () => {},
      () => {},
    );
    this.#turns.set(id, over);
    void over.then(() => {
      if (this.#turns.get(id) === over) this.#turns.delete(id);
    });
    return turn;
  }

  #putToSleep(id: string, due: number | null): void {
    this.#asleep.add(id);
    if (due !== null) this.#dues.schedule(due, WAKE, id);
  }

  #wakeUp(id: string): void {
    this.#asleep.delete(id);
    this.#dues.cancel(WAKE, id);
  }

  #load(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      // An earlier turn may have loaded it.
      if (!this.#asleep.has(id)) return;
      await this.#room();
      const world = await this.#restore(id);
      this.#wakeUp(id);
      this.#saved.set(world.key, { marks: marksOf(world), calls: world.journal.nextId });
    });
  }

  async #restore(id: string): Promise<World> {
    try {
      const stored = await this.store.load(id);
      return await restoreWorld(this.worlds, stored, this.#runFor()).catch((error: unknown) => {
        throw new Error(`${stored.place}: ${reasonOf(error)}`);
      });
    } catch (error) {
      this.#report(error);
      const detail = `The saved world of this key cannot be read: ${reasonOf(error)}. To begin with an empty world, move that file to another place.`;
      return refuse(CODE.RetryLater, detail);
    }
  }

  /** Resolves when a world has room in memory. Rejects if those in memory are all busy, or cannot be saved. */
  async #room(): Promise<void> {
    const { worlds, spare } = this;
    if (worlds.size >= worlds.max) void this.#thin();
    if (worlds.size < worlds.max + spare) return;
    await this.#thin();
    if (worlds.size < worlds.max + spare) return;
    const reason = this.#reported === '' ? 'are busy' : `cannot be saved: ${this.#reported}`;
    refuse(CODE.RetryLater, `The ${worlds.size} worlds in memory ${reason}.`);
  }

  /** Takes the idlest worlds out of memory, a few more than necessary. */
  #thin(): Promise<void> {
    const { worlds, spare } = this;
    const surplus = worlds.size - worlds.max + spare;
    return (this.#thinning ??= inParallel(idlest(worlds.all(), surplus), (world) => this.#leave(world))
      .catch((error: unknown) => this.#report(error))
      .finally(() => (this.#thinning = null)));
  }

  #leave(world: World): Promise<void> {
    const id = this.store.idOf(world.key);
    return this.#inTurn(id, async () => {
      await this.#saveAll(world, this.#pause);
      // Between this check and the end of the world nothing else can run.
      if (this.worlds.find(world.key) !== world || !isIdle(world) || this.#isChanged(world)) return;
      const { due } = this.#savingOf(world);
      if (due !== null && due < this.worlds.host.now() + SOON_MS) return;
      this.worlds.letGo(world);
      this.#saved.delete(world.key);
      this.#putToSleep(id, due);
      this.#armAlarm();
    });
  }

  #armAlarm(): void {
    this.#alarm.setFor(this.#dues.nextDue, (instant) => Math.max(0, instant - this.worlds.host.now()));
  }

  /** Loads the worlds that have a job due, which then run it. */
  async #wakeDue(): Promise<void> {
    const due: string[] = [];
    while (this.#dues.nextDue <= this.worlds.host.now()) due.push(this.#dues.take()?.ref ?? '');
    await inParallel(due, (id) => this.#load(id)).catch((error: unknown) => this.#report(error));
    if (!this.#isEnding) this.#armAlarm();
  }

  #isChanged(world: World): boolean {
    const { marks } = this.#saved.get(world.key) ?? UNSAVED;
    const now = marksOf(world);
    return marks.length !== now.length || !marks.every((mark, i) => Object.is(mark, now[i]));
  }

  #savingOf({ clock, jobs, usedAt }: World): Saving {
    const delay = jobs.nextDue === Infinity ? Infinity : clock.realDelay(jobs.nextDue);
    return { due: delay === Infinity ? null : this.worlds.host.now() + delay, usedAt };
  }

  async #save(world: World, pause: () => Promise<void>): Promise<void> {
    const { key } = world;
    const marks = marksOf(world);
    const document = writeWorld(world, this.worlds.chosenFor(key), this.#runFor(), pause);
    await this.store.save(this.store.idOf(key), document, this.#savingOf(world));
    this.#saved.set(key, { marks, calls: this.#saved.get(key)?.calls ?? NaN });
  }

  /** Saves what has changed of a world, and its calls, which must not be newer than the world. */
  async #saveAll(world: World, pause: () => Promise<void>): Promise<void> {
    const { key, journal } = world;
    if (this.#isChanged(world)) await this.#save(world, pause);
    const calls = journal.nextId;
    const saved = this.#saved.get(key) ?? UNSAVED;
    if (saved.calls === calls) return;
    await this.store.saveCalls(this.store.idOf(key), writeCalls(world, pause));
    this.#saved.set(key, { ...saved, calls });
  }

  async #saveChanged(): Promise<boolean> {
    const { worlds, store } = this;
    const begun = worlds.host.now();
    const changed = Array.from(worlds.all()).filter(
      (world) => this.#isChanged(world) || (this.#isEnding && !isIdle(world)),
    );
    const inOrder = (all: readonly World[], work: (world: World) => Promise<void>): Promise<void> =>
      inParallel(all, (world) =>
        this.#inTurn(store.idOf(world.key), async () => {
          if (worlds.find(world.key) === world) await work(world);
        }),
      );
    try {
      await inOrder(changed, (world) => this.#save(world, this.#isEnding ? noPause : this.#pause));
      if (changed.length > 0 || (this.#isEnding && this.#hasSaved)) await store.saveUptime(this.#runFor());
      worlds.savedUntil = begun;
      if (this.#isEnding) await inOrder([...worlds.all()], (world) => this.#saveAll(world, noPause));
      this.#reported = '';
      return true;
    } catch (error) {
      if (!(error instanceof Ending)) this.#report(error);
      return false;
    }
  }

  /** Tells the operator what cannot be saved, once. */
  #report(error: unknown): void {
    if (error instanceof Ending) return;
    const reason = reasonOf(error);
    if (reason !== this.#reported) this.worlds.host.warn?.(`--state: ${reason}`);
    this.#reported = reason;
  }

  #schedule(ms: number): void {
    const { host } = this.worlds;
    this.#cancel = host.timer(() => {
      const begun = host.now();
      this.#saving = this.#saveChanged().then(() => {
        if (!this.#isEnding) this.#schedule(Math.max(SAVE_EVERY_MS, SAVE_SHARE * (host.now() - begun)));
      });
    }, ms);
  }
}

const noPause = (): Promise<void> => Promise.resolve();

/** Values that differ when a world has changed: everything that happens is counted, scheduled or delivered. */
function marksOf({ chance, jobs, dispatch, script, clock, calls }: World): readonly unknown[] {
  const counts = [chance.countOf('requests'), calls.begun, calls.ended, dispatch.ended];
  return [chance, ...counts, jobs.nextDue, jobs.size, script.scenario, clock.mode];
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.refusal.detail ?? error.message;
  if (error instanceof ValidationError) return `${error.path.join('.')} ${error.message}`.trim();
  return error instanceof Error ? error.message : String(error);
}

/** Waits for all, even if one fails. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_A_TIME }, one));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
