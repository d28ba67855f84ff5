import type { Identifiers } from './random.js';

/**
 * The records of one kind, numbered from 0 in order of creation. Records are immutable and replaced
 * whole; a removed record leaves its number unused, so later identifiers do not move.
 */
export class Table<R> {
  readonly #rows: (R | undefined)[] = [];
  #live = 0;

  constructor(
    readonly ids: Identifiers,
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

  hasRoom(count = 1): boolean {
    return this.#rows.length + count <= this.max;
  }

  /** Adds a record under the number `next`. */
  add(record: R): number {
    this.#live++;
    return this.#rows.push(record) - 1;
  }

  at(n: number): R | undefined {
    return this.#rows[n];
  }

  find(id: string): R | undefined {
    const n = this.ids.indexOf(id);
    return n < 0 ? undefined : this.#rows[n];
  }

  idOf(n: number): string {
    return this.ids.at(n);
  }

  replace(n: number, record: R): void {
    this.#rows[n] = record;
  }

  remove(n: number): void {
    if (this.#rows[n] === undefined) return;
    this.#rows[n] = undefined;
    this.#live--;
  }
}

/** Record numbers in ascending order; a single one is kept bare, since most keys have just one. */
export type Postings = number | number[];

const NONE: readonly number[] = [];

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
    const found = shard.get(key);
    if (found === undefined) shard.set(key, n);
    else if (typeof found === 'number') shard.set(key, [found, n]);
    else found.push(n);
    if (this.#shards.length === 1 && shard.size > SPLIT_AT) this.#split();
  }

  /** The numbers of the records with this text, ascending. */
  find(key: string): readonly number[] {
    const found = this.#shard(key).get(key);
    if (found === undefined) return NONE;
    return typeof found === 'number' ? [found] : found;
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
    const found = this.#owned[owner];
    if (found === undefined) this.#owned[owner] = n;
    else if (typeof found === 'number') this.#owned[owner] = [found, n];
    else found.push(n);
  }

  /** The numbers of the records of this owner, ascending. */
  find(owner: number): readonly number[] {
    const found = this.#owned[owner];
    if (found === undefined) return NONE;
    return typeof found === 'number' ? [found] : found;
  }
}
