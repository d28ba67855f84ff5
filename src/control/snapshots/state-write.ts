import type { Batch } from '../../batches/record.js';
import { before } from '../../core/jobs.js';
import type { Source } from '../../payment-methods/record.js';
import type { Rows } from '../../core/store.js';
import { TABLE_OF_JOB } from '../../records.js';
import type { Snapshot } from '../../snapshot.js';
import { SCENARIO_TIMELINE } from '../../scenarios/timeline.js';
import { givenIds } from './state-ids.js';
import { stateHead } from './state-head.js';
import { placeWritten, type Reference } from './state-places.js';
import { batch, PLAIN_TABLES, recordShapes, type StoredBatch } from './state-records.js';
import { stateScript } from './state-script.js';
import { misfit, type Shape } from './state-shape.js';
import { source } from './state-sources.js';
import { TABLE_ROWS } from '../records/tables.js';

export const STATE_FORMAT = 'playmoney-state';
/** The version that is written, and the newest that is read. */
export const STATE_VERSION = 1;
const NOTE =
  'Holds the whole card numbers of the vault, of unused tokens, and those that the scenario and queued outcomes match, and what providers and webhooks authenticate with. Instants are milliseconds since 1970; records name each other by their places in the lists, from 0.';

/** Items of a list in one piece of the text: about a millisecond of work. */
const PIECE_ITEMS = 1000;

/** Which kinds of jobs a document holds. */
export const STATE_JOBS: readonly string[] = [...Object.keys(TABLE_OF_JOB), SCENARIO_TIMELINE];

/** The JSON text of a world, in pieces. */
export function* writeState(snapshot: Snapshot): Generator<string, void> {
  const head = stateHead.write({
    note: NOTE,
    seed: snapshot.settings.seed,
    settings: snapshot.settings,
    clock: snapshot.clock,
    rate: snapshot.rate,
    chance: {
      base: snapshot.base,
      counts: snapshot.counts.map(([name, count]) => ({ name, count })),
    },
  });
  const sources = new SourceList();
  const reference = placeWritten(snapshot);
  const shapes = recordShapes(sources, reference);
  yield JSON.stringify({ Format: STATE_FORMAT, Version: STATE_VERSION, ...(head as object) }).slice(0, -1);
  for (const table of PLAIN_TABLES) {
    const shape = shapes[table] as Shape<unknown>;
    yield* listed(TABLE_ROWS[table].counted, snapshot[table] as Rows<unknown>, shape.write);
  }
  yield* listed('Batches', snapshot.batches, (one) => batch.write(storedBatch(one)), 1);
  const ids = givenIds.write(snapshot.givenIds);
  if (ids !== undefined) yield `,"GivenIds":${JSON.stringify(ids)}`;
  yield* listed('Jobs', listOf(jobsOf(snapshot, reference)), (job) => job);
  if (snapshot.script !== null) yield `,"Script":${JSON.stringify(stateScript.write(snapshot.script))}`;
  // Sources come last: the records before say which there are.
  yield* listed('Sources', listOf(sources.found), source.write);
  yield '}';
}

interface Listed<R> {
  readonly length: number;
  at(n: number): R | undefined;
}

function listOf<R>(items: readonly R[]): Listed<R> {
  return { length: items.length, at: (n) => items[n] };
}

/** A member with a list of items, in pieces; a removed record is null, so that the others keep their places. */
function* listed<R>(
  name: string,
  items: Rows<R> | Listed<R>,
  write: (item: R) => unknown,
  pieceItems = PIECE_ITEMS,
): Generator<string, void> {
  yield `,"${name}":[`;
  for (let from = 0; from < items.length; from += pieceItems) {
    const to = Math.min(items.length, from + pieceItems);
    let piece = '';
    for (let n = from; n < to; n++) {
      const item = items.at(n);
      piece += `${n === 0 ? '' : ','}${item === undefined ? 'null' : JSON.stringify(write(item))}`;
    }
    yield piece;
  }
  yield ']';
}

function jobsOf({ jobs }: Snapshot, reference: Reference): object[] {
  const kept = jobs.heap.filter(({ kind }) => STATE_JOBS.includes(kind));
  kept.sort((a, b) => (before(a, b) ? -1 : 1));
  return kept.map(({ due, kind, ref }) => {
    const table = TABLE_OF_JOB[kind];
    return { Due: due, Kind: kind, Ref: table === undefined ? Number(ref) : reference(table).write(ref) };
  });
}

/** The sources that records have, each once, whether records share them or have equal ones. */
class SourceList implements Shape<Source> {
  readonly found: Source[] = [];
  readonly #places = new Map<Source | string, number>();

  readonly read = (): Source => misfit('is only written here');

  readonly write = (given: Source): number => {
    const known = this.#places.get(given);
    if (known !== undefined) return known;
    const said = JSON.stringify(source.write(given));
    const place = this.#places.get(said) ?? this.found.push(given) - 1;
    this.#places.set(given, place);
    this.#places.set(said, place);
    return place;
  };
}

function storedBatch({ rows, ...rest }: Batch): StoredBatch {
  const { text, outcome, charge, failures } = rows;
  return {
    ...rest,
    text,
    outcome: bytesOf(outcome.subarray(0, rest.done), 2),
    charge: bytesOf(charge.subarray(0, rest.done), 4),
    failures,
  };
}

function bytesOf(numbers: Uint16Array | Uint32Array, width: 2 | 4): Uint8Array {
  const bytes = new Uint8Array(numbers.length * width);
  let at = 0;
  for (const number of numbers)
    for (let bits = 0; bits < 8 * width; bits += 8) bytes[at++] = (number >>> bits) & 0xff;
  return bytes;
}
