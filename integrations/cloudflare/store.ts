import type { StoredWorld } from '../../src/app/saving/store.js';
import { writeCall } from '../../src/app/saving/calls.js';
import { isObject } from '../../src/core/text/text.js';
import type { Journal } from '../../src/journal/journal.js';
import { JOURNAL_ENTRIES_MAX } from '../../src/journal/model.js';
import type { ObjectStorage } from './platform.js';

/** The platform stores values of up to 2 MB. */
const PART_BYTES = 1_900_000;
/** How many values the platform reads or writes at a time. */
const VALUES_MAX = 128;

/** The first part of the document of a world, and all that its other parts do not say. */
interface Head {
  readonly usedAt: number;
  readonly parts: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const partKey = (n: number): string => `part-${n}`;
/** Like the journal, a ring: a call takes the place of the one that the journal has dropped, so nothing must be deleted. */
const callKey = (id: number): string => `call-${id % JOURNAL_ENTRIES_MAX}`;

/** A world in the storage of its object: its document in parts, and each of its calls. */
export class ObjectStore {
  #parts = 0;
  /** The number of the first call that is not stored. */
  #next = 0;

  constructor(private readonly storage: ObjectStorage) {}

  /** The stored world; null if there is none. */
  async load(): Promise<StoredWorld | null> {
    const head = await this.storage.get<Head>(partKey(0));
    if (head === undefined) return null;
    const others = await this.#values<Head['bytes']>(head.parts - 1, (n) => partKey(n + 1));
    const document: unknown = JSON.parse(await new Blob([head.bytes, ...others]).text());
    const { Size, Next } = numbersIn(document);
    const calls = await this.#values<string>(Size, (n) => callKey(Next - Size + n));
    this.#parts = head.parts;
    this.#next = Next;
    const Calls = calls.map((text) => JSON.parse(text) as unknown);
    return { place: 'the storage of its object', document, calls: { Calls }, usedAt: head.usedAt };
  }

  /** The calls that are not stored yet. */
  unsaved(journal: Journal): Record<string, string> {
    const calls = [...journal.recorded(this.#next)];
    return Object.fromEntries(calls.map((call) => [callKey(call.id), writeCall(call)]));
  }

  /** Stores a world with the calls of the same instant. The platform writes all of it or nothing, since nothing is awaited in between. */
  save(
    document: string,
    calls: Readonly<Record<string, string>>,
    nextCall: number,
    usedAt: number,
  ): Promise<void> {
    const bytes = new TextEncoder().encode(document);
    const parts = Math.ceil(bytes.length / PART_BYTES);
    const partAt = (n: number): Head['bytes'] => bytes.slice(n * PART_BYTES, (n + 1) * PART_BYTES);
    const head: Head = { usedAt, parts, bytes: partAt(0) };
    const values: Record<string, unknown> = { ...calls, [partKey(0)]: head };
    for (let n = 1; n < parts; n++) values[partKey(n)] = partAt(n);
    const gone = Array.from({ length: Math.max(0, this.#parts - parts) }, (_, n) => partKey(parts + n));
    const written = batchesOf(Object.entries(values)).map((some) =>
      this.storage.put(Object.fromEntries(some)),
    );
    const deleted = batchesOf(gone).map((keys) => this.storage.delete(keys));
    this.#parts = parts;
    this.#next = nextCall;
    return Promise.all([...written, ...deleted]).then(() => {});
  }

  async #values<T>(count: number, keyOf: (n: number) => string): Promise<T[]> {
    const keys = Array.from({ length: count }, (_, n) => keyOf(n));
    const found = await Promise.all(batchesOf(keys).map((some) => this.storage.get<T>(some)));
    const values = new Map(found.flatMap((map) => [...map]));
    return keys.flatMap((key) => values.get(key) ?? []);
  }
}

function numbersIn(document: unknown): { readonly Size: number; readonly Next: number } {
  const journal = isObject(document) ? document['Journal'] : null;
  return isObject(journal) ? (journal as { Size: number; Next: number }) : { Size: 0, Next: 0 };
}

function batchesOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / VALUES_MAX);
  return Array.from({ length: count }, (_, n) => items.slice(n * VALUES_MAX, (n + 1) * VALUES_MAX));
}
