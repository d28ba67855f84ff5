import type { Branch } from '../../journal/branch.js';
import type { Journal } from '../../journal/journal.js';
import type { Entry } from '../../journal/entry.js';
import { JOURNAL_ENTRIES_MAX } from '../../journal/completed-call.js';
import type { World } from '../../world/world.js';

/** How many calls may wait in a journal before they are collected: half of its capacity. */
const UNSEEN_MAX = JOURNAL_ENTRIES_MAX / 2;
/** The maximum number of calls in a file. */
export const KEPT_CALLS_MAX = 20_000;

/** A collected call as JSON. */
export interface KeptCall {
  readonly id: number;
  readonly branch: Branch;
  /** Whether the text says that a restore has undone it. */
  readonly isUndone: boolean;
  readonly text: string;
}

/** The JSON of a call, with its mark as it is by now: a restore may have come later. */
export function formatKeptCall({ id, branch, isUndone, text }: KeptCall, mark: 'Undone' | '_undone'): string {
  const isUndoneNow = branch.isUndone(id);
  if (isUndoneNow === isUndone) return text;
  return JSON.stringify({ ...(JSON.parse(text) as object), [mark]: isUndoneNow });
}

/** Collects the calls of all worlds for a file. */
export abstract class CallKeeper {
  readonly #nextEntry = new WeakMap<Journal, number>();

  /** Collects the calls of a world before its journal drops them. */
  keepUp(world: World): void {
    if (world.journal.nextId - this.#next(world.journal) >= UNSEEN_MAX) this.keep(world);
  }

  /** Collects the calls of a world since the last time. */
  keep(world: World): void {
    const { journal } = world;
    const next = this.#next(journal);
    const unseen = [...journal.entries(next)];
    this.#nextEntry.set(journal, journal.nextId);
    this.add(world, unseen, journal.nextId - next - unseen.length);
  }

  /** A reset is about to replace the world, or the run ends. */
  end(world: World): void {
    this.keep(world);
  }

  /** Adds calls of a world; `lost` others were gone before they were collected. */
  protected abstract add(world: World, entries: readonly Entry[], lost: number): void;

  /** The number of the first call that was not collected. */
  #next(journal: Journal): number {
    return this.#nextEntry.get(journal) ?? journal.oldestId - journal.evicted;
  }
}
