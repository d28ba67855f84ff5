import type { TextPieces, SaveDetails, StoredWorldId, StoredWorld, WorldStore } from '../saving/store.js';
import { deriveWorldName } from '../../core/keys.js';
import { lockDatabase, openDatabase, awaitRequest, awaitCommit } from './database.js';

const ENTRIES = 'entries';
/** The values of the database, by the first word of their keys: `['calls', id]`. */
interface StoredKinds {
  document: string;
  calls: string;
  saving: SaveDetails;
  /** By its mark. */
  answer: KeptAnswer;
}
type StoredKind = keyof StoredKinds;

/** The beginning of a document, with everything before its state. */
const HEAD_LENGTH = 16 * 1024;

/** An answer as it is saved; status 0 if it was lost. */
export interface KeptAnswer {
  /** The identifier of the call. Equal calls of one page have the same. */
  readonly call: string;
  readonly at: number;
  readonly status: number;
  readonly headers: [string, string][];
  readonly text: string;
}

/** Worlds in a database of the browser. */
export class DatabaseStore implements WorldStore {
  /** By their marks, the answers to save with the next world, and those to delete. */
  readonly answers = new Map<string, KeptAnswer | null>();
  /** Called when somebody has deleted the database, and with it perhaps the saved worlds. */
  lost = (): void => {};
  #database: Promise<IDBDatabase> | null = null;
  #unlock = (): void => {};

  constructor(readonly name: string) {}

  idOf(key: string): string {
    return `${deriveWorldName(key)}-${key}`;
  }

  /** Two pages with the same worlds in memory would overwrite each other's, so only one of them has the database. */
  async lock(): Promise<void> {
    this.#unlock = await lockDatabase(this.name);
    await this.#opened().catch((error: unknown) => {
      this.#unlock();
      throw error;
    });
  }

  release(): void {
    void this.#database?.then((database) => database.close());
    this.#unlock();
  }

  async list(): Promise<readonly StoredWorldId[]> {
    return Array.from(await this.#all('saving'), ([id, { due }]) => ({ id, due }));
  }

  async load(id: string): Promise<StoredWorld | null> {
    const [document, calls, usedAt] = await Promise.all([
      this.#read('document', id),
      this.#read('calls', id),
      this.usedAt(id),
    ]);
    if (document === undefined) return null;
    const name = `the world ${id} of the database ${this.name}`;
    try {
      return { place: name, document: JSON.parse(document), calls: JSON.parse(calls ?? 'null'), usedAt };
    } catch (cause) {
      throw new Error(`${name}: ${String(cause)}`, { cause });
    }
  }

  async usedAt(id: string): Promise<number> {
    return (await this.#read('saving', id))?.usedAt ?? 0;
  }

  async peek(id: string): Promise<string | null> {
    return (await this.#read('document', id))?.slice(0, HEAD_LENGTH) ?? null;
  }

  async save(id: string, document: TextPieces, saving: SaveDetails, calls?: TextPieces): Promise<void> {
    const text = await joinText(document);
    const callsText = calls === undefined ? null : await joinText(calls);
    await this.#write((entries) => {
      entries.put(text, ['document', id]);
      entries.put(saving, ['saving', id]);
      if (callsText !== null) entries.put(callsText, ['calls', id]);
      for (const [mark, answer] of this.answers) {
        if (answer === null) entries.delete(['answer', mark]);
        else entries.put(answer, ['answer', mark]);
        if (answer === null) this.answers.delete(mark);
      }
    });
  }

  async saveCalls(id: string, calls: TextPieces): Promise<void> {
    const text = await joinText(calls);
    await this.#write((entries) => entries.put(text, ['calls', id]));
  }

  remove(id: string): Promise<void> {
    return this.#write((entries) => {
      for (const kind of ['document', 'calls', 'saving']) entries.delete([kind, id]);
    });
  }

  /** By their marks, the answers that earlier workers saved. */
  keptAnswers(): Promise<Map<string, KeptAnswer>> {
    return this.#all('answer');
  }

  /** A page and a worker end all the time, and a scaled clock goes on nevertheless: it follows the wall clock. */
  loadUptime = (): Promise<number> => Promise.resolve(Date.now());
  saveUptime = (): Promise<void> => Promise.resolve();

  /** The database, which is opened again after somebody deleted, upgraded or cleared it. */
  #opened(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(this.name, ENTRIES, () => {
      this.#database = null;
      this.lost();
    }).catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }

  async #entries(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.#opened()).transaction(ENTRIES, mode).objectStore(ENTRIES);
  }

  /** Resolves when all of a change is written; otherwise nothing is. */
  async #write(change: (entries: IDBObjectStore) => void): Promise<void> {
    const entries = await this.#entries('readwrite');
    const database = this.#database;
    change(entries);
    await awaitCommit(entries.transaction).catch((error: unknown) => {
      if (this.#database === database) throw error;
      return this.#write(change);
    });
  }

  async #read<K extends StoredKind>(kind: K, id: string): Promise<StoredKinds[K] | undefined> {
    const entries = await this.#entries('readonly');
    return awaitRequest(entries.get([kind, id]) as IDBRequest<StoredKinds[K] | undefined>);
  }

  async #all<K extends StoredKind>(kind: K): Promise<Map<string, StoredKinds[K]>> {
    const entries = await this.#entries('readonly');
    const of = IDBKeyRange.bound([kind], [kind, []]);
    const [keys, found] = await Promise.all([
      awaitRequest(entries.getAllKeys(of)),
      awaitRequest(entries.getAll(of)),
    ]);
    return new Map(keys.map((key, n) => [(key as string[])[1] ?? '', found[n] as StoredKinds[K]]));
  }
}

async function joinText(pieces: TextPieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
