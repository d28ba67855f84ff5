import type { Rows } from '../../core/store.js';
import { indexRows } from '../../batches/csv.js';
import type { Batch } from '../../batches/record.js';
import { ApiError, CODE, refuse } from '../../core/errors.js';
import { sentence } from '../../core/sentence.js';
import type { Source } from '../../payment-methods/record.js';
import type { ConfiguredProvider } from '../../providers/record.js';
import { type AllRows, TABLE_OF_JOB, type TableName } from '../../records.js';
import type { Snapshot } from '../../snapshot.js';
import type { WorldSettings } from '../../world.js';
import { kindOf } from '../../http/field.js';
import { checkState } from './state-check.js';
import { checkIds, givenIds } from './state-ids.js';
import { stateHead, type StoredJob, storedJob } from './state-head.js';
import { type IdOf, identifiersOf, placeRead } from './state-places.js';
import { batch, PLAIN_TABLES, type PlainTable, recordShapes, type StoredBatch } from './state-records.js';
import { stateScript } from './state-script.js';
import { isPlainObject, list, Misfit, misfit, orNull, type Shape, within } from './state-shape.js';
import { source } from './state-sources.js';
import { STATE_FORMAT, STATE_JOBS, STATE_VERSION } from './state-write.js';
import { TABLE_ROWS } from '../records/tables.js';

/** Records read between two turns of the event loop. */
const TURN_RECORDS = 2000;

/** Lets other work of the event loop run. */
type Pause = () => Promise<void>;

/**
 * Reads a document that `writeState` made into a snapshot. Anything else is refused whole: 400 with code 90 that
 * names the place. Of the settings, what belongs to the server (limits, where its clocks begin) stays.
 */
export async function readState(document: unknown, settings: WorldSettings, pause: Pause): Promise<Snapshot> {
  try {
    return await readDocument(document, settings, pause);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const place = error.path.join('.') || 'body';
    return refuse(CODE.ValidationError, sentence(`The document is not taken: ${place} ${error.message}`), {
      details: { [place]: error.message },
    });
  }
}

async function readDocument(document: unknown, settings: WorldSettings, pause: Pause): Promise<Snapshot> {
  const sections = sectionsOf(document);
  const { Sources, Batches, Jobs, Script, GivenIds, ...others } = sections;
  const countOf = (table: TableName): number => {
    const items = sections[TABLE_ROWS[table].counted];
    return Array.isArray(items) ? items.length : Infinity;
  };
  const head = early(() => stateHead.read(headOf(others)));
  const given = early(() => within('GivenIds', givenIds.read, GivenIds));
  const ids = early(() => checkIds(given.inTurn(), countOf));
  const idOf = identifiersOf(head.value?.chance.base ?? [0, 0, 0, 0], ids.value ?? {});
  const sources = within('Sources', list(source).read, Sources);
  const shapes = recordShapes(sourceIn(sources), placeRead(idOf));
  const tables: Partial<Record<PlainTable, Rows<unknown>>> = {};
  for (const table of PLAIN_TABLES) {
    const shape = shapes[table] as Shape<object>;
    const value = others[TABLE_ROWS[table].counted];
    tables[table] = await readTable(table, value, shape, idOf, settings.recordsMax, pause);
  }
  const batches = readBatches(Batches, idOf, settings.recordsMax);
  const jobs = within('Jobs', list(storedJob(STATE_JOBS)).read, Jobs);
  const script = within('Script', orNull(stateScript).read, Script);
  given.inTurn();
  const { seed, settings: said, chance, clock, rate } = head.inTurn();
  const state = { ...(tables as Omit<AllRows, 'batches'>), batches, clock, script };
  checkState(sections, state, jobs);
  return {
    ...state,
    settings: { ...settings, seed, ...said },
    base: chance.base,
    givenIds: ids.inTurn(),
    counts: chance.counts.map(({ name, count }) => [name, count]),
    rate,
    jobs: { next: jobs.length, heap: jobs.map((job, seq) => ({ ...job, ref: refOf(job, idOf), seq })) },
  };
}

function refOf({ kind, ref }: StoredJob, idOf: IdOf): string {
  const table = TABLE_OF_JOB[kind];
  return table === undefined ? String(ref) : idOf(table, ref);
}

/** What is read before its turn, since other parts need it; what does not fit is refused in its turn. */
interface Early<T> {
  readonly value: T | undefined;
  inTurn(): T;
}

function early<T>(read: () => T): Early<T> {
  try {
    const value = read();
    return { value, inTurn: () => value };
  } catch (error) {
    const inTurn = (): never => {
      throw error;
    };
    return { value: undefined, inTurn };
  }
}

/** What stands beside the lists of records. */
function headOf(others: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const head = { ...others };
  for (const table of PLAIN_TABLES) delete head[TABLE_ROWS[table].counted];
  return head;
}

/** The members below the format's own, which say whether the rest can be read at all. */
function sectionsOf(document: unknown): Record<string, unknown> {
  if (!isPlainObject(document)) return misfit(`must be an object, not ${kindOf(document)}`);
  const { Format, Version, ...sections } = document;
  if (Format !== STATE_FORMAT) within('Format', () => misfit(`must be ${STATE_FORMAT}`), Format);
  within(
    'Version',
    () => {
      if (typeof Version === 'number' && Number.isInteger(Version) && Version > STATE_VERSION)
        misfit(`is ${Version}, which is newer than this program; it reads ${STATE_VERSION}`);
      if (Version !== STATE_VERSION) misfit(`must be ${STATE_VERSION}`);
    },
    Version,
  );
  return sections;
}

function sourceIn(sources: readonly Source[]): Shape<Source> {
  return {
    read: (value) =>
      sources[typeof value === 'number' ? value : -1] ?? misfit('must be the place of a source in Sources'),
    write: () => misfit('is only read here'),
  };
}

function itemsOf(value: unknown, max: number): readonly unknown[] {
  if (!Array.isArray(value)) return misfit(`must be a list, not ${kindOf(value)}`);
  if (value.length > max) misfit(`has ${value.length} records, this sandbox takes at most ${max}`);
  return value;
}

async function readTable(
  table: PlainTable,
  value: unknown,
  shape: Shape<object>,
  idOf: IdOf,
  max: number,
  pause: Pause,
): Promise<Rows<unknown>> {
  const { counted: name, forgets = false } = TABLE_ROWS[table];
  const items = within(name, (given) => itemsOf(given, max), value);
  const rows: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (index % TURN_RECORDS === TURN_RECORDS - 1) await pause();
    if (item === null && forgets) rows.push(undefined);
    else {
      const read = within(name, (given) => within(index, shape.read, given), item);
      const id = table === 'providers' ? (read as ConfiguredProvider).providerId : idOf(table, index);
      rows.push({ id, index, ...read });
    }
  }
  return rows;
}

function readBatches(value: unknown, idOf: IdOf, max: number): Rows<Batch> {
  const items = within('Batches', (given) => itemsOf(given, max), value);
  const rows: Batch[] = [];
  for (const [index, item] of items.entries()) {
    const stored = within('Batches', (given) => within(index, batch.read, given), item);
    try {
      rows.push({ id: idOf('batches', index), index, ...wholeBatch(stored) });
    } catch (error) {
      // The text is checked as that of a new batch is, and refused in its words.
      const reason = error instanceof ApiError ? new Misfit(`is not taken: ${error.refusal.detail}`) : error;
      if (reason instanceof Misfit) reason.path.unshift('Batches', index);
      throw reason;
    }
  }
  return rows;
}

function wholeBatch(stored: StoredBatch): Omit<Batch, 'id' | 'index'> {
  const { text, outcome, charge, failures, ...rest } = stored;
  const { count, done } = rest;
  if (done > count) misfit(`has Done ${done}, which is more than its Count ${count}`);
  const rows = {
    text,
    starts: indexRows(text, count),
    outcome: new Uint16Array(count),
    charge: new Uint32Array(count),
    failures: [...failures],
  };
  within('Outcome', () => fill(rows.outcome, outcome, 2, done), outcome);
  within('Charge', () => fill(rows.charge, charge, 4, done), charge);
  return { ...rest, rows };
}

function fill(numbers: Uint16Array | Uint32Array, bytes: Uint8Array, width: 2 | 4, done: number): void {
  if (bytes.length !== done * width)
    misfit(`has ${bytes.length} bytes, ${done * width} are due for ${done} rows`);
  for (let row = 0; row < done; row++) {
    let value = 0;
    for (let byte = width - 1; byte >= 0; byte--) value = value * 256 + (bytes[row * width + byte] ?? 0);
    numbers[row] = value;
  }
}
