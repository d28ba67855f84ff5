import type { Page } from '../core/search.js';
import { cutText, keepAnswer } from './body.js';
import { JournalBudget } from './budget.js';
import { HeaderMasker } from './headers.js';
import { type Condition, conditionsOf, fits, type Match, nearestTo } from './match.js';
import { type Entry, type Exchanged, JOURNAL_ENTRIES_MAX } from './model.js';
import { maskPath, maskQuery } from './names.js';
import { type KeptPair, KeptTexts, readPair } from './texts.js';
import { AWAITED_MAX, type Awaited, type Patience, Waiters } from './waiters.js';

export type { Exchanged } from './model.js';

/** Near misses that a wait returns when it times out. */
const NEAREST_MAX = 3;
/** Memory of an entry beside its texts, by estimate. */
const ENTRY_BYTES = 1_000;
/** The most characters of a path or a query that are kept. */
const TARGET_MAX = 8 * 1024;
/** The service takes no longer ones. */
const REFERENCE_MAX = 1_024;

/** An entry as the ring holds it: with its two texts elsewhere. */
interface Held extends Omit<Entry, 'request' | 'response'> {
  readonly texts: KeptPair;
}

/** What a world was asked and how it answered: a bounded record. What callers send is masked before it is kept, and answers before they are shown. */
export class Journal {
  /** A ring: an entry stands at its number, modulo the length. */
  readonly #ring: (Held | undefined)[] = [];
  readonly #headers = new HeaderMasker();
  #texts = new KeptTexts();
  readonly #waiters = new Waiters<Entry>();
  #oldest: number;
  #next: number;
  #bytes = 0;
  #evictedThrough = 0;
  #evicted = 0;

  /** Numbers never begin anew: a world after a reset goes on with `nextId` of the one before. */
  constructor(
    firstId = 1,
    private readonly budget = new JournalBudget(),
  ) {
    this.#oldest = firstId;
    this.#next = firstId;
  }

  get nextId(): number {
    return this.#next;
  }

  /** The number of the oldest entry; `nextId` where there is none. */
  get oldestId(): number {
    return this.#oldest;
  }

  get size(): number {
    return this.#next - this.#oldest;
  }

  /** Entries that had to make room since the journal was last cleared. */
  get evicted(): number {
    return this.#evicted;
  }

  /** An estimate of the memory that all entries take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps an exchange, and ends the waits for one like it. Returns the entry's number. */
  record(exchanged: Exchanged): number {
    const entry = this.#heldOf(exchanged);
    const evicted = this.size < JOURNAL_ENTRIES_MAX ? undefined : this.#evict();
    // Objects that live for a thousand calls fill the old generation, so that of the evicted entry is used again.
    this.#ring[entry.id % JOURNAL_ENTRIES_MAX] =
      evicted === undefined ? entry : Object.assign(evicted, entry);
    this.#next++;
    this.#hold(entry.bytes);
    if (this.#waiters.size > 0) this.#waiters.notify(readHeld(entry));
    return entry.id;
  }

  /** Forgets all entries; the numbers go on. */
  clear(): void {
    this.#ring.length = 0;
    this.#texts = new KeptTexts();
    this.#oldest = this.#next;
    this.#hold(-this.#bytes);
    this.#evicted = 0;
  }

  /** Lets go of the oldest entries until it holds at most so many bytes. */
  shrink(bytes: number): void {
    while (this.#bytes > bytes && this.size > 0) this.#evict();
  }

  #hold(bytes: number): void {
    this.#bytes += bytes;
    if (bytes !== 0) this.budget.change(this, bytes);
  }

  /** Refuses the requests that wait, since their world ends; the entries stay. */
  close(): void {
    this.#waiters.close();
  }

  /** Oldest first, as a replay needs them; those of smaller numbers are left out. */
  *entries(from = this.#oldest): Generator<Entry, void> {
    for (let id = Math.max(from, this.#oldest); id < this.#next; id++) {
      const entry = this.#ring[id % JOURNAL_ENTRIES_MAX];
      if (entry !== undefined) yield readHeld(entry);
    }
  }

  /** A page of the entries that fit, newest first, and how many fit in all. */
  find(match: Match, page: Page): { readonly entries: readonly Entry[]; readonly count: number } {
    const fitting = this.#fitting(conditionsOf(match));
    return { entries: fitting.slice(page.skip, page.skip + page.limit), count: fitting.length };
  }

  /** How many entries fit; incomplete where one that had to make room may have fitted too. */
  count(match: Match): { readonly count: number; readonly incomplete: boolean } {
    const { since = null } = match;
    const incomplete = this.#evicted > 0 && (since === null || since <= this.#evictedThrough);
    return { count: this.#fitting(conditionsOf(match)).length, incomplete };
  }

  /**
   * Waits until so many entries fit, those that are there already included. Rejects when the world ends
   * meanwhile, and throws where too many wait (503, code 37).
   */
  await(match: Match, wanted: number, patience: Patience): Promise<Awaited<Entry>> {
    const conditions = conditionsOf(match);
    const fitting = this.#fitting(conditions);
    if (fitting.length >= wanted) {
      return Promise.resolve({ enough: true, count: fitting.length, entries: fitting.slice(0, AWAITED_MAX) });
    }
    const there = fitting.toReversed();
    return this.#waiters.add({ conditions, wanted, there }, patience, () =>
      nearestTo(this.#newestFirst(), conditions, NEAREST_MAX),
    );
  }

  #fitting(conditions: readonly Condition[]): Entry[] {
    return this.#newestFirst().filter((entry) => fits(entry, conditions));
  }

  #newestFirst(): Entry[] {
    return [...this.entries()].toReversed();
  }

  #evict(): Held | undefined {
    const place = this.#oldest % JOURNAL_ENTRIES_MAX;
    const entry = this.#ring[place];
    this.#ring[place] = undefined;
    this.#oldest++;
    this.#evicted++;
    if (entry === undefined) return undefined;
    this.#evictedThrough = Math.max(this.#evictedThrough, entry.at);
    this.#texts.release(entry.texts);
    this.#hold(-entry.bytes);
    return entry;
  }

  #heldOf(exchanged: Exchanged): Held {
    const { request, reference, warning } = exchanged;
    const path = cutText(maskPath(exchanged.path), TARGET_MAX);
    const query = cutText(maskQuery(exchanged.query), TARGET_MAX);
    const headers = this.#headers.mask(exchanged.headers);
    const response = keepAnswer(exchanged.responseBody, exchanged.responseText);
    return {
      id: this.#next,
      at: exchanged.at,
      realAt: exchanged.realAt,
      durationMs: exchanged.durationMs,
      method: exchanged.method,
      path,
      query,
      operation: exchanged.operation,
      requestId: exchanged.requestId,
      headers,
      texts: this.#texts.keep(request.text, response.text),
      status: exchanged.status,
      trigger: exchanged.trigger,
      fault: exchanged.fault,
      rule: exchanged.rule,
      precedence: exchanged.precedence,
      reference: reference === null ? null : cutText(reference, REFERENCE_MAX),
      warning,
      truncated: request.truncated || response.truncated,
      requestTruncated: request.truncated,
      stand: request.stand,
      bytes:
        ENTRY_BYTES +
        this.#headers.size +
        path.length +
        query.length +
        lengthOf(request.text) +
        lengthOf(response.text) +
        lengthOf(warning),
    };
  }
}

/** An entry that its reader may hold as long as it likes. */
function readHeld({ texts, ...entry }: Held): Entry {
  const [request, response] = readPair(texts);
  return { ...entry, request, response };
}

function lengthOf(text: string | null): number {
  return text === null ? 0 : text.length;
}
