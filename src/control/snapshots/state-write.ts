import { maskSecrets } from '../../core/text/secrets.js';
import type { Rows } from '../../core/store/store.js';
import { type Source, sourceCodec } from '../../records/payment-method.js';
import { KINDS, type TableName } from '../../world/tables.js';
import { toDefinition } from '../../scenarios/file/definition.js';
import { type Snapshot, takeSnapshot } from '../../world/snapshot.js';
import { VERSION } from '../../core/version.js';
import type { World } from '../../world/world.js';
import {
  BUNDLE_FORMAT,
  BUNDLE_NUMBERS,
  BUNDLE_VERSION,
  TRACE_FIELD,
  writeWorldTrace,
} from '../journal/trace.js';
import { STATE } from '../opening/file-format.js';
import { recordCodecWithRows } from './state-batch.js';
import { stateHeadCodec, writeGivenIds } from './state-head.js';
import { writeJobs } from './state-jobs.js';
import { buildWriteLinks } from './state-links.js';
import { scriptCodec } from './state-script.js';

const STATE_NOTE =
  'Holds the full card numbers of the vault, of unused tokens, and those that the scenario and queued outcomes match, and what providers and webhooks authenticate with. Instants are milliseconds since 1970; records name each other by their places in the lists, from 0.';

/** Items of a list in one piece of the text: about a millisecond of work. */
const PIECE_ITEMS = 1000;

export const STATE_TABLES: readonly TableName[] = [
  'customers',
  'vault',
  'paymentMethods',
  'webhookSubscriptions',
  'deliveries',
  'tokens',
  'charges',
  'providers',
  'subscriptions',
  'paymentLinks',
  'transfers',
  'authentications',
  'checkouts',
  'batches',
];

type FormatJson = (value: unknown) => string;

/** The JSON text of a world, in pieces. `format` may hide what somebody else should not see. */
export function* writeState(
  snapshot: Snapshot,
  format: FormatJson = JSON.stringify,
): Generator<string, void> {
  const head = stateHeadCodec.write({
    note: STATE_NOTE,
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
  const links = buildWriteLinks(snapshot, sources.placeOf);
  yield format({ Format: STATE.format, Version: STATE.version, ...(head as object) }).slice(0, -1);
  for (const table of STATE_TABLES) {
    const rows: Rows<object> = snapshot[table];
    // Most worlds have few kinds of records, and to make a codec takes longer than to write a record.
    const write = rows.length === 0 ? () => null : recordCodecWithRows(table, links).write;
    const formatRow = (row: object): string => format(write(row));
    yield* writeList(KINDS[table].counted, rows, formatRow, table === 'batches' ? 1 : PIECE_ITEMS);
  }
  const ids = writeGivenIds(snapshot.givenIds);
  if (ids !== undefined) yield `,"GivenIds":${JSON.stringify(ids)}`;
  yield* writeList('Jobs', writeJobs(snapshot, links), format);
  if (snapshot.script !== null) yield `,"Script":${format(scriptCodec.write(snapshot.script))}`;
  // Sources come last: they are collected while the records are written.
  yield* writeList('Sources', sources.found, (source) => format(sourceCodec.write(source)));
  yield '}';
}

/** A field with a list of items, in pieces. A removed record is null, so that the others keep their positions. */
function* writeList<R>(
  name: string,
  items: Rows<R>,
  write: (item: R) => string,
  pieceItems = PIECE_ITEMS,
): Generator<string, void> {
  yield `,"${name}":[`;
  for (let from = 0; from < items.length; from += pieceItems) {
    const to = Math.min(items.length, from + pieceItems);
    let piece = '';
    for (let n = from; n < to; n++) {
      const item = items.at(n);
      piece += `${n === 0 ? '' : ','}${item === undefined ? 'null' : write(item)}`;
    }
    yield piece;
  }
  yield ']';
}

/** The sources of all records, without duplicates. */
class SourceList {
  readonly found: Source[] = [];
  readonly #places = new Map<Source | string, number>();

  readonly placeOf = (given: Source): number => {
    const known = this.#places.get(given);
    if (known !== undefined) return known;
    const json = JSON.stringify(sourceCodec.write(given));
    const place = this.#places.get(json) ?? this.found.push(given) - 1;
    this.#places.set(given, place);
    this.#places.set(json, place);
    return place;
  };
}

/**
 * A world and its calls as one JSON document, in pieces, for a bug report. The state is the current one, however late the pieces
 * are read. `trace` replaces the calls of the journal.
 */
export function writeBundle(
  world: World,
  trace: Iterable<string> = writeWorldTrace(world),
  format: FormatJson = JSON.stringify,
): Generator<string, void, void> {
  const { settings, script, host } = world;
  const head = {
    Format: BUNDLE_FORMAT,
    Version: BUNDLE_VERSION,
    Note: `This file may contain ${BUNDLE_NUMBERS} It contains no keys.`,
    Server: { Playmoney: VERSION, Node: host.runtime },
    World: world.keyHash,
    Name: settings.name === null ? null : maskSecrets(settings.name),
    Seed: settings.seed,
    Dialect: settings.dialect,
    Scenario: script.scenario === null ? null : toDefinition(script.scenario),
  };
  const state = writeState(takeSnapshot(world), format);
  return joinBundle(`${format(head).slice(0, -1)},"State":`, state, trace);
}

function* joinBundle(
  head: string,
  state: Iterable<string>,
  trace: Iterable<string>,
): Generator<string, void, void> {
  yield head;
  yield* state;
  yield TRACE_FIELD;
  yield* trace;
  yield '}\n';
}
