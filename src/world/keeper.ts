import type { Host } from '../core/host.js';
import { ApiError, CODE, refuse } from '../core/errors.js';
import type { World } from './world.js';

/** Makes room for worlds in memory, and loads those that are saved and not in memory. */
export interface Keeper {
  /** Called before a new world comes into memory. Throws if there is no room. */
  makeRoom(): void;
  /** Whether the world of a key is saved and not in memory. */
  isAsleep(key: string): boolean;
  /** Loads the world of a key if it is asleep, and waits for room; null if a new world of the key may be opened at once. */
  wake(key: string): Promise<void> | null;
  /** Loads the world of a name, and returns its key or null; null if none is saved. */
  wakeNamed(name: string): Promise<string | null> | null;
  /** Removes what is saved of a key, also of one that is not in memory. */
  remove(key: string): Promise<void>;
  /** Removes the worlds that are asleep and were last called before an instant of the wall clock. */
  removeUnused(before: number): Promise<void>;
  /** Called when an attempt of a delivery has ended. */
  attemptEnded(): void;
  /** How many worlds are asleep. */
  readonly asleep: number;
  /** A page of the worlds that are asleep, and those of the page that cannot be read. */
  list(skip: number, limit: number): Promise<readonly (WorldSummary | UnreadableWorld)[]>;
}

/** Refuses a call because its world cannot be read. The world stays saved until it is removed. */
export class UnreadableWorld extends ApiError {
  constructor(
    readonly keyHash: string,
    /** Names the file, and what is wrong with it. */
    readonly problem: string,
    readonly remove: () => Promise<void>,
    /** How to keep what is saved, where that is possible. */
    hint = '',
  ) {
    const detail = `The saved world of this key cannot be read: ${problem}. ${hint}To begin again, reset the world with POST /_sandbox/reset, or delete it with DELETE /_sandbox/worlds/${keyHash}.`;
    super({ code: CODE.RetryLater, detail });
  }
}

/** The line of a world in a list of worlds. */
export interface WorldSummary {
  /** The short hash of its key. */
  readonly keyHash: string;
  readonly name: string | null;
  readonly scenario: string | null;
  /** The time of its clock; of a world that is asleep, when it fell asleep. */
  readonly now: number;
  /** How many records of each kind, calls and jobs it has. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Whether nobody would notice if a world left memory: no call, live reader, webhook or due job is under way. */
export function isIdle({ calls, watch, waits, isAdvancing, runningDeliveries, jobs, clock }: World): boolean {
  if (calls.begun > calls.ended || watch !== null || waits.size > 0 || isAdvancing) return false;
  return (
    runningDeliveries.runningCount === 0 && runningDeliveries.heldCount === 0 && jobs.nextDue > clock.now()
  );
}

/**
 * Real milliseconds until a world has work; Infinity if nothing is due. At once while deliveries are under way or held: they are not among
 * its jobs, and end with the memory.
 */
export function delayUntilWork({ runningDeliveries, jobs, clock }: World): number {
  if (runningDeliveries.runningCount + runningDeliveries.heldCount > 0) return 0;
  return jobs.nextDue === Infinity ? Infinity : clock.realDelay(jobs.nextDue);
}

/** The worlds that could leave memory, the least recently used ones first. */
export function listIdlest(worlds: Iterable<World>, count: number): World[] {
  return [...worlds]
    .filter(isIdle)
    .toSorted((a, b) => a.usedAt - b.usedAt)
    .slice(0, count);
}

/** The worlds that a {@link DroppingKeeper} drops some of. */
interface DroppableWorlds {
  readonly size: number;
  readonly max: number;
  readonly host: Host;
  all(): Iterable<World>;
  letGo(world: World): void;
}

/** Drops the least recently used worlds when there are too many. */
export class DroppingKeeper implements Keeper {
  readonly asleep = 0;
  #hasWarned = false;

  constructor(private readonly worlds: DroppableWorlds) {}

  makeRoom(): void {
    const { worlds } = this;
    const { size, max, host } = worlds;
    if (size < max) return;
    // A few more than necessary, so that this is not done for each new world.
    const dropped = listIdlest(worlds.all(), 1 + Math.floor(max / 64));
    if (dropped.length === 0) refuse(CODE.RetryLater, `All ${max} worlds of this sandbox are busy.`);
    for (const world of dropped) worlds.letGo(world);
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    host.warn?.(
      `there are more than ${max} worlds, so the least recently used ones are dropped. --worlds-max raises the limit, and --state saves them.`,
    );
  }

  attemptEnded = (): void => {};
  isAsleep = (): boolean => false;
  wake: Keeper['wake'] = () => null;
  wakeNamed = (): null => null;
  remove = (): Promise<void> => Promise.resolve();
  removeUnused = (): Promise<void> => Promise.resolve();
  list = (): Promise<readonly WorldSummary[]> => Promise.resolve([]);
}
