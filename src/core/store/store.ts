import type { Identifiers } from '../ids/random.js';
import { type IdEntry, RecordIds } from '../ids/record-ids.js';

/** Every record is immutable: a change replaces it. */
export interface StoredRecord {
  readonly id: string;
  /** How many records of its kind were made before it. */
  readonly index: number;
  /** Only for kinds whose removed records stay readable. */
  readonly dateRemoved?: number | null;
}

/** The indexes of a table, each with its key of a record. */
type TableKeys<R, K extends string> = { readonly [Name in K]: IndexKey<R> };

/** In order of creation. A removed record leaves a gap. */
export type Rows<R> = readonly (R | undefined)[];

/** In order of creation. */
export interface Candidates<R> {
  readonly length: number;
  at(i: number): R | undefined;
}

/** The records of one kind. */
export class Table<R extends StoredRecord, K extends string = never> {
  readonly #records = new Map<string, R>();
  readonly #rows: (R | undefined)[] = [];
  readonly #indexes: ReadonlyMap<string, RecordIndex<R>>;
  #ids: RecordIds;
  #size = 0;
  #removed = 0;

  constructor(
    private readonly computed: Identifiers,
    readonly max: number,
    keys: TableKeys<R, K>,
  ) {
    this.#ids = new RecordIds(computed);
    const indexes = Object.entries<IndexKey<R>>(keys).map(
      ([name, keyOf]) => [name, new RecordIndex(keyOf)] as const,
    );
    this.#indexes = new Map(indexes);
  }

  get size(): number {
    return this.#size;
  }

  /** Without those that have a removal date. */
  get live(): number {
    return this.#size - this.#removed;
  }

  /** The index of the next record, and so the number of records ever created. */
  get next(): number {
    return this.#rows.length;
  }

  get nextId(): string {
    return this.idAt(this.next);
  }

  hasRoom(count = 1): boolean {
    return this.next + count <= this.max;
  }

  find(id: string): R | undefined {
    return this.#records.get(id);
  }

  at(index: number): R | undefined {
    return this.#rows[index];
  }

  by(name: K, key: string): Candidates<R> {
    const found = this.#indexes.get(name)?.find(key) ?? [];
    return { length: found.length, at: (i) => this.#rows[found[i] ?? -1] };
  }

  add(record: R): void {
    this.#count(record, 1);
    this.#records.set(record.id, record);
    this.#rows.push(record);
    for (const index of this.#indexes.values()) index.add(record);
  }

  replace(record: R): void {
    const before = this.#rows[record.index];
    if (before === undefined) return;
    this.#count(before, -1);
    this.#count(record, 1);
    this.#records.set(record.id, record);
    this.#rows[record.index] = record;
    for (const index of this.#indexes.values()) index.move(before, record);
  }

  /** Removes a record. Its identifier is not used again. */
  remove(record: R): void {
    const before = this.#rows[record.index];
    if (before === undefined) return;
    this.#count(before, -1);
    this.#records.delete(record.id);
    this.#rows[record.index] = undefined;
    for (const index of this.#indexes.values()) index.move(before, null);
  }

  #count({ dateRemoved = null }: R, by: 1 | -1): void {
    this.#size += by;
    if (dateRemoved !== null) this.#removed += by;
  }

  rows(): Rows<R> {
    return this.#rows.slice();
  }

  /** Adds rows, from the current end of the table up to `end`. */
  load(rows: Rows<R>, end = rows.length): void {
    for (let index = this.next; index < Math.min(end, rows.length); index++) {
      const record = rows[index];
      if (record === undefined) this.#rows.push(undefined);
      else this.add(record);
    }
  }

  /** The identifier of the past, present or future record with an index. */
  idAt(index: number): string {
    return this.#ids.at(index);
  }

  givenIds(): readonly IdEntry[] {
    return this.#ids.entries;
  }

  giveIds(entries: readonly IdEntry[]): void {
    this.#ids = new RecordIds(this.computed, entries);
  }
}

type IndexKey<R> = (record: R) => string | null;

/** Finds the indexes of the records with a key, in ascending order. Most keys have one record, which is stored without an array. */
class RecordIndex<R extends { readonly index: number }> {
  readonly #records = new Map<string, number | number[]>();

  constructor(private readonly keyOf: IndexKey<R>) {}

  find(key: string): readonly number[] {
    const found = this.#records.get(key) ?? [];
    return typeof found === 'number' ? [found] : found;
  }

  /** Adds a record that was created after all others. */
  add(record: R): void {
    const key = this.keyOf(record);
    if (key === null) return;
    const others = this.#records.get(key);
    if (others === undefined) this.#records.set(key, record.index);
    else if (typeof others === 'number') this.#records.set(key, [others, record.index]);
    else others.push(record.index);
  }

  move(before: R, after: R | null): void {
    const [from, to] = [this.keyOf(before), after && this.keyOf(after)];
    if (from === to) return;
    if (from !== null) {
      const left = this.find(from).filter((other) => other !== before.index);
      if (left.length === 0) this.#records.delete(from);
      else this.#records.set(from, left);
    }
    if (to !== null)
      this.#records.set(
        to,
        [...this.find(to), before.index].toSorted((a, b) => a - b),
      );
  }
}
