import type { TextPieces, SaveDetails, StoredWorld, WorldStore } from '../../../src/app/saving/store.js';
import { deriveWorldName } from '../../../src/core/keys.js';

/** A store in memory, as another project may make one. */
export class MemoryStore implements WorldStore {
  readonly name = 'memory';
  /** By identifier. */
  readonly documents = new Map<string, string>();
  readonly calls = new Map<string, string>();
  readonly savings = new Map<string, SaveDetails>();
  uptime = 0;
  /** How often worlds were saved. */
  saves = 0;
  fault: Error | null = null;
  readonly #loads = new Map<string, number>();

  idOf = (key: string): string => `${deriveWorldName(key)}-${key}`;

  /** The document of a key. */
  of(key: string): string | undefined {
    return this.documents.get(this.idOf(key));
  }

  get keys(): string[] {
    return [...this.documents.keys()].map((id) => id.slice(13));
  }

  /** How often the world of a key was loaded. */
  loadsOf(key: string): number {
    return this.#loads.get(this.idOf(key)) ?? 0;
  }

  lock = (): Promise<void> => Promise.resolve();

  async list(): Promise<{ id: string; due: number | null }[]> {
    return [...this.documents.keys()].map((id) => ({ id, due: this.savings.get(id)?.due ?? null }));
  }

  async load(id: string): Promise<StoredWorld | null> {
    const document = this.documents.get(id);
    if (document === undefined) return null;
    this.#loads.set(id, (this.#loads.get(id) ?? 0) + 1);
    const calls = this.calls.get(id);
    return {
      place: id,
      document: JSON.parse(document),
      calls: calls === undefined ? null : JSON.parse(calls),
      usedAt: this.savings.get(id)?.usedAt ?? 0,
    };
  }

  async usedAt(id: string): Promise<number | null> {
    return this.savings.get(id)?.usedAt ?? null;
  }

  async peek(id: string): Promise<string | null> {
    return this.documents.get(id) ?? null;
  }

  save = async (id: string, document: TextPieces, saving: SaveDetails): Promise<void> => {
    if (this.fault !== null) throw this.fault;
    this.documents.set(id, await textOf(document));
    this.savings.set(id, saving);
    this.saves++;
  };

  async saveCalls(id: string, calls: TextPieces): Promise<void> {
    this.calls.set(id, await textOf(calls));
  }

  async remove(id: string): Promise<void> {
    for (const map of [this.documents, this.calls, this.savings]) map.delete(id);
  }

  loadUptime = (): Promise<number> => Promise.resolve(this.uptime);

  async saveUptime(ms: number): Promise<void> {
    this.uptime = ms;
  }
}

async function textOf(pieces: TextPieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
