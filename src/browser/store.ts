import type { Pieces, Saving, StoredName, StoredWorld, WorldStore } from '../app/saving/store.js';
import { shortHash } from '../core/ids/random.js';

const STORES = ['documents', 'calls', 'savings', 'answers'] as const;
type StoreName = (typeof STORES)[number];
type Opened = (name: StoreName) => IDBObjectStore;

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
    return `${shortHash(`world:${key}`)}-${key}`;
  }

  /** Two pages with the same worlds in memory would overwrite each other's, so only one of them has the database. */
  async lock(): Promise<void> {
    this.#unlock = await locked(this.name);
    const opening = indexedDB.open(this.name);
    opening.onupgradeneeded = (): void => {
      for (const store of STORES) opening.result.createObjectStore(store);
    };
    const database = await resultOf(opening);
    // Somebody deletes it.
    database.onversionchange = (): void => database.close();
    this.#database = database;
    this.#unsent = await this.#all<KeptAnswer>('answers');
    await this.#write((store) => store('answers').clear());
  }

  release(): void {
    this.#database?.close();
    this.#unlock();
  }

  async list(): Promise<readonly StoredName[]> {
    return Array.from(await this.#all<Saving>('savings'), ([id, { due }]) => ({ id, due }));
  }

  async load(id: string): Promise<StoredWorld> {
    const [document, calls] = await Promise.all([
      this.#read<string>('documents', id),
      this.#read<string>('calls', id),
    ]);
    const place = `the world ${id} of the database ${this.name}`;
    return {
      place,
      document: JSON.parse(document ?? 'null'),
      calls: JSON.parse(calls ?? 'null'),
      usedAt: await this.usedAt(id),
    };
  }

  async usedAt(id: string): Promise<number> {
    return (await this.#read<Saving>('savings', id))?.usedAt ?? 0;
  }

  async peek(id: string): Promise<string> {
    return ((await this.#read<string>('documents', id)) ?? '').slice(0, HEAD_LENGTH);
  }

  async save(id: string, document: Pieces, saving: Saving): Promise<void> {
    const text = await textOf(document);
    await this.#write((store) => {
      store('documents').put(text, id);
      store('savings').put(saving, id);
      for (const [call, answer] of this.answers) store('answers').put(answer, call);
    });
  }

  async saveCalls(id: string, calls: Pieces): Promise<void> {
    const text = await textOf(calls);
    await this.#write((store) => store('calls').put(text, id));
  }

  remove(id: string): Promise<void> {
    return this.#write((store) => {
      for (const name of STORES) store(name).delete(id);
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
    const { store, transaction } = this.#begin('readwrite');
    store('answers').delete(call);
    transaction.commit();
  }

  /** A page and a worker end all the time, and a scaled clock goes on nevertheless: it follows the wall clock. */
  loadUptime = (): Promise<number> => Promise.resolve(Date.now());
  saveUptime = (): Promise<void> => Promise.resolve();

  #begin(mode: IDBTransactionMode): { transaction: IDBTransaction; store: Opened } {
    if (this.#database === null) throw new Error(`The database ${this.name} is not open.`);
    const transaction = this.#database.transaction(STORES, mode);
    return { transaction, store: (name) => transaction.objectStore(name) };
  }

  #read<T>(name: StoreName, id: string): Promise<T | undefined> {
    return resultOf(this.#begin('readonly').store(name).get(id) as IDBRequest<T | undefined>);
  }

  async #all<T>(name: StoreName): Promise<Map<string, T>> {
    const store = this.#begin('readonly').store(name);
    const [ids, found] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
    return new Map(ids.map((id, n) => [id as string, found[n] as T]));
  }

  /** Resolves when all of it is written; otherwise nothing is. */
  #write(change: (store: Opened) => void): Promise<void> {
    const { transaction, store } = this.#begin('readwrite');
    change(store);
    return new Promise((resolve, reject) => {
      transaction.oncomplete = (): void => resolve();
      transaction.onabort = (): void =>
        reject(transaction.error ?? new Error('The transaction was aborted.'));
    });
  }
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
    request.onsuccess = (): void => resolve(request.result);
    request.onerror = (): void => reject(request.error ?? new Error('The request failed.'));
  });
}

async function textOf(pieces: Pieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
