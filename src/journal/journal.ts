import { Budget } from '../core/limits/budget.js';
import { Branch } from './branch.js';
import type { Entry, StoredCall } from './entry.js';
import { SharedHeaders } from './headers.js';
import { buildConditions, meetsConditions, type Match, findNearMisses, buildTextFilter } from './match.js';
import { type CompletedCall, JOURNAL_ENTRIES_MAX } from './completed-call.js';
import {
  type JournalNumbers,
  isLiveCall,
  readRingEntry,
  readStoredCall,
  type RingEntry,
  storedCall,
} from './ring-entry.js';
import { TextPages } from './text-pages.js';
import { AWAITED_MAX, type WaitResult, type WaitLimit, Waiters } from './waiters.js';

const NEAREST_MAX = 3;
/** How much is searched between two pauses, by the estimated memory of its entries: a few milliseconds. */
const SLICE_BYTES = 256 * 1024;

/** The latest calls of a world and their answers, as they were sent. They leave it as masked entries. */
export class Journal {
  /** A ring buffer: the entry with number n is at n modulo its length. */
  readonly #ring: (RingEntry | undefined)[] = [];
  readonly branch = new Branch();
  readonly #headers = new SharedHeaders();
  #texts = new TextPages();
  readonly #waiters = new Waiters<Entry>();
  #oldest: number;
  #next: number;
  #bytes = 0;
  /** The time of the latest evicted call that counts. */
  #evictedThrough = -Infinity;
  #evicted = 0;

  /** `firstId`: after a reset, numbers continue from those of the previous world. */
  constructor(
    firstId = 1,
    private readonly budget = new Budget(Infinity),
  ) {
    this.#oldest = firstId;
    this.#next = firstId;
  }

  get nextId(): number {
    return this.#next;
  }

  get oldestId(): number {
    return this.#oldest;
  }

  get size(): number {
    return this.#next - this.#oldest;
  }

  /** The numbers of its calls, and what it has evicted. */
  get numbers(): JournalNumbers {
    const evictedThrough = this.#evictedThrough === -Infinity ? null : this.#evictedThrough;
    const { size, evicted, nextId: next, branch } = this;
    return { size, next, evicted, evictedThrough, undone: branch.undone };
  }

  /** The calls from a number on as they are stored, unmasked, to be saved with the world. */
  *storedCalls(from = this.#oldest): Generator<StoredCall, void> {
    for (let id = Math.max(from, this.#oldest); id < this.#next; id++) {
      const entry = this.#ring[id % JOURNAL_ENTRIES_MAX];
      if (entry !== undefined) yield readStoredCall(entry);
    }
  }

  /** Fills a new journal with saved calls. Those that a kill lost, before `now`, count as evicted. */
  restore(
    { size, next, evicted, evictedThrough, undone }: JournalNumbers,
    calls: readonly StoredCall[],
    now: number,
  ): void {
    const kept = calls.filter(({ id }) => id >= next - size && id < next);
    this.#oldest = kept[0]?.id ?? next;
    this.#next = next;
    this.branch.undone = undone;
    this.#evicted = evicted + size - kept.length;
    this.#evictedThrough = kept.length < size ? now : (evictedThrough ?? -Infinity);
    for (const { request, response, ...call } of kept) {
      const beginning = typeof request === 'string' ? null : request;
      const pair = this.#texts.store(typeof request === 'string' ? request : null, response);
      this.#ring[call.id % JOURNAL_ENTRIES_MAX] = { ...call, ...pair, beginning };
      this.#count(call.bytes);
    }
  }

  get evicted(): number {
    return this.#evicted;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Stores an exchange and notifies those that wait for one. Returns the number of the entry. */
  record(call: CompletedCall): number {
    const entry = storedCall(call, this.#next, this.#headers, this.#texts);
    const evicted = this.size < JOURNAL_ENTRIES_MAX ? undefined : this.#evict();
    // Objects are reused, and copied while the ring fills. Otherwise V8 learns to create each entry in the old generation, which fills up.
    this.#ring[entry.id % JOURNAL_ENTRIES_MAX] =
      evicted === undefined ? { ...entry } : Object.assign(evicted, entry);
    this.#next++;
    this.#count(entry.bytes);
    if (this.#waiters.size > 0) this.#waiters.notify(readRingEntry(entry));
    return entry.id;
  }

  /** Numbers the calls of an empty journal as if it had had others before, which it has dropped. */
  skip(calls: number): void {
    this.#next += calls;
    this.#oldest = this.#next;
    this.#evicted += calls;
  }

  clear(): void {
    this.#ring.length = 0;
    this.#texts = new TextPages();
    this.#oldest = this.#next;
    this.#count(-this.#bytes);
    this.#evicted = 0;
    this.#evictedThrough = -Infinity;
  }

  shrink(bytes: number): void {
    while (this.#bytes > bytes && this.size > 0) this.#evict();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (bytes !== 0) this.budget.change(this, bytes);
  }

  /** Rejects all waits, since the world ends. The entries stay. */
  close(): void {
    this.#waiters.close();
  }

  *entries(from = this.#oldest): Generator<Entry, void> {
    for (let id = Math.max(from, this.#oldest); id < this.#next; id++) {
      const entry = this.#ring[id % JOURNAL_ENTRIES_MAX];
      if (entry !== undefined) yield readRingEntry(entry, this.branch.isUndone(id));
    }
  }

  /**
   * The matching entries that contain a text, newest first; null for any text. Awaits `pause` after each part of the journal, so that
   * calls to other worlds need not wait. Entries that are evicted meanwhile are left out.
   */
  async *search(match: Match, text: string | null, pause: () => Promise<void>): AsyncGenerator<Entry, void> {
    const conditions = buildConditions(match);
    const mentions = text === null ? () => true : buildTextFilter(text);
    let bytes = 0;
    for (let id = this.#next - 1; id >= this.#oldest; id--) {
      const stored = this.#ring[id % JOURNAL_ENTRIES_MAX];
      if (stored === undefined) continue;
      const entry = readRingEntry(stored, this.branch.isUndone(id));
      if (meetsConditions(entry, conditions) && mentions(entry)) yield entry;
      bytes += stored.bytes;
      if (bytes < SLICE_BYTES) continue;
      bytes = 0;
      await pause();
    }
  }

  /** How many entries match, without recorded ones and, by default, undone ones; incomplete if an evicted entry may have matched. */
  count(match: Match): { readonly count: number; readonly incomplete: boolean } {
    const incomplete = this.#evictedThrough >= (match.since ?? -Number.MAX_VALUE);
    return { count: this.#live(match).length, incomplete };
  }

  /** Waits until enough entries that count match, also earlier ones. Rejects when the world ends; 503 (code 37) where too many wait. */
  waitForEntries(match: Match, wanted: number, patience: WaitLimit): Promise<WaitResult<Entry>> {
    const earlier = this.#live(match);
    if (earlier.length >= wanted) {
      return Promise.resolve({ enough: true, count: earlier.length, entries: earlier.slice(0, AWAITED_MAX) });
    }
    const conditions = buildConditions(match);
    return this.#waiters.add({ conditions, wanted, earlier: earlier.toReversed() }, patience, () =>
      findNearMisses(this.#live({ undone: match.undone ?? null }), conditions, NEAREST_MAX),
    );
  }

  /** The entries that match, newest first, without recorded ones and, by default, undone ones. */
  #live(match: Match): Entry[] {
    const conditions = buildConditions({ ...match, undone: match.undone ?? false });
    return [...this.entries()]
      .filter((entry) => isLiveCall(entry) && meetsConditions(entry, conditions))
      .toReversed();
  }

  #evict(): RingEntry | undefined {
    const place = this.#oldest % JOURNAL_ENTRIES_MAX;
    const entry = this.#ring[place];
    this.#ring[place] = undefined;
    this.#oldest++;
    this.#evicted++;
    if (entry === undefined) return undefined;
    if (isLiveCall(entry)) this.#evictedThrough = Math.max(this.#evictedThrough, entry.at);
    this.#texts.release(entry);
    this.#count(-entry.bytes);
    return entry;
  }
}
