import { writeCall } from '../../src/app/saving/calls.js';
import { writeNamed } from '../../src/app/saving/document.js';
import type { StoredWorld } from '../../src/app/saving/store.js';
import { type NamedSnapshot, NAMED_SNAPSHOTS } from '../../src/control/snapshots/shelf.js';
import { JOURNAL_ENTRIES_MAX } from '../../src/journal/completed-call.js';
import type { World } from '../../src/world/world.js';
import type { ObjectStorage } from './platform.js';

/** The platform stores values of up to 2 MB. */
const PART_BYTES = 1_900_000;
/** How many values the platform reads, writes or deletes at a time. */
const VALUES_MAX = 128;

/** A text as one or more values. */
interface Parts {
  readonly name: string;
  readonly bytes: number;
}

/** What is stored of a world: everything that its other values do not say. */
interface Head {
  readonly usedAt: number;
  readonly document: Parts;
  readonly snapshots: readonly Parts[];
  /** The numbers of its first call, and of the one after its last. */
  readonly calls: readonly [first: number, next: number];
}

/** What belongs to a document of the same instant. */
interface Beside {
  readonly snapshots: readonly NamedSnapshot[];
  readonly calls: Readonly<Record<string, string>>;
  readonly numbers: Head['calls'];
}

const NOTHING: Head = { usedAt: 0, document: { name: 'part', bytes: 0 }, snapshots: [], calls: [0, 0] };
/** The first value of the document, which has the head as well: each further value costs as much as a call. */
const HEAD = 'part-0';
/** Like the journal, a ring: a call takes the place of the one that the journal has dropped. */
const callKey = (id: number): string => `call-${id % JOURNAL_ENTRIES_MAX}`;

/** A world in the storage of its object: its document, each of its snapshots, and each of its calls. */
export class ObjectStore {
  /** When the stored world was last called; null if there is none. */
  usedAt: number | null = null;
  #head = NOTHING;
  #snapshots = new Map<NamedSnapshot, Parts>();
  #snapshotsMade = 0;

  constructor(private readonly storage: ObjectStorage) {}

  /** How much is stored, without the calls. */
  get bytes(): number {
    return sizeOf(this.#head);
  }

  /** What reads the stored world, and throws if it cannot be read; null if there is none. */
  async load(): Promise<(() => StoredWorld) | null> {
    const first = await this.storage.get<{ readonly head: Head; readonly bytes: Uint8Array<ArrayBuffer> }>(
      HEAD,
    );
    if (first === undefined) return null;
    const { head } = first;
    this.usedAt = head.usedAt;
    this.#head = head;
    const [from, next] = head.calls;
    const numbers = head.snapshots.map(({ name }) => 1 + Number(name.split('-')[1]));
    this.#snapshotsMade = Math.max(0, ...numbers);
    const texts = await Promise.all(
      [head.document, ...head.snapshots].map((parts) => this.#textOf(parts, first.bytes)),
    );
    const calls = await this.#values<string>(
      Array.from({ length: next - from }, (_, n) => callKey(from + n)),
    );
    return () => {
      const [document, ...Snapshots] = texts.map((text) => JSON.parse(text) as object);
      const Calls = calls.map((text) => JSON.parse(text) as unknown);
      const place = 'the storage of its object';
      return { place, document: { ...document, Snapshots }, calls: { Calls }, usedAt: head.usedAt };
    };
  }

  /** Notes that the snapshots of a world are those that were loaded. */
  loaded(world: World): void {
    for (const [n, one] of NAMED_SNAPSHOTS.list(world).entries()) {
      const parts = this.#head.snapshots[n];
      if (parts !== undefined) this.#snapshots.set(one, parts);
    }
  }

  /** What a document of this instant does not contain. */
  beside(world: World): Beside {
    const { journal } = world;
    const calls = [...journal.storedCalls(this.#head.calls[1])];
    return {
      snapshots: NAMED_SNAPSHOTS.list(world),
      calls: Object.fromEntries(calls.map((call) => [callKey(call.id), writeCall(call)])),
      numbers: [journal.oldestId, journal.nextId],
    };
  }

  /** Stores a world: all of it or nothing, since nothing is awaited in between. `refuse` throws if it is too large. */
  save(
    text: string,
    { snapshots, calls, numbers }: Beside,
    usedAt: number,
    refuse: (bytes: number) => void,
  ): Promise<void> {
    const values: Record<string, unknown> = { ...calls };
    const put = (name: string, written: string): Parts => {
      const bytes = new TextEncoder().encode(written);
      const parts = { name, bytes: bytes.length };
      for (const [n, key] of keysOf(parts).entries())
        values[key] = bytes.slice(n * PART_BYTES, (n + 1) * PART_BYTES);
      return parts;
    };
    const stored = new Map(
      snapshots.map((one) => [
        one,
        this.#snapshots.get(one) ?? put(`snapshot-${this.#snapshotsMade++}`, [...writeNamed(one)].join('')),
      ]),
    );
    const before = this.#head;
    const head: Head = {
      usedAt,
      document: put('part', text),
      snapshots: [...stored.values()],
      calls: numbers,
    };
    refuse(sizeOf(head));
    values[HEAD] = { head, bytes: values[HEAD] };
    const gone = [...goneParts(before, head), ...goneCalls(before.calls, numbers)];
    const written = batchesOf(Object.entries(values)).map((some) =>
      this.storage.put(Object.fromEntries(some)),
    );
    const deleted = batchesOf(gone).map((keys) => this.storage.delete(keys));
    this.#head = head;
    this.#snapshots = stored;
    this.usedAt = usedAt;
    return Promise.all([...written, ...deleted]).then(() => {});
  }

  async #textOf(parts: Parts, first: Uint8Array<ArrayBuffer>): Promise<string> {
    const keys = keysOf(parts);
    const others = await this.#values<Uint8Array<ArrayBuffer>>(keys.filter((key) => key !== HEAD));
    return new Blob(keys.includes(HEAD) ? [first, ...others] : others).text();
  }

  async #values<T>(keys: readonly string[]): Promise<T[]> {
    const found = await Promise.all(batchesOf(keys).map((some) => this.storage.get<T>(some)));
    const values = new Map(found.flatMap((map) => [...map]));
    return keys.flatMap((key) => values.get(key) ?? []);
  }
}

function keysOf({ name, bytes }: Parts): string[] {
  return Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, n) => `${name}-${n}`);
}

function sizeOf({ document, snapshots }: Head): number {
  return [document, ...snapshots].reduce((sum, { bytes }) => sum + bytes, 0);
}

function goneParts(before: Head, now: Head): string[] {
  const kept = new Set([now.document, ...now.snapshots].flatMap(keysOf));
  return [before.document, ...before.snapshots].flatMap(keysOf).filter((key) => !kept.has(key));
}

/** The values of calls that a reset has cleared, or the journal has dropped for want of memory, unless a later call has taken their place. */
function goneCalls([first, next]: Head['calls'], [oldest, nextNow]: Head['calls']): string[] {
  const from = Math.max(first, nextNow - JOURNAL_ENTRIES_MAX);
  const count = Math.max(0, Math.min(next, oldest) - from);
  return Array.from({ length: count }, (_, n) => callKey(from + n));
}

function batchesOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / VALUES_MAX);
  return Array.from({ length: count }, (_, n) => items.slice(n * VALUES_MAX, (n + 1) * VALUES_MAX));
}
