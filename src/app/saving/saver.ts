import { ApiError } from '../../core/errors.js';
import { ValidationError } from '../../core/validation-error.js';
import { isIdle, delayUntilWork } from '../../world/keeper.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { writeCalls } from './calls.js';
import { writeWorld } from './document.js';
import type { TextPieces, SaveDetails, WorldStore } from './store.js';
import { workInParallel, WorkQueues } from './turns.js';

/** How often changed worlds are saved. */
const SAVE_EVERY_MS = 500;
/** The pause after a save is at least this many times as long as the save, so that saving takes at most a tenth of the time. */
const SAVE_SHARE = 10;
/** How many lost things are listed one by one. */
const NAMED_MAX = 5;

/** The state of a world in memory when it was saved last. */
interface SavedMarks {
  readonly marks: readonly unknown[];
  /** The number of the call after the last one that was saved; NaN for none. */
  readonly calls: number;
}

const UNSAVED: SavedMarks = { marks: [], calls: NaN };

/** Stops a regular save when the server ends, because the last save follows at once. */
class SaveInterrupted extends Error {}

/** Saves the worlds in memory soon after each change. */
export class WorldSaver {
  /** Work on each world in the store, by identifier: each piece follows the one before. */
  readonly queues = new WorkQueues();
  /** Why a save or a load failed last; empty after a save without errors. */
  reported = '';
  /** By key. */
  readonly #saved = new Map<string, SavedMarks>();
  #uptime: number;
  /** When the uptime was counted last. */
  #countedAt: number;
  #isEnding = false;
  #saving: Promise<unknown> = Promise.resolve();
  #cancel = (): void => {};

  constructor(
    private readonly worlds: Worlds,
    private readonly store: WorldStore,
    /** For how many milliseconds servers had run on the store before. */
    uptimeBefore: number,
  ) {
    this.#uptime = uptimeBefore;
    this.#countedAt = worlds.host.now();
    this.#schedule(SAVE_EVERY_MS);
  }

  /** For how many milliseconds servers have run on the store. Never less than before, even if the wall clock is set back. */
  get uptime(): number {
    const now = this.worlds.host.now();
    this.#uptime += Math.max(0, now - this.#countedAt);
    this.#countedAt = now;
    return this.#uptime;
  }

  /** Notes that a world is as it was saved. */
  noteLoaded(world: World): void {
    this.#saved.set(world.key, { marks: listMarks(world), calls: world.journal.nextId });
  }

  forget(key: string): void {
    this.#saved.delete(key);
  }

  isChanged(world: World): boolean {
    const { marks } = this.#saved.get(world.key) ?? UNSAVED;
    const now = listMarks(world);
    return marks.length !== now.length || !marks.every((mark, i) => Object.is(mark, now[i]));
  }

  savingOf(world: World): SaveDetails {
    const delay = delayUntilWork(world);
    return { due: delay === Infinity ? null : this.worlds.host.now() + delay, usedAt: world.usedAt };
  }

  /** Saves what has changed of a world, and then its calls: they must not be newer than the world. */
  async saveAll(world: World): Promise<void> {
    const { key, journal } = world;
    if (this.isChanged(world)) await this.#save(world, this.#pause);
    const calls = journal.nextId;
    const saved = this.#saved.get(key) ?? UNSAVED;
    if (saved.calls === calls) return;
    await this.store.saveCalls(this.store.idOf(key), writeCalls(world, this.#pause));
    this.#saved.set(key, { ...saved, calls });
  }

  /** Saves each world that has changed, together with its calls, in a store that can do that. */
  async saveNow(): Promise<void> {
    const errors = await this.#inTurn([...this.worlds.all()], async (world) => {
      if (this.isChanged(world)) await this.#save(world, this.#pause, writeCalls(world, this.#pause));
      // The world may have been saved in the meantime, without its calls.
      else await this.saveAll(world);
    });
    for (const error of errors.values()) throw error;
  }

  /** Saves everything a last time, and reports what is lost. Resolves with whether nothing is. */
  async end(): Promise<boolean> {
    const { worlds, store } = this;
    this.#isEnding = true;
    this.#cancel();
    await this.#saving;
    const all = [...worlds.all()];
    // A call may still be changing it.
    for (const world of all) if (!isIdle(world)) this.forget(world.key);
    // The worlds first: they matter more than their calls, if the process is killed.
    await this.#inTurn(all, async (world) => {
      if (this.isChanged(world)) await this.#save(world, this.#pause);
    });
    const lost = new Map<string, unknown>();
    if (this.#saved.size > 0) {
      const noteLost = (error: unknown): unknown => lost.set('how long the server ran', error);
      await store.saveUptime(this.uptime).catch(noteLost);
    }
    const errors = await this.#inTurn(all, (world) => this.saveAll(world));
    for (const world of all) {
      if (!errors.has(world)) continue;
      const changes = this.isChanged(world) ? 'the last changes' : 'the calls';
      lost.set(`${changes} of world ${world.keyHash}`, errors.get(world));
    }
    const [reason] = lost.values();
    const lostNames = [...lost.keys()];
    const more = lostNames.length > NAMED_MAX ? ` and ${lostNames.length - NAMED_MAX} more` : '';
    const listed = lostNames.slice(0, NAMED_MAX).join(', ');
    if (lost.size > 0) this.report(`${explainError(reason)}. Lost: ${listed}${more}`);
    return lost.size === 0;
  }

  /** Tells the operator what cannot be saved or read, once. */
  report(error: unknown): void {
    if (error instanceof SaveInterrupted) return;
    const reason = explainError(error);
    if (reason !== this.reported) this.worlds.host.warn?.(`--state: ${reason}`);
    this.reported = reason;
  }

  /** Reports one of several errors, always that of the same item. Returns whether there is one. */
  reportFirst<T>(errors: ReadonlyMap<T, unknown>, items: readonly T[]): boolean {
    const first = items.find((item) => errors.has(item));
    if (first !== undefined) this.report(errors.get(first));
    return first !== undefined;
  }

  /** Between two pieces of a document. When the server ends, nothing else needs the time. */
  readonly #pause = (): Promise<void> => (this.#isEnding ? Promise.resolve() : this.worlds.host.pause());

  /** Saves a world, and its calls if they are given; `pause` may throw. */
  async #save(world: World, pause: () => Promise<void>, calls?: TextPieces): Promise<void> {
    const { key, journal } = world;
    const { nextId } = journal;
    const marks = listMarks(world);
    const document = writeWorld(world, this.worlds.chosenFor(key), this.uptime, pause);
    await this.store.save(this.store.idOf(key), document, this.savingOf(world), calls);
    const before = this.#saved.get(key) ?? UNSAVED;
    this.#saved.set(key, { marks, calls: calls === undefined ? before.calls : nextId });
  }

  async #saveChanged(): Promise<void> {
    const { worlds, store } = this;
    const begun = worlds.host.now();
    const pauseUnlessEnding = (): Promise<void> =>
      this.#isEnding ? Promise.reject(new SaveInterrupted()) : worlds.host.pause();
    const changed = Array.from(worlds.all()).filter((world) => this.isChanged(world));
    try {
      const errors = await this.#inTurn(changed, async (world) => {
        if (!this.#isEnding) await this.#save(world, pauseUnlessEnding);
      });
      if (this.reportFirst(errors, changed) || this.#isEnding) return;
      if (changed.length > 0) await store.saveUptime(this.uptime);
      worlds.savedUntil = begun;
      this.reported = '';
    } catch (error) {
      this.report(error);
    }
  }

  #inTurn(
    worlds: readonly World[],
    work: (world: World) => Promise<void>,
  ): Promise<ReadonlyMap<World, unknown>> {
    return workInParallel(worlds, (world) =>
      this.queues.runInTurn(this.store.idOf(world.key), async () => {
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
export function listMarks({
  chance,
  jobs,
  runningDeliveries,
  script,
  clock,
  calls,
}: World): readonly unknown[] {
  const { begun, ended } = calls;
  const { endedCount, runningCount } = runningDeliveries;
  const counts = [chance.countOf('requests'), begun, ended, endedCount, runningCount];
  return [chance, ...counts, jobs.nextDue, jobs.size, script.scenario, clock.mode];
}

export function explainError(error: unknown): string {
  if (error instanceof ApiError) return error.refusal.detail ?? error.message;
  if (error instanceof ValidationError) return `${error.path.join('.')} ${error.message}`.trim();
  return error instanceof Error ? error.message : String(error);
}
