/** A world as it was saved. */
export interface StoredWorld {
  /** Its location, for messages. */
  readonly place: string;
  /** The fields of its document (world-document.ts), without `Format` and `Version`, which the store has checked. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Where worlds are saved, one document each. Rejects with a FileError what the user can fix, such as a full disk. */
export interface WorldStore {
  /** Its name in messages. */
  readonly name: string;
  /** Reserves it for this process until the process ends, and removes what a killed process left. Rejects if another has it. */
  lock(): Promise<void>;
  /** All saved worlds, one for each key. Changes nothing. */
  load(): Promise<StoredWorld[]>;
  /** Saves the world of a key completely or not at all, even if the process is killed. If `document` throws, the old one stays. */
  save(key: string, document: AsyncIterable<string>): Promise<void>;
}
