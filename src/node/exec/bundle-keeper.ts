import { buildTraceHead, buildTraceEntry, writeTrace } from '../../control/journal/trace.js';
import type { writeBundle } from '../../control/snapshots/state-write.js';
import { formatCount } from '../../core/text/text.js';
import type { Journal } from '../../journal/journal.js';
import type { Entry } from '../../journal/entry.js';
import type { World } from '../../world/world.js';
import { formatLines, type Printable } from '../terminal/terminal.js';
import { NUMBERS_WARNING, describeOpening } from '../bundles/bundle-note.js';
import { CardNumberFinder } from '../bundles/card-numbers.js';
import { BUNDLES } from '../../control/opening/file-format.js';
import { JSON_FILE_BYTES_MAX } from '../files/json-file.js';
import { replaceFile, type WritePiece } from '../files/whole-file.js';
import { CallKeeper, KEPT_CALLS_MAX, type KeptCall, formatKeptCall } from './call-keeper.js';

/** The maximum number of worlds in the file. A world that was reset counts once for each of its lives. */
const WORLDS_MAX = 500;
const CALLS_LENGTH_MAX = 64 * 1024 * 1024;
/** The maximum number of records of worlds that were reset. */
const RECORDS_MAX = 200_000;

/** A world from its opening or a reset until the next reset. Each has its own journal, which a restore keeps. */
interface WorldLife {
  /** As trace entries in JSON, without the first `lost` ones. */
  readonly calls: KeptCall[];
  length: number;
  lost: number;
  /** The records of a world that was reset. */
  records: number;
  /** Null while the life continues. */
  document: Iterable<string> | null;
}

/** Collects all worlds of a run, also those that were reset, with all of their calls, for a file of bundles. */
export class BundleKeeper extends CallKeeper {
  /** In the order of their last calls. */
  readonly #lives = new Map<Journal, WorldLife>();
  #dropped = 0;

  constructor(
    private readonly file: string,
    private readonly write: typeof writeBundle,
  ) {
    super();
  }

  protected override add(world: World, entries: readonly Entry[], lost: number): void {
    const { journal } = world;
    const [first] = entries;
    if (first === undefined && lost === 0) return;
    // If the world was dropped before, its earlier calls are lost.
    const firstId = journal.oldestId - journal.evicted;
    const gone = first === undefined ? 0 : first.id - firstId - lost;
    const life = this.#lives.get(journal) ?? { calls: [], length: 0, lost: gone, records: 0, document: null };
    this.#lives.delete(journal);
    this.#lives.set(journal, life);
    const { branch } = journal;
    for (const entry of entries) {
      const text = JSON.stringify(buildTraceEntry(entry));
      life.calls.push({ id: entry.id, branch, isUndone: entry.isUndone, text });
      life.length += text.length;
    }
    life.lost += lost;
    this.#limit();
  }

  override end(world: World): void {
    this.keep(world);
    const life = this.#lives.get(world.journal);
    if (life === undefined) return;
    life.records = world.recordCount;
    life.document = this.write(world, writeLifeTrace(world, life));
    this.#limit();
  }

  /** Drops the least recently called worlds, then the first calls of the last one. */
  #limit(): void {
    for (const journal of this.#lives.keys()) {
      if (this.#lives.size === 1 || !this.#isOver()) break;
      if (this.#lives.get(journal)?.calls.length !== 0) this.#dropped++;
      this.#lives.delete(journal);
    }
    for (const last of this.#lives.values()) {
      while (this.#isOver()) {
        last.length -= last.calls.shift()?.text.length ?? 0;
        last.lost++;
      }
    }
  }

  #isOver(): boolean {
    const sum = { calls: 0, length: 0, records: 0 };
    for (const { calls, length, records } of this.#lives.values()) {
      sum.calls += calls.length;
      sum.length += length;
      sum.records += this.#lives.size === 1 ? 0 : records;
    }
    const isOver = sum.calls > KEPT_CALLS_MAX || sum.length > CALLS_LENGTH_MAX || sum.records > RECORDS_MAX;
    return isOver || this.#lives.size > WORLDS_MAX;
  }

  /** Writes the worlds that were called, and returns what to print. Rejects with a FileError. */
  async save(): Promise<Printable> {
    const lives = [...this.#lives.values()].filter(({ calls, lost }) => calls.length + lost > 0);
    if (lives.length === 0)
      return formatLines(['playmoney: --bundle: no call reached the server, so there is no bundle.']);
    let written = { bytes: 0, hasNumbers: false };
    const fill = async (write: WritePiece): Promise<void> => void (written = await writeLives(lives, write));
    await replaceFile(this.file, fill, JSON_FILE_BYTES_MAX);
    const calls = lives.reduce((sum, life) => sum + life.calls.length, 0);
    const dropped =
      this.#dropped === 0
        ? ''
        : ` Too many to keep: ${formatCount(this.#dropped, 'earlier world')} are not in it.`;
    return formatLines([
      `playmoney: ${this.file}: ${Math.ceil(written.bytes / 1024)} KiB, ${formatCount(calls, 'call')} of ${formatCount(lives.length, 'world')}.${dropped} ${describeOpening(this.file)}`,
      ...(written.hasNumbers ? [`  ${NUMBERS_WARNING}`] : []),
    ]);
  }
}

/** One world as a bundle, several as a file with bundles. */
async function writeLives(lives: readonly WorldLife[], write: WritePiece) {
  const isOne = lives.length === 1;
  const head = JSON.stringify({ Format: BUNDLES.format, Version: BUNDLES.version });
  if (!isOne) await write(`${head.slice(0, -1)},"Bundles":[`);
  let hasNumbers = false;
  for (const [n, { document }] of lives.entries()) {
    if (n > 0) await write(',');
    const numbers = new CardNumberFinder();
    for (const piece of document ?? []) {
      numbers.read(piece);
      await write(piece);
    }
    hasNumbers ||= numbers.isFound;
  }
  return { bytes: await write(isOne ? '' : ']}\n'), hasNumbers };
}

/** The calls of a life as a trace. Evaluated late, because calls can still be dropped before it is written. */
function* writeLifeTrace(world: World, life: WorldLife): Generator<string, void> {
  yield* writeTrace(
    buildTraceHead(world, life.lost),
    life.calls.map((call) => formatKeptCall(call, 'Undone')),
  );
}
