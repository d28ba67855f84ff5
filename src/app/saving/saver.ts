import { ApiError } from '../../core/errors.js';
import { ValidationError } from '../../core/validation-error.js';
import { isIdle, workDelay } from '../../world/keeper.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { writeCalls } from './calls.js';
import { writeWorld } from './document.js';
import type { Pieces, Saving, WorldStore } from './store.js';
import { inParallel, Turns } from './turns.js';

/** How often changed worlds are saved. */
const SAVE_EVERY_MS = 500;
/** The pause after a save is at least this many times as long as the save, so that saving takes at most a tenth of the time. */
const SAVE_SHARE = 10;

/** What was saved of a world in memory. */
interface Saved {
  readonly marks: readonly unknown[];
  /** The number of the call after the last one that was saved; NaN for none. */
  readonly calls: number;
}

const UNSAVED: Saved = { marks: [], calls: NaN };

/** Stops a running save when the server ends, because the last save follows at once. */
class Ending extends Error {}

/** Saves the worlds in memory soon after each change. */
export class Saver {
  /** Work on each world in the store, by identifier: each piece follows the one before. */
  readonly turns = new Turns();
  /** What could not be saved or read last; empty if everything could. */
  reported = '';
  /** By key. */
  readonly #saved = new Map<string, Saved>();
  readonly #started: number;
  #isEnding = false;
  #saving: Promise<unknown> = Promise.resolve();
  #cancel = (): void => {};

  constructor(
    private readonly worlds: Worlds,
    private readonly store: WorldStore,
    /** For how many milliseconds servers had run on the store before. */
    private readonly uptimeBefore: number,
  ) {
    this.#started = worlds.host.now();
    this.#schedule(SAVE_EVERY_MS);
  }

  /** For how many milliseconds servers have run on the store. */
  get uptime(): number {
    return this.uptimeBefore + this.worlds.host.now() - this.#started;
  }

  /** Notes that a world is as it was saved. */
  loaded(world: World): void {
    this.#saved.set(world.key, { marks: marksOf(world), calls: world.journal.nextId });
  }

  forget(key: string): void {
    this.#saved.delete(key);
  }

  isChanged(world: World): boolean {
    const { marks } = this.#saved.get(world.key) ?? UNSAVED;
    const now = marksOf(world);
    return marks.length !== now.length || !marks.every((mark, i) => Object.is(mark, now[i]));
  }

  savingOf(world: World): Saving {
    const delay = workDelay(world);
    return { due: delay === Infinity ? null : this.worlds.host.now() + delay, usedAt: world.usedAt };
  }

  /** Saves what has changed of a world, and then its calls: they must not be newer than the world. */
  async saveAll(world: World): Promise<void> {
    const { key, journal } = world;
    if (this.isChanged(world)) await this.#save(world);
    const calls = journal.nextId;
    const saved = this.#saved.get(key) ?? UNSAVED;
    if (saved.calls === calls) return;
    await this.store.saveCalls(this.store.idOf(key), writeCalls(world, this.#pause));
    this.#saved.set(key, { ...saved, calls });
  }

  /** Saves each world that has changed, together with its calls, in a store that can do that. */
  saveNow(): Promise<void> {
    return this.#inTurn([...this.worlds.all()], async (world) => {
      if (this.isChanged(world)) await this.#save(world, writeCalls(world, this.#pause));
      // The world may have been saved in the meantime, without its calls.
      else await this.saveAll(world);
    });
  }

  /** Saves everything a last time. Resolves with whether that succeeded. */
  async end(): Promise<boolean> {
    this.#isEnding = true;
    this.#cancel();
    await this.#saving;
    return this.#saveChanged();
  }

  /** Tells the operator what cannot be saved or read, once. */
  report(error: unknown): void {
    if (error instanceof Ending) return;
    const reason = reasonOf(error);
    if (reason !== this.reported) this.worlds.host.warn?.(`--state: ${reason}`);
    this.reported = reason;
  }

  /** Between two pieces of a document. The last save does without, and any other one ends then. */
  readonly #pause = (): Promise<void> =>
    this.#isEnding ? Promise.reject(new Ending()) : this.worlds.host.pause();

  async #save(world: World, calls?: Pieces): Promise<void> {
    const { key, journal } = world;
    const { nextId } = journal;
    const marks = marksOf(world);
    const pause = this.#isEnding ? (): Promise<void> => Promise.resolve() : this.#pause;
    const document = writeWorld(world, this.worlds.chosenFor(key), this.uptime, pause);
    await this.store.save(this.store.idOf(key), document, this.savingOf(world), calls);
    const before = this.#saved.get(key) ?? UNSAVED;
    this.#saved.set(key, { marks, calls: calls === undefined ? before.calls : nextId });
  }

  async #saveChanged(): Promise<boolean> {
    const { worlds, store } = this;
    const begun = worlds.host.now();
    const changed = Array.from(worlds.all()).filter(
      (world) => this.isChanged(world) || (this.#isEnding && !isIdle(world)),
    );
    try {
      await this.#inTurn(changed, (world) => this.#save(world));
      if (changed.length > 0 || (this.#isEnding && this.#saved.size > 0)) await store.saveUptime(this.uptime);
      worlds.savedUntil = begun;
      if (this.#isEnding) await this.#inTurn([...worlds.all()], (world) => this.saveAll(world));
      this.reported = '';
      return true;
    } catch (error) {
      this.report(error);
      return false;
    }
  }

  #inTurn(worlds: readonly World[], work: (world: World) => Promise<void>): Promise<void> {
    return inParallel(worlds, (world) =>
      this.turns.take(this.store.idOf(world.key), async () => {
        if (this.worlds.find(world.key) === world) await work(world);
      }),
    );
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

/** Values that differ when a world has changed: everything that happens is counted, scheduled or delivered. */
export function marksOf({ chance, jobs, dispatch, script, clock, calls }: World): readonly unknown[] {
  const counts = [chance.countOf('requests'), calls.begun, calls.ended, dispatch.ended, dispatch.busy];
  return [chance, ...counts, jobs.nextDue, jobs.size, script.scenario, clock.mode];
}

export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.refusal.detail ?? error.message;
  if (error instanceof ValidationError) return `${error.path.join('.')} ${error.message}`.trim();
  return error instanceof Error ? error.message : String(error);
}
