import { RATE_MAX } from '../../core/time/clock.js';
import type { Words } from '../../core/ids/random.js';
import type { IdEntry } from '../../core/ids/record-ids.js';
import { isObject } from '../../core/text/text.js';
import { type AllGivenIds, KINDS, type TableName, TABLES } from '../../world/tables.js';
import { SEED_LENGTH_MAX } from '../reset-schema.js';
import { readValue, type Row } from '../../core/option.js';
import { DURATION_MAX_MS, formatDuration, INSTANT_MAX_MS } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { NOTHING_OWN, type OwnSettings, WORLD_NAME_MAX, WORLD_OPTIONS } from '../../world/settings.js';
import * as field from '../../core/store/field.js';

const ttl = field.whole(0, DURATION_MAX_MS);

const words: field.Codec<Words> = {
  read: (value) => {
    const read = Array.isArray(value) ? value.map(field.recordIndex.read) : [];
    return read.length === 4
      ? (read as unknown as Words)
      : field.invalid('must be an array of four whole numbers');
  },
  write: (value) => value,
};

const clockFields = {
  mode: field.word('real', 'manual', 'scaled'),
  rate: field.number(0, RATE_MAX),
};

const clock = field.record({ instant: field.whole(0, INSTANT_MAX_MS), ...clockFields });

/** A real clock has the rate 1, a manual one 0, a scaled one any rate above 0. */
function reasonAgainstRate({ mode, rate }: field.ValuesOf<typeof clockFields>): string | undefined {
  const fits = { real: rate === 1, manual: rate === 0, scaled: rate > 0 }[mode];
  return fits ? undefined : `has the Rate ${rate}, which is not allowed with the Mode ${mode}`;
}

/** A setting as a reset reads it. */
function settingCodec<T>(row: Row<T>): field.Codec<T> {
  return {
    read: (value) => {
      const read = readValue(row, value);
      return read instanceof ValidationError ? field.invalid(read.message) : read;
    },
    write: (value) => (typeof value === 'number' ? formatDuration(value) : value),
  };
}

const ownFields = field.record({
  name: field.orNull(
    field.text(WORLD_NAME_MAX, (value) => value.trim() !== '', 'a string that is not blank'),
  ),
  clock: field.orNull(
    field.checked(
      field.record({ ...clockFields, start: field.orNull(field.whole(0, INSTANT_MAX_MS)) }),
      reasonAgainstRate,
    ),
  ),
  ...Object.fromEntries(
    Object.entries<Row<unknown>>(WORLD_OPTIONS)
      .filter(([, { isSecret }]) => isSecret === undefined)
      .map(([name, row]) => [name, field.orNull(settingCodec(row))]),
  ),
});

/** What a reset set for the world, without secrets. Left out if it set nothing. */
const own: field.Codec<OwnSettings> = {
  read: (value) => (value === undefined ? NOTHING_OWN : { ...NOTHING_OWN, ...ownFields.read(value) }),
  write: (value) => {
    const written = ownFields.write(value) as object;
    return Object.values(written).every((one) => one === undefined) ? undefined : written;
  },
};

export const stateHead = field.record({
  note: field.orNull(field.anyText),
  seed: field.text(SEED_LENGTH_MAX, (value) => value !== '', 'a non-empty string'),
  settings: field.record({
    tokenTtl: ttl,
    authorisationTtl: ttl,
    ccvTtl: field.orNull(ttl),
    knownProvidersOnly: field.toggle,
    batchPace: field.orNull(ttl),
    own,
  }),
  clock: field.checked(clock, reasonAgainstRate),
  rate: field.record({ second: field.whole(-1, field.COUNT_MAX), calls: field.count }),
  chance: field.record({
    base: words,
    counts: field.list(field.record({ name: field.anyText, count: field.count })),
  }),
});

/** A job in a document, where jobs are in order of due instant, then of scheduling. */
export const storedJob = (kinds: readonly string[]) =>
  field.record({ due: field.instant, kind: field.word(...kinds), ref: field.recordIndex });

export type StoredJob = field.ValueOf<ReturnType<typeof storedJob>>;

/** Identifiers that were chosen, with the positions of their records. All others follow from the seed. */
const storedIds = field.list(field.record({ place: field.recordIndex, id: field.hexId }));

const TABLE_OF_COUNTED: ReadonlyMap<string, TableName> = new Map(
  TABLES.map((table) => [KINDS[table].counted, table]),
);

/** The field GivenIds: a list for each table that has some, left out when none has. */
export const givenIds: field.Codec<AllGivenIds> = {
  read(value) {
    if (value === undefined) return {};
    if (!isObject(value)) return field.invalid('must be an object of arrays');
    const read = Object.entries(value).map(([name, ids]) =>
      field.within(name, (given) => readTable(name, given), ids),
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
  if (table === undefined) return field.invalid(`must be one of ${[...TABLE_OF_COUNTED.keys()].join(', ')}`);
  return [table, storedIds.read(value).map(({ place, id }) => [place, id])];
}

/** Refuses given identifiers that occur twice, or whose record never existed. */
export function checkIds(given: AllGivenIds, countOf: (table: TableName) => number): AllGivenIds {
  for (const table of TABLES) {
    const seen = new Set<number | string>();
    const length = countOf(table);
    for (const [n, [place, id]] of (given[table] ?? []).entries()) {
      const path = ['GivenIds', KINDS[table].counted, n];
      if (place >= length) field.invalidAt(path, `has the Place ${place}, but there are ${length} records`);
      if (seen.has(place) || seen.has(id)) field.invalidAt(path, 'has the same Place or Id as another one');
      seen.add(place).add(id);
    }
  }
  return given;
}
