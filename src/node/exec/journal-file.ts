import { buildHarEntry, writeHar } from '../../control/journal/export.js';
import { presentFullEntries } from '../../control/journal/presenter.js';
import type { Entry } from '../../journal/entry.js';
import type { World } from '../../world/world.js';
import { JOURNAL } from '../../control/opening/file-format.js';
import { replaceFile } from '../files/whole-file.js';
import { CallKeeper, KEPT_CALLS_MAX, type KeptCall, formatKeptCall } from './call-keeper.js';

interface KeptEntry extends KeptCall {
  readonly world: string;
  readonly realAt: number;
}

/** Collects the calls of all worlds for a file, as HAR or JSON by its extension. */
export class JournalFile extends CallKeeper {
  readonly #isHar: boolean;
  readonly #entries: KeptEntry[] = [];
  /** Calls that were dropped for newer ones, or were gone before they were collected. */
  #lost = 0;

  constructor(private readonly file: string) {
    super();
    this.#isHar = /\.har$/i.test(file);
  }

  protected override add(world: World, entries: readonly Entry[], lost: number): void {
    this.#lost += lost;
    const { keyHash, journal } = world;
    const shown = this.#present(world, entries);
    for (const [n, { id, realAt, isUndone }] of entries.entries()) {
      const text = JSON.stringify(shown[n]);
      this.#entries.push({ world: keyHash, realAt, id, branch: journal.branch, isUndone, text });
    }
    const excess = Math.max(0, this.#entries.length - KEPT_CALLS_MAX);
    this.#entries.splice(0, excess);
    this.#lost += excess;
  }

  #present(world: World, entries: readonly Entry[]): readonly object[] {
    // HAR has no fields for these; names that begin with an underscore are free for such use.
    if (this.#isHar) {
      return entries.map((entry) => ({ ...buildHarEntry(entry), _world: world.keyHash }));
    }
    return presentFullEntries(world, entries).map((shown, n) => ({
      ...shown,
      StandIns: entries[n]?.standIns ?? [],
      ...(entries[n]?.requestTruncated ? { RequestTruncated: true } : {}),
    }));
  }

  /** Replaces the file with the collected calls, the earliest first; rejects with a FileError. */
  async write(): Promise<void> {
    const inOrder = this.#entries.toSorted((one, other) => one.realAt - other.realAt);
    const pieces = this.#isHar
      ? writeHar(inOrder.map((call) => `\n${formatKeptCall(call, '_undone')}`))
      : [journalJson(inOrder, this.#lost)];
    await replaceFile(this.file, async (write) => {
      for (const piece of pieces) await write(piece);
      await write('\n');
    });
  }
}

/** Groups the calls by world, since each world has its own numbers and clock. */
function journalJson(entries: readonly KeptEntry[], lost: number): string {
  const head = JSON.stringify({ Format: JOURNAL.format, Version: JOURNAL.version, Evicted: lost });
  const worlds = [...new Set(entries.map(({ world }) => world))].map((name) => {
    const own = entries.filter(({ world }) => world === name);
    const lines = own.map((call) => `\n${formatKeptCall(call, 'Undone')}`);
    return `{"World":${JSON.stringify(name)},"Entries":[${lines.join(',')}\n]}`;
  });
  return `${head.slice(0, -1)},"Worlds":[${worlds.join(',')}]}`;
}
