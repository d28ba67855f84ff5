import type { StoredCall } from '../../journal/entry.js';

/** A world as it was saved. */
export interface StoredWorld {
  /** Where it is, for messages. */
  readonly place: string;
  /** The document, as JSON that was read (document.ts). */
  readonly document: unknown;
  /** Where the calls are, unless they are in the same place. */
  readonly callsPlace?: string;
  /** The calls, as JSON that was read (calls.ts); null if none were saved. */
  readonly calls: unknown;
  /** When it was last called, by the wall clock. */
  readonly usedAt: number;
}

/** A saved world whose calls were read. */
export interface RestorableWorld extends StoredWorld {
  readonly calls: readonly StoredCall[];
}

/** A saved world in the list of a store, which reads no documents. */
export interface StoredWorldId {
  readonly id: string;
  /** When its next job is due at the earliest, by the wall clock; null if none is. */
  readonly due: number | null;
}

/** The times that are saved beside a document. */
export interface SaveDetails {
  readonly due: number | null;
  readonly usedAt: number;
}

/** A text in pieces. If it throws, what was saved before stays. */
export type TextPieces = AsyncIterable<string>;

/** Where worlds are saved, one document each. Rejects with an error for the user, such as that a disk is full. */
export interface WorldStore {
  /** The store in messages, such as the path of its folder. */
  readonly name: string;
  /** How to keep a world that cannot be read, as a sentence and a blank; by default nothing can be done. */
  readonly hint?: string;
  /** The identifier of the world of a key. It begins with the name of the world. */
  idOf(key: string): string;
  /** Reserves the store for this process until the process ends, and removes what a killed process left. Rejects if another has it. */
  lock(): Promise<void>;
  /** All saved worlds. Reads no documents, and changes nothing. */
  list(): Promise<readonly StoredWorldId[]>;
  /** Resolves with null if it is gone, as a file is that somebody has moved away. */
  load(id: string): Promise<StoredWorld | null>;
  /** When a world was last called, by the wall clock; null if it is gone. */
  usedAt(id: string): Promise<number | null>;
  /** The beginning of a document, with everything before its state; null if it is gone. */
  peek(id: string): Promise<string | null>;
  /** Saves a world whole or not at all, even if the process is killed; with its calls, if they are given. */
  save(id: string, document: TextPieces, saving: SaveDetails, calls?: TextPieces): Promise<void>;
  saveCalls(id: string, calls: TextPieces): Promise<void>;
  /** Removes a world, even one that cannot be read. */
  remove(id: string): Promise<void>;
  /** For how many milliseconds servers have run on this store, as was saved last. Scaled clocks stand still in between. */
  loadUptime(): Promise<number>;
  saveUptime(ms: number): Promise<void>;
}
