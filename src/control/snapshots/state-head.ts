import { LAST_INSTANT, RATE_MAX } from '../../core/clock.js';
import {
  checked,
  type Codec,
  invalid,
  invalidAt,
  list,
  number,
  orNull,
  record,
  text,
  type ValueOf,
  whole,
  within,
  word,
} from '../../core/codec.js';
import type { Words } from '../../core/random.js';
import { anyText, count, COUNT_MAX, hexId, instant, recordIndex } from '../../core/record-fields.js';
import type { IdEntry } from '../../core/record-ids.js';
import { isObject } from '../../core/text.js';
import { DURATION_MAX_MS } from '../../core/time.js';
import { type AllGivenIds, KINDS, type TableName, TABLES } from '../../records.js';
import { SEED_LENGTH_MAX } from '../schema.js';

const ttl = whole(0, DURATION_MAX_MS);

const words: Codec<Words> = {
  read: (value) => {
    const read = Array.isArray(value) ? value.map(recordIndex.read) : [];
    return read.length === 4 ? (read as unknown as Words) : invalid('must be a list of four whole numbers');
  },
  write: (value) => value,
};

const clock = record({
  instant: whole(0, LAST_INSTANT),
  mode: word('real', 'manual', 'scaled'),
  rate: number(0, RATE_MAX),
});

/** Real time goes at 1, manual time stands still, scaled time goes. */
function reasonAgainstRate({ mode, rate }: ValueOf<typeof clock>): string | undefined {
  const fits = { real: rate === 1, manual: rate === 0, scaled: rate > 0 }[mode];
  return fits ? undefined : `has the Rate ${rate}, which the Mode ${mode} does not have`;
}

/** What a document says beside its records. */
export const stateHead = record({
  note: orNull(anyText),
  seed: text(SEED_LENGTH_MAX, (value) => value !== '', 'a text that is not empty'),
  settings: record({ tokenTtl: ttl, authorisationTtl: ttl, batchPace: orNull(ttl) }),
  clock: checked(clock, reasonAgainstRate),
  rate: record({ second: whole(-1, COUNT_MAX), calls: count }),
  chance: record({ base: words, counts: list(record({ name: anyText, count })) }),
});

/** A job in a document, where jobs are in order of due instant, then of scheduling. */
export const storedJob = (kinds: readonly string[]) =>
  record({ due: instant, kind: word(...kinds), ref: recordIndex });

export type StoredJob = ValueOf<ReturnType<typeof storedJob>>;

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
    const length = countOf(table);
    for (const [n, [place, id]] of (given[table] ?? []).entries()) {
      const path = ['GivenIds', KINDS[table].counted, n];
      if (place >= length) invalidAt(path, `has the Place ${place}, but there are ${length} records`);
      if (seen.has(place) || seen.has(id)) invalidAt(path, 'has the Place or the Id of another one');
      seen.add(place).add(id);
    }
  }
  return given;
}
