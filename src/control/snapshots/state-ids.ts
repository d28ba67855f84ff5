import { type AllGivenIds, type TableName, TABLES } from '../../records.js';
import type { IdEntry } from '../../core/record-ids.js';
import { isPlainObject, list, misfit, record, type Shape, text, whole, within } from './state-shape.js';
import { TABLE_ROWS } from '../records/tables.js';

/** How the identifiers that somebody chose stand in a document; all others are made from its Chance. */

interface StoredId {
  /** The place of the record in its list. */
  readonly place: number;
  readonly id: string;
}

const storedIds = list(
  record<StoredId>({
    place: whole(0, 0xffff_ffff),
    id: text(32, (value) => /^[\da-f]{32}$/.test(value), '32 hexadecimal digits in small letters'),
  }),
);

const TABLE_OF_COUNTED: ReadonlyMap<string, TableName> = new Map(
  TABLES.map((table) => [TABLE_ROWS[table].counted, table]),
);

/** The member GivenIds: a list for each table that has some, left out when none has. */
export const givenIds: Shape<AllGivenIds> = {
  read(value) {
    if (value === undefined) return {};
    if (!isPlainObject(value)) return misfit('must be an object of lists');
    const read = Object.entries(value).map(([name, ids]) =>
      within(name, (given) => readTable(name, given), ids),
    );
    return Object.fromEntries(read);
  },
  write(given) {
    const written = TABLES.flatMap((table) => {
      const ids = given[table]?.map(([place, id]) => ({ place, id })) ?? [];
      return ids.length === 0 ? [] : [[TABLE_ROWS[table].counted, storedIds.write(ids)]];
    });
    return written.length === 0 ? undefined : Object.fromEntries(written);
  },
};

function readTable(name: string, value: unknown): [TableName, [number, string][]] {
  const table = TABLE_OF_COUNTED.get(name);
  if (table === undefined) return misfit(`must be one of ${[...TABLE_OF_COUNTED.keys()].join(', ')}`);
  return [table, storedIds.read(value).map(({ place, id }) => [place, id])];
}

/** The given identifiers, unless two are alike or one is of a record that never was. */
export function checkIds(given: AllGivenIds, countOf: (table: TableName) => number): AllGivenIds {
  for (const table of TABLES) {
    const seen = new Set<number | string>();
    const count = countOf(table);
    const check = ([place, id]: IdEntry): void => {
      if (place >= count) misfit(`has the Place ${place}, but there are ${count} records`);
      if (seen.has(place) || seen.has(id)) misfit('has the Place or the Id of another one');
      seen.add(place).add(id);
    };
    const { counted } = TABLE_ROWS[table];
    for (const [n, entry] of (given[table] ?? []).entries()) {
      within('GivenIds', () => within(counted, () => within(n, () => check(entry), n), n), n);
    }
  }
  return given;
}
