import type { World } from './world.js';

/** What loads worlds that are saved and not in memory, and makes room for them. */
export interface Keeper {
  /** Whether the world of a key is saved and not in memory. */
  isAsleep(key: string): boolean;
  /** Loads the world of a key if it is asleep, and waits for room; null if a new world of the key may be opened at once. */
  wake(key: string): Promise<void> | null;
  /** Loads the world of a name, and returns its key; null if there is none. */
  wakeNamed(name: string): Promise<string | null>;
  /** Removes what is saved of a key, also of one that is not in memory. */
  remove(key: string): Promise<void>;
  /** Removes the worlds that are asleep and were last called before an instant of the wall clock. */
  removeUnused(before: number): Promise<void>;
  /** How many worlds are asleep. */
  readonly asleep: number;
  /** A page of the worlds that are asleep. */
  list(skip: number, limit: number): Promise<readonly WorldSummary[]>;
}

/** What a list says of a world. */
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
export function isIdle({ calls, watch, waits, isAdvancing, dispatch, jobs, clock }: World): boolean {
  if (calls.begun > calls.ended || watch !== null || waits.size > 0 || isAdvancing) return false;
  return dispatch.busy === 0 && dispatch.held === 0 && jobs.nextDue > clock.now();
}

/** The worlds that could leave memory, those first that were not called for longest. */
export function idlest(worlds: Iterable<World>, count: number): World[] {
  return [...worlds]
    .filter(isIdle)
    .toSorted((a, b) => a.usedAt - b.usedAt)
    .slice(0, count);
}
