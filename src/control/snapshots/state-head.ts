import { RATE_MAX } from '../../core/time/clock.js';
import type { SeedWords } from '../../core/ids/random.js';
import { type AllGivenIds, KINDS, type TableName, TABLES } from '../../world/tables.js';
import { SEED_LENGTH_MAX } from '../reset-schema.js';
import { readJsonOption, type OptionRow } from '../../core/option.js';
import { DURATION_MAX_MS, formatDuration, INSTANT_MAX_MS } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { NO_OWN_SETTINGS, type OwnSettings, WORLD_NAME_MAX, WORLD_OPTIONS } from '../../world/settings.js';
import { DEFAULT_CHECKOUT_TTL } from '../../records/checkout.js';
import * as field from '../../core/store/field.js';

const ttlCodec = field.whole(0, DURATION_MAX_MS);

const seedWordsCodec: field.Codec<SeedWords> = {
  read: (value) => {
    const words = Array.isArray(value) ? value.map(field.recordIndex.read) : [];
    if (words.length !== 4) field.invalid('must be an array of four whole numbers');
    return words as unknown as SeedWords;
  },
  write: (value) => value,
};

const clockCodecs = {
  mode: field.word('real', 'manual', 'scaled'),
  rate: field.number(0, RATE_MAX),
};

const clockCodec = field.record({ instant: field.whole(0, INSTANT_MAX_MS), ...clockCodecs });

/** A real clock has the rate 1, a manual one 0, a scaled one any rate above 0. */
function explainWrongRate({ mode, rate }: field.ValuesOf<typeof clockCodecs>): string | undefined {
  const isRight = { real: rate === 1, manual: rate === 0, scaled: rate > 0 }[mode];
  return isRight ? undefined : `has the Rate ${rate}, which is not allowed with the Mode ${mode}`;
}

/** A setting as a reset reads it. */
function settingCodec<T>(row: OptionRow<T>): field.Codec<T> {
  return {
    read: (value) => {
      const setting = readJsonOption(row, value);
      return setting instanceof ValidationError ? field.invalid(setting.message) : setting;
    },
    write: (value) => (typeof value === 'number' ? formatDuration(value) : value),
  };
}

const ownSettingsFields = field.record({
  name: field.orNull(
    field.text(WORLD_NAME_MAX, (value) => value.trim() !== '', 'a string that is not blank'),
  ),
  clock: field.orNull(
    field.checked(
      field.record({ ...clockCodecs, start: field.orNull(field.whole(0, INSTANT_MAX_MS)) }),
      explainWrongRate,
    ),
  ),
  ...Object.fromEntries(
    Object.entries<OptionRow<unknown>>(WORLD_OPTIONS)
      .filter(([, { isSecret }]) => isSecret === undefined)
      .map(([name, row]) => [name, field.orNull(settingCodec(row))]),
  ),
});

/** The settings that a reset gave the world, without secrets. Left out if there are none. */
const ownSettingsCodec: field.Codec<OwnSettings> = {
  read: (value) =>
    value === undefined ? NO_OWN_SETTINGS : { ...NO_OWN_SETTINGS, ...ownSettingsFields.read(value) },
  write: (value) => {
    const written = ownSettingsFields.write(value) as object;
    return Object.values(written).every((setting) => setting === undefined) ? undefined : written;
  },
};

export const stateHeadCodec = field.record({
  note: field.orNull(field.anyText),
  seed: field.text(SEED_LENGTH_MAX, (value) => value !== '', 'a non-empty string'),
  settings: field.record({
    tokenTtl: ttlCodec,
    authorisationTtl: ttlCodec,
    // Documents from before check-outs have none.
    checkoutTtl: field.orElse(DEFAULT_CHECKOUT_TTL, ttlCodec),
    ccvTtl: field.orNull(ttlCodec),
    knownProvidersOnly: field.toggle,
    batchPace: field.orNull(ttlCodec),
    own: ownSettingsCodec,
  }),
  clock: field.checked(clockCodec, explainWrongRate),
  rate: field.record({ second: field.whole(-1, field.COUNT_MAX), calls: field.count }),
  chance: field.record({
    base: seedWordsCodec,
    counts: field.list(field.record({ name: field.anyText, count: field.count })),
  }),
});

/** Identifiers that were chosen, with the positions of their records. All others follow from the seed. */
const givenIdsCodec = field.record(
  Object.fromEntries(
    TABLES.map((table) => [
      KINDS[table].counted,
      field.list(field.record({ place: field.recordIndex, id: field.hexId })),
    ]),
  ),
);

/** The field GivenIds, left out when no identifier was chosen. */
export function writeGivenIds(given: AllGivenIds): unknown {
  const lists = TABLES.map((table) => {
    const ids = given[table]?.map(([place, id]) => ({ place, id })) ?? [];
    return [KINDS[table].counted, ids] as const;
  });
  return lists.every(([, ids]) => ids.length === 0)
    ? undefined
    : givenIdsCodec.write(Object.fromEntries(lists));
}

/** Reads the field GivenIds. Refuses identifiers that occur twice, or whose record never existed. */
export function readGivenIds(value: unknown, countOf: (table: TableName) => number): AllGivenIds {
  const lists = value === undefined ? {} : givenIdsCodec.read(value);
  const given = TABLES.map((table) => {
    const { counted } = KINDS[table];
    const ids = lists[counted] ?? [];
    const seen = new Set<number | string>();
    const recordCount = countOf(table);
    for (const [n, { place, id }] of ids.entries()) {
      if (place >= recordCount)
        field.invalidAt([counted, n], `has the Place ${place}, but there are ${recordCount} records`);
      if (seen.has(place) || seen.has(id))
        field.invalidAt([counted, n], 'has the same Place or Id as another one');
      seen.add(place).add(id);
    }
    return [table, ids.map(({ place, id }) => [place, id])];
  });
  return Object.fromEntries(given) as AllGivenIds;
}
