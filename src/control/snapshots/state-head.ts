import { LAST_INSTANT, RATE_MAX } from '../../core/clock.js';
import {
  checked,
  type Codec,
  invalid,
  list,
  number,
  orNull,
  record,
  text,
  type ValueOf,
  whole,
  word,
} from '../../core/codec.js';
import type { Words } from '../../core/random.js';
import { anyText, count, COUNT_MAX, instant, recordIndex } from '../../core/record-fields.js';
import { DURATION_MAX_MS } from '../../core/time.js';
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
