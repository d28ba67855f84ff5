import { type Codec, invalid, invalidAt, list, record, within } from '../../core/codec.js';
import { hexId, recordIndex } from '../../core/record-fields.js';
import type { IdEntry } from '../../core/record-ids.js';
import { isObject } from '../../core/text.js';
import { type AllGivenIds, KINDS, type TableName, TABLES } from '../../records.js';

/** The identifiers that somebody chose, each with the place of its record; all others are made from Chance. */
const storedIds = list(record({ place: recordIndex, id: hexId }));

const TABLE_OF_COUNTED: ReadonlyMap<string, TableName> = new Map(
  TABLES.map((table) => [KINDS[table].counted, table]),
);

/** The field GivenIds: a list for each table that has some, left out when none has. */
export const givenIds: Codec<AllGivenIds> = {
  read(value) {
    if (value === undefined) return {};
    if (!isObject(value)) return invalid('must be an object of lists');
    const read = Object.entries(value).map(([name, ids]) =>
      within(name, (given) => readTable(name, given), ids),
    );
    return Object.fromEntries(read);
  },
  write(given) {
    const written = TABLES.flatMap((table) => {
      const ids = given[table]?.map(([place, id]) => ({ place, id })) ?? [];
      return ids.length === 0 ? [] : [[KINDS[table].counted, storedIds.write(ids)]];
    });
    return written.length === 0 ? undefined : Object.fromEntries(written);
  },
};

function readTable(name: string, value: unknown): [TableName, IdEntry[]] {
  const table = TABLE_OF_COUNTED.get(name);
  if (table === undefined) return invalid(`must be one of ${[...TABLE_OF_COUNTED.keys()].join(', ')}`);
  return [table, storedIds.read(value).map(({ place, id }) => [place, id])];
}

/** The given identifiers, unless two are alike or one is of a record that never was. */
export function checkIds(given: AllGivenIds, countOf: (table: TableName) => number): AllGivenIds {
  for (const table of TABLES) {
    const seen = new Set<number | string>();
    const count = countOf(table);
    for (const [n, [place, id]] of (given[table] ?? []).entries()) {
      const path = ['GivenIds', KINDS[table].counted, n];
      if (place >= count) invalidAt(path, `has the Place ${place}, but there are ${count} records`);
      if (seen.has(place) || seen.has(id)) invalidAt(path, 'has the Place or the Id of another one');
      seen.add(place).add(id);
    }
  }
  return given;
}
