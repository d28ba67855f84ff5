import { HAR_END, HAR_START, harEntry } from '../../control/journal/export.js';
import { presentAll } from '../../control/journal/presenter.js';
import { type Entry, JOURNAL_ENTRIES_MAX } from '../../journal/model.js';
import type { World } from '../../world.js';
import { replaceFile } from '../state/whole-file.js';

const JSON_FORMAT = 'playmoney-journal';
const JSON_VERSION = 1;
/** The maximum number of calls in the file. */
const KEPT_ENTRIES_MAX = 20_000;
/** How many calls may wait in a journal before they are collected: half of its capacity. */
const UNSEEN_MAX = JOURNAL_ENTRIES_MAX / 2;

interface KeptEntry {
  readonly world: string;
  readonly realAt: number;
  /** As JSON, in the format of the file. */
  readonly text: string;
}

/** Collects the calls of all worlds for a file, as HAR or JSON by its extension. */
export class JournalFile {
  readonly #isHar: boolean;
  readonly #entries: KeptEntry[] = [];
  /** Calls that were dropped for newer ones, or were gone before they were collected. */
  #lost = 0;
  readonly #nextEntry = new Map<string, number>();

  constructor(private readonly file: string) {
    this.#isHar = /\.har$/i.test(file);
  }

  /** Collects the calls of a world before its journal drops them. */
  keepUp(world: World): void {
    const unseen = world.journal.nextId - (this.#nextEntry.get(world.key) ?? 1);
    if (unseen >= UNSEEN_MAX) this.keep(world);
  }

  /** Collects the calls of a world since the last time. */
  keep(world: World): void {
    const { journal, key, keyHash } = world;
    const next = this.#nextEntry.get(key) ?? 1;
    const unseen = [...journal.entries()].filter(({ id }) => id >= next);
    this.#lost += Math.max(0, journal.nextId - next - unseen.length);
    this.#nextEntry.set(key, journal.nextId);
    for (const [n, shown] of this.#present(world, unseen).entries()) {
      this.#entries.push({ world: keyHash, realAt: unseen[n]?.realAt ?? 0, text: JSON.stringify(shown) });
    }
    const excess = Math.max(0, this.#entries.length - KEPT_ENTRIES_MAX);
    this.#entries.splice(0, excess);
    this.#lost += excess;
  }

  #present(world: World, entries: readonly Entry[]): readonly object[] {
    // HAR has no field for the world; names that begin with an underscore are free for such use.
    return this.#isHar
      ? entries.map((entry) => ({ ...harEntry(entry), _world: world.keyHash }))
      : presentAll(world, entries);
  }

  /** Replaces the file with the collected calls, the earliest first; rejects with a FileError. */
  async write(): Promise<void> {
    const inOrder = this.#entries.toSorted((one, other) => one.realAt - other.realAt);
    const har = `${HAR_START}\n${listOf(inOrder)}\n${HAR_END}\n`;
    const text = this.#isHar ? har : jsonOf(inOrder, this.#lost);
    await replaceFile(this.file, (write) => write(text));
  }
}

/** Groups the calls by world, since each world has its own numbers and clock. */
function jsonOf(entries: readonly KeptEntry[], lost: number): string {
  const head = JSON.stringify({ Format: JSON_FORMAT, Version: JSON_VERSION, Evicted: lost });
  const worlds = [...new Set(entries.map(({ world }) => world))].map((name) => {
    const own = entries.filter(({ world }) => world === name);
    return `{"World":${JSON.stringify(name)},"Entries":[\n${listOf(own)}\n]}`;
  });
  return `${head.slice(0, -1)},"Worlds":[${worlds.join(',')}]}\n`;
}

function listOf(entries: readonly KeptEntry[]): string {
  return entries.map(({ text }) => text).join(',\n');
}
