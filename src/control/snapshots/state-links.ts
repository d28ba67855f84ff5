import { type Codec, invalid, record, text } from '../../core/store/codec.js';
import type { SeedWords } from '../../core/ids/random.js';
import { LONG, recordIndex } from '../../core/store/field.js';
import type { Rows } from '../../core/store/store.js';
import { OUTCOMES } from '../../outcomes/outcomes.js';
import { type Source, sourceCodec, type SourceLinks } from '../../records/payment-method.js';
import { type AllGivenIds, buildIdLookup, KINDS, type TableName } from '../../world/tables.js';
import type { Snapshot } from '../../world/snapshot.js';

/** In a document records refer to each other by their positions in the lists; in a world, by identifier. */

const outcomeCodec = text(LONG, (value) => OUTCOMES.has(value), 'the name of an outcome');

const onlyRead = (): never => invalid('is only read here');
const onlyWritten = (): never => invalid('is only written here');

/** The identifier of the n-th record of each table: the same string object each time. */
export type IdLookup = (table: TableName, n: number) => string;

export function buildIdLookups(base: SeedWords, given: AllGivenIds): IdLookup {
  const tables = new Map<TableName, { readonly idAt: (n: number) => string; readonly ids: string[] }>();
  return (table, n) => {
    let known = tables.get(table);
    if (known === undefined)
      tables.set(table, (known = { idAt: buildIdLookup(table, base, given), ids: [] }));
    return (known.ids[n] ??= known.idAt(n));
  };
}

/** Reads references to records and sources. `countOf` is the length of a table's list, so a removed record can be referred to. */
export function buildReadLinks(
  idOf: IdLookup,
  countOf: (table: TableName) => number,
  sources: readonly Source[],
): SourceLinks {
  const referredIn = (table: TableName, value: unknown): string => {
    const place = recordIndex.read(value);
    const count = countOf(table);
    return place < count ? idOf(table, place) : invalid(`is ${place}, but there are ${count} ${table}`);
  };
  return {
    to: (table) => ({ read: (value) => referredIn(table as TableName, value), write: onlyRead }),
    source: {
      read: (value) =>
        sources[typeof value === 'number' ? value : -1] ??
        invalid('must be the position of a source in Sources'),
      write: onlyRead,
    },
    outcome: outcomeCodec,
  };
}

/** The tables in which the positions of records are looked up. */
type PlacedTables = Pick<Snapshot, TableName | 'base' | 'givenIds'>;

/** Writes references to records as positions, also for removed records, and sources with `writeSource`. */
export function buildWriteLinks(placed: PlacedTables, writeSource: (source: Source) => unknown): SourceLinks {
  const tables = new Map<string, ReadonlyMap<string, number>>();
  const placesIn = (table: TableName): ReadonlyMap<string, number> => {
    const rows: Rows<{ readonly id: string }> = placed[table];
    const idAt = buildIdLookup(table, placed.base, placed.givenIds);
    const places = new Map<string, number>();
    for (let n = 0; n < rows.length; n++) places.set(rows.at(n)?.id ?? idAt(n), n);
    tables.set(table, places);
    return places;
  };
  return {
    to: (table) => ({
      read: onlyWritten,
      write: (id) => (tables.get(table) ?? placesIn(table as TableName)).get(id),
    }),
    source: { read: onlyWritten, write: writeSource },
    outcome: outcomeCodec,
  };
}

/** Writes references to records as their identifiers, for people. */
export const readableLinks: SourceLinks = {
  to: () => ({ read: onlyWritten, write: (id) => id }),
  source: { read: onlyWritten, write: sourceCodec.write },
  outcome: outcomeCodec,
};

/** The codec of the records of a table, without their identifiers. */
export function recordCodec(table: TableName, links: SourceLinks): Codec<object> {
  return record(KINDS[table].fields(links)) as Codec<object>;
}
