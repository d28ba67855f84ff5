import { GivenIds, type IdEntry } from './given-ids.js';
import type { Identifiers } from './random.js';
import { SHORT_MAX, Vector } from './vector.js';

/**
 * The records of one kind, numbered from 0 in order of creation. Records are immutable and replaced
 * whole; a removed record leaves its number unused, so later identifiers do not move.
 */
export class Table<R> {
  readonly #rows = new Vector<R | undefined>();
  #live = 0;
  /** Null unless somebody chose identifiers: most worlds compute all of them. */
  #given: GivenIds | null = null;

  constructor(
    private readonly ids: Identifiers,
    /** How many records the table takes at most. */
    readonly max: number,
  ) {}

  /** How many records there are now. */
  get size(): number {
    return this.#live;
  }

  /** The number that the next record gets; also how many there ever were. */
  get next(): number {
    return this.#rows.length;
  }

  /** The identifier that the next record gets. */
  get nextId(): string {
    return this.idOf(this.next);
  }

  hasRoom(count = 1): boolean {
    return this.#rows.length + count <= this.max;
  }

  /** Adds a record under the number `next`. */
  add(record: R): number {
    this.#live++;
    this.#rows.push(record);
    return this.#rows.length - 1;
  }

  at(n: number): R | undefined {
    return this.#rows.at(n);
  }

  find(id: string): R | undefined {
    const n = this.numberOf(id);
    return n < 0 ? undefined : this.#rows.at(n);
  }

  /** The number behind an identifier, given out or not; -1 when it is none of this table's. */
  numberOf(id: string): number {
    return this.#given === null ? this.ids.indexOf(id) : this.#given.numberOf(id);
  }

  idOf(n: number): string {
    return this.#given === null ? this.ids.at(n) : this.#given.idOf(n);
  }

  /** The identifiers that were chosen, with the numbers that have them. */
  givenIds(): readonly IdEntry[] {
    return this.#given?.entries ?? [];
  }

  /** Gives numbers of a fresh table identifiers that somebody chose; all others keep their computed ones. */
  giveIds(entries: readonly IdEntry[]): void {
    this.#given = entries.length === 0 ? null : new GivenIds(this.ids, entries);
  }

  replace(n: number, record: R): void {
    this.#rows.set(n, record);
  }

  remove(n: number): void {
    if (this.#rows.at(n) === undefined) return;
    this.#rows.set(n, undefined);
    this.#live--;
  }

  /** The records by their numbers as they are now; a removed one is undefined. */
  rows(): Vector<R | undefined> {
    return this.#rows.copy();
  }

  /** Fills a fresh table with those of a part of its records that come next. Each is added in turn, which also builds the indexes. */
  load(rows: Vector<R | undefined>, end = rows.length): void {
    for (let n = this.next; n < Math.min(end, rows.length); n++) {
      const record = rows.at(n);
      if (record === undefined) this.#rows.push(undefined);
      else this.add(record);
    }
  }
}

/** Records that can be removed and stay readable all the same. */
export class RemovableTable<R extends { readonly dateRemoved: number | null }> extends Table<R> {
  #removed = 0;

  /** How many records were removed: while none is, no search need look for them. */
  get removed(): number {
    return this.#removed;
  }

  override add(record: R): number {
    if (record.dateRemoved !== null) this.#removed++;
    return super.add(record);
  }

  override replace(n: number, record: R): void {
    if (record.dateRemoved !== null && this.at(n)?.dateRemoved === null) this.#removed++;
    super.replace(n, record);
  }
}

/** Numbers of records in ascending order. */
export interface Numbers {
  readonly length: number;
  at(i: number): number | undefined;
}

/** The numbers under one key: a single one is kept bare, since most keys have just one. */
type Postings = number | number[] | Vector<number>;

const NONE: Numbers = [];

/** The postings with one more number. */
function extended(postings: Postings | undefined, n: number): Postings {
  if (postings === undefined) return n;
  if (typeof postings === 'number') return [postings, n];
  if (postings.length !== SHORT_MAX || postings instanceof Vector) {
    postings.push(n);
    return postings;
  }
  const long = new Vector<number>();
  for (const number of postings) long.push(number);
  long.push(n);
  return long;
}

/** The postings made anew with a number in its place, or without it: only changes come out of order. */
function changed(postings: Postings | undefined, n: number, belongs: boolean): Postings | undefined {
  const before = numbersOf(postings);
  let after: Postings | undefined;
  let waits = belongs;
  for (let i = 0; i < before.length; i++) {
    const other = before.at(i) ?? n;
    if (waits && other > n) {
      after = extended(after, n);
      waits = false;
    }
    if (other !== n) after = extended(after, other);
  }
  return waits ? extended(after, n) : after;
}

function numbersOf(postings: Postings | undefined): Numbers {
  if (postings === undefined) return NONE;
  return typeof postings === 'number' ? [postings] : postings;
}

/** Above this many keys an index is split, so that no single map grows with a long pause. */
const SPLIT_AT = 8192;
const SHARDS = 256;

function shardOf(key: string): number {
  let hash = key.length;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SHARDS - 1);
}

/** Which records have a text, in constant time however many there are. */
export class TextIndex {
  #shards: Map<string, Postings>[] = [new Map()];

  add(key: string, n: number): void {
    const shard = this.#shard(key);
    const before = shard.get(key);
    const after = extended(before, n);
    if (after !== before) shard.set(key, after);
    if (this.#shards.length === 1 && shard.size > SPLIT_AT) this.#split();
  }

  /** Moves a record that got another text; null: it had none, or has none any more. Takes time by how many share a text. */
  move(from: string | null, to: string | null, n: number): void {
    if (from === to) return;
    if (from !== null) {
      const left = changed(this.#shard(from).get(from), n, false);
      if (left === undefined) this.#shard(from).delete(from);
      else this.#shard(from).set(from, left);
    }
    if (to === null) return;
    const others = this.find(to);
    // Mostly nobody has the text yet.
    if ((others.at(others.length - 1) ?? -1) < n) this.add(to, n);
    else this.#shard(to).set(to, changed(this.#shard(to).get(to), n, true) ?? n);
  }

  /** The numbers of the records with this text, ascending. */
  find(key: string): Numbers {
    return numbersOf(this.#shard(key).get(key));
  }

  #shard(key: string): Map<string, Postings> {
    return this.#shards[this.#shards.length === 1 ? 0 : shardOf(key)] as Map<string, Postings>;
  }

  #split(): void {
    const [whole] = this.#shards;
    this.#shards = Array.from({ length: SHARDS }, () => new Map<string, Postings>());
    for (const [key, postings] of whole ?? []) this.#shard(key).set(key, postings);
  }
}

/** Which records belong to a record of another table, by that record's number. */
export class OwnerIndex {
  readonly #owned: (Postings | undefined)[] = [];

  add(owner: number, n: number): void {
    this.#owned[owner] = extended(this.#owned[owner], n);
  }

  /** The numbers of the records of this owner, ascending. */
  find(owner: number): Numbers {
    return numbersOf(this.#owned[owner]);
  }
}
