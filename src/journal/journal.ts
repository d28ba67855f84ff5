import type { Page } from '../core/search.js';
import { maskPasswords } from '../core/secrets.js';
import { JournalBudget } from './budget.js';
import { HeaderMasker } from './headers.js';
import { BODY_MAX, Masker } from './mask.js';
import { type Condition, conditionsOf, fits, type Match, nearestTo } from './match.js';
import { type Entry, type Exchanged, JOURNAL_BYTES_MAX, JOURNAL_ENTRIES_MAX } from './model.js';
import { cutText, maskPath, maskQuery } from './names.js';
import { slotBytes, Slots } from './slots.js';
import { AWAITED_MAX, type Awaited, type Patience, Waiters } from './waiters.js';

export type { Exchanged } from './model.js';

/** Near misses that a wait in vain tells of. */
const NEAREST_MAX = 3;
/** Memory of an entry beside its slot, by estimate. */
const ENTRY_BYTES = 300;
/** The most characters of a path or a query that are kept. */
const TARGET_MAX = 8 * 1024;
/** The service takes no longer ones. */
const REFERENCE_MAX = 1_024;

/**
 * Whether an answer is that of a charge without a map of the caller's own: its members are ours, and hold no secret. Any
 * other answer is looked through.
 */
function isPlainCharge(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    'ChargeId' in body &&
    'Metadata' in body &&
    body.Metadata === null
  );
}

/** What a world was asked and how it answered: a bounded record, masked before anything is kept. */
export class Journal {
  /** Entries by their number since `#base`, round and round. */
  readonly #slots = new Slots();
  readonly #masker = new Masker();
  readonly #headers = new HeaderMasker();
  readonly #waiters = new Waiters();
  #base: number;
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
    this.#base = firstId;
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

  /** Keeps an exchange, and tells those who wait for one like it. Returns the entry's number. */
  record(exchanged: Exchanged): number {
    const entry = this.#entryOf(exchanged);
    while (this.size > 0 && this.#isTooMuch(entry.bytes)) this.#evict();
    this.#slots.put(this.#slot(entry.id), entry);
    this.#next++;
    this.#hold(entry.bytes);
    if (this.#waiters.size > 0) this.#waiters.tell(entry);
    return entry.id;
  }

  /** Forgets all entries; the numbers go on. */
  clear(): void {
    this.#slots.clear();
    this.#base = this.#next;
    this.#oldest = this.#next;
    this.#hold(-this.#bytes);
    this.#evicted = 0;
  }

  /** Lets go of the oldest entries, and of their memory, until it holds at most so many bytes. */
  shrink(bytes: number): void {
    while (this.#bytes > bytes && this.size > 0) this.#slots.drop(this.#evict());
  }

  #hold(bytes: number): void {
    this.#bytes += bytes;
    if (bytes !== 0) this.budget.change(this, bytes);
  }

  /** Refuses those who wait, since their world ends; the entries stay. */
  close(): void {
    this.#waiters.close();
  }

  /** Oldest first, as a replay needs them; those of smaller numbers are left out. */
  *entries(from = this.#oldest): Generator<Entry, void> {
    for (let id = Math.max(from, this.#oldest); id < this.#next; id++) {
      yield this.#slots.get(this.#slot(id), id);
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
  await(match: Match, wanted: number, patience: Patience): Promise<Awaited> {
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

  #slot(id: number): number {
    return (id - this.#base) % JOURNAL_ENTRIES_MAX;
  }

  #isTooMuch(more: number): boolean {
    return this.size >= JOURNAL_ENTRIES_MAX || this.#bytes + more > JOURNAL_BYTES_MAX;
  }

  /** The slot of the oldest entry, which is forgotten. */
  #evict(): number {
    const slot = this.#slot(this.#oldest);
    this.#slots.free(slot);
    this.#oldest++;
    this.#evicted++;
    this.#hold(-this.#slots.sizeOf(slot));
    this.#evictedThrough = Math.max(this.#evictedThrough, this.#slots.atOf(slot));
    return slot;
  }

  #entryOf(exchanged: Exchanged): Entry {
    const masker = this.#masker;
    const path = cutText(maskPath(exchanged.path), TARGET_MAX);
    const query = cutText(maskQuery(exchanged.query), TARGET_MAX);
    const headers = this.#headers.mask(exchanged.headers);
    const request = this.#requestOf(exchanged);
    const { stand, truncated: requestTruncated } = masker;
    let { size } = masker;
    const response = this.#responseOf(exchanged);
    size += masker.size + this.#headers.size + path.length + query.length + (exchanged.warning?.length ?? 0);
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
      request,
      status: exchanged.status,
      response,
      trigger: exchanged.trigger,
      fault: exchanged.fault,
      rule: exchanged.rule,
      precedence: exchanged.precedence,
      reference: exchanged.reference === null ? null : cutText(exchanged.reference, REFERENCE_MAX),
      warning: exchanged.warning,
      truncated: requestTruncated || masker.truncated,
      requestTruncated,
      stand,
      bytes: ENTRY_BYTES + slotBytes(size),
    };
  }

  /** The body of a request as text, its secrets masked. */
  #requestOf({ sent, requestBody }: Exchanged): string | null {
    const masker = this.#masker;
    if (sent === null || !(sent.isSimple || sent.isBroken)) {
      const masked = masker.body(requestBody, true);
      return masked === null ? null : maskPasswords(JSON.stringify(masked));
    }
    const text = maskPasswords(sent.isSimple ? sent.masked() : sent.draft());
    masker.size = text.length;
    masker.truncated = sent.text.length > BODY_MAX;
    masker.stand = sent.stand();
    return text;
  }

  /** The answer as text: as it was sent where nothing in it could be a secret, else masked. */
  #responseOf({ responseText, responseBody }: Exchanged): string | null {
    const masker = this.#masker;
    if (responseText !== null && responseText.length <= BODY_MAX && isPlainCharge(responseBody)) {
      masker.size = responseText.length;
      masker.truncated = false;
      return maskPasswords(responseText);
    }
    const masked = masker.body(responseBody, false);
    return masked === null ? null : maskPasswords(JSON.stringify(masked));
  }
}
