import type { Rows } from '../../core/store.js';
import { type AllGivenIds, identifierIn, type TableName } from '../../records.js';
import type { Snapshot } from '../../snapshot.js';
import type { Words } from '../../core/random.js';
import { recordNumber } from './state-members.js';
import { misfit, type Shape } from './state-shape.js';

/** In a document records name each other by their places in the lists; in a world, by their identifiers. */
export type Reference = (table: TableName) => Shape<string>;

/** The identifier of the n-th record of each table, one string however often it is asked for. */
export type IdOf = (table: TableName, n: number) => string;

export function identifiersOf(base: Words, given: AllGivenIds): IdOf {
  const tables = new Map<TableName, { readonly idAt: (n: number) => string; readonly ids: string[] }>();
  return (table, n) => {
    let known = tables.get(table);
    if (known === undefined) tables.set(table, (known = { idAt: identifierIn(table, base, given), ids: [] }));
    return (known.ids[n] ??= known.idAt(n));
  };
}

/** Reads the place of a record; that it is, or was, in its list is checked with the whole document. */
export function placeRead(idOf: IdOf): Reference {
  return (table) => ({
    read: (value) => idOf(table, recordNumber.read(value)),
    write: () => misfit('is only read here'),
  });
}

/** What the places of records are found in. */
export type Placed = Pick<Snapshot, TableName | 'base' | 'givenIds'>;

/** Writes the place of a record, also of one that was removed. */
export function placeWritten(placed: Placed): Reference {
  const tables = new Map<TableName, ReadonlyMap<string, number>>();
  const placesIn = (table: TableName): ReadonlyMap<string, number> => {
    const rows: Rows<{ readonly id: string }> = placed[table];
    const idAt = identifierIn(table, placed.base, placed.givenIds);
    const places = new Map<string, number>();
    for (let n = 0; n < rows.length; n++) places.set(rows.at(n)?.id ?? idAt(n), n);
    tables.set(table, places);
    return places;
  };
  return (table) => ({
    read: () => misfit('is only written here'),
    write: (id) => (tables.get(table) ?? placesIn(table)).get(id),
  });
}
