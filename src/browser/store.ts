import type { Pieces, Saving, StoredName, StoredWorld, WorldStore } from '../app/saving/store.js';
import { worldName } from '../world/name.js';

const ENTRIES = 'entries';
/** What is stored under a kind and an identifier. */
interface Kinds {
  document: string;
  calls: string;
  saving: Saving;
  /** By the identifier of a call. */
  answer: KeptAnswer;
}
type Kind = keyof Kinds;

/** How long to wait for a page that is closing, or a worker that is ending. */
const LOCK_WAIT_MS = 3_000;
/** A browser repeats a call at once. */
const REPEAT_MS = 10_000;
/** The beginning of a document, with everything before its state. */
const HEAD_LENGTH = 16 * 1024;

/** An answer as it is saved; status 0 if it was lost. */
export interface KeptAnswer {
  readonly at: number;
  readonly status: number;
  readonly headers: [string, string][];
  readonly text: string;
}

/** Worlds in a database of the browser. */
export class DatabaseStore implements WorldStore {
  /** By the identifier of a call, the answers to save with the next world. */
  readonly answers = new Map<string, KeptAnswer>();
  /** Those that a worker has saved, and may not have sent. */
  #unsent = new Map<string, KeptAnswer>();
  #database: IDBDatabase | null = null;
  #unlock = (): void => {};

  constructor(readonly name: string) {}

  idOf(key: string): string {
    return `${worldName(key)}-${key}`;
  }

  /** Two pages with the same worlds in memory would overwrite each other's, so only one of them has the database. */
  async lock(): Promise<void> {
    this.#unlock = await locked(this.name);
    const opening = indexedDB.open(this.name);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(ENTRIES));
    const database = await resultOf(opening);
    // Somebody deletes it.
    database.addEventListener('versionchange', () => database.close());
    this.#database = database;
    this.#unsent = await this.#all('answer');
    await written(this.#entries('readwrite'), (entries) => entries.delete(allOf('answer')));
  }

  release(): void {
    this.#database?.close();
    this.#unlock();
  }

  async list(): Promise<readonly StoredName[]> {
    return Array.from(await this.#all('saving'), ([id, { due }]) => ({ id, due }));
  }

  async load(id: string): Promise<StoredWorld | null> {
    const [document, calls, usedAt] = await Promise.all([
      this.#read('document', id),
      this.#read('calls', id),
      this.usedAt(id),
    ]);
    if (document === undefined) return null;
    const place = `the world ${id} of the database ${this.name}`;
    return { place, document: JSON.parse(document), calls: JSON.parse(calls ?? 'null'), usedAt };
  }

  async usedAt(id: string): Promise<number> {
    return (await this.#read('saving', id))?.usedAt ?? 0;
  }

  async peek(id: string): Promise<string | null> {
    return (await this.#read('document', id))?.slice(0, HEAD_LENGTH) ?? null;
  }

  async save(id: string, document: Pieces, saving: Saving, calls?: Pieces): Promise<void> {
    const text = await textOf(document);
    const callsText = calls === undefined ? null : await textOf(calls);
    await written(this.#entries('readwrite'), (entries) => {
      entries.put(text, ['document', id]);
      entries.put(saving, ['saving', id]);
      if (callsText !== null) entries.put(callsText, ['calls', id]);
      for (const [call, answer] of this.answers) entries.put(answer, ['answer', call]);
    });
  }

  async saveCalls(id: string, calls: Pieces): Promise<void> {
    const text = await textOf(calls);
    await written(this.#entries('readwrite'), (entries) => entries.put(text, ['calls', id]));
  }

  remove(id: string): Promise<void> {
    return written(this.#entries('readwrite'), (entries) => {
      for (const kind of ['document', 'calls', 'saving']) entries.delete([kind, id]);
    });
  }

  /** The answer that the last worker saved to a call, and did not send: it ended in between, so the browser repeats the call. */
  unsent(call: string): KeptAnswer | undefined {
    const answer = this.#unsent.get(call);
    return answer !== undefined && Date.now() < answer.at + REPEAT_MS ? answer : undefined;
  }

  /** Forgets an answer that is sent in this turn. That is written even if the worker ends now. */
  sent(call: string): void {
    this.answers.delete(call);
    this.#unsent.delete(call);
    const entries = this.#entries('readwrite');
    entries.delete(['answer', call]);
    entries.transaction.commit();
  }

  /** A page and a worker end all the time, and a scaled clock goes on nevertheless: it follows the wall clock. */
  loadUptime = (): Promise<number> => Promise.resolve(Date.now());
  saveUptime = (): Promise<void> => Promise.resolve();

  #entries(mode: IDBTransactionMode): IDBObjectStore {
    if (this.#database === null) throw new Error(`The database ${this.name} is not open.`);
    return this.#database.transaction(ENTRIES, mode).objectStore(ENTRIES);
  }

  #read<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
    return resultOf(this.#entries('readonly').get([kind, id]) as IDBRequest<Kinds[K] | undefined>);
  }

  async #all<K extends Kind>(kind: K): Promise<Map<string, Kinds[K]>> {
    const entries = this.#entries('readonly');
    const of = allOf(kind);
    const [keys, found] = await Promise.all([resultOf(entries.getAllKeys(of)), resultOf(entries.getAll(of))]);
    return new Map(keys.map((key, n) => [(key as string[])[1] ?? '', found[n] as Kinds[K]]));
  }
}

const allOf = (kind: Kind): IDBKeyRange => IDBKeyRange.bound([kind], [kind, []]);

/** Resolves when all of a change is written; otherwise nothing is. */
function written(entries: IDBObjectStore, change: (entries: IDBObjectStore) => void): Promise<void> {
  const { transaction } = entries;
  change(entries);
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('The transaction was aborted.')),
    );
  });
}

/** Takes the lock of a database; the result releases it. */
function locked(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    const options = { signal: AbortSignal.timeout(LOCK_WAIT_MS) };
    navigator.locks.request(`playmoney ${name}`, options, hold).catch(() => {
      const message = `Failed to open the database "${name}": another page or worker has it. Close that, name another database, or let all pages use the service worker.`;
      reject(new Error(message));
    });
  });
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
  });
}

async function textOf(pieces: Pieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
