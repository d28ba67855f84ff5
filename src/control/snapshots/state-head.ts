import { type ClockMode, LAST_INSTANT, RATE_MAX } from '../../core/clock.js';
import type { Words } from '../../core/random.js';
import { DURATION_MAX_MS } from '../../core/time.js';
import { SEED_LENGTH_MAX } from '../schema.js';
import { anyText, instant } from './state-members.js';
import { list, misfit, number, orNull, record, type Shape, text, whole, word } from './state-shape.js';

/** What a document says beside its records. */
export interface StateHead {
  readonly note: string | null;
  readonly seed: string;
  readonly settings: {
    readonly tokenTtl: number;
    readonly authorisationTtl: number;
    readonly batchPace: number | null;
  };
  readonly clock: { readonly instant: number; readonly mode: ClockMode; readonly rate: number };
  readonly rate: { readonly second: number; readonly calls: number };
  readonly chance: { readonly base: Words; readonly counts: readonly Count[] };
}

interface Count {
  readonly name: string;
  readonly count: number;
}

const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const unsigned = whole(0, 0xffff_ffff);

const words: Shape<Words> = {
  read: (value) => {
    const read = Array.isArray(value) ? value.map(unsigned.read) : [];
    return read.length === 4 ? (read as unknown as Words) : misfit('must be a list of four whole numbers');
  },
  write: (value) => value,
};

const clock = record<StateHead['clock']>({
  instant: whole(0, LAST_INSTANT),
  mode: word('real', 'manual', 'scaled'),
  rate: number(0, RATE_MAX),
});

/** Real time goes at 1, manual time stands still, scaled time goes. */
const runningClock: Shape<StateHead['clock']> = {
  read: (value) => {
    const read = clock.read(value);
    const fits = { real: read.rate === 1, manual: read.rate === 0, scaled: read.rate > 0 }[read.mode];
    return fits ? read : misfit(`has the Rate ${read.rate}, which the Mode ${read.mode} does not have`);
  },
  write: clock.write,
};

export const stateHead: Shape<StateHead> = record<StateHead>({
  note: orNull(anyText),
  seed: text(SEED_LENGTH_MAX, (value) => value !== '', 'a text that is not empty'),
  settings: record<StateHead['settings']>({
    tokenTtl: whole(0, DURATION_MAX_MS),
    authorisationTtl: whole(0, DURATION_MAX_MS),
    batchPace: orNull(whole(0, DURATION_MAX_MS)),
  }),
  clock: runningClock,
  rate: record<StateHead['rate']>({ second: whole(-1, COUNT_MAX), calls: whole(0, COUNT_MAX) }),
  chance: record<StateHead['chance']>({
    base: words,
    counts: list(record<Count>({ name: anyText, count: whole(0, COUNT_MAX) })),
  }),
});

/** A job as it stands in a document: in order of due instant, then of scheduling. */
export interface StoredJob {
  readonly due: number;
  readonly kind: string;
  readonly ref: number;
}

export const storedJob = (kinds: readonly string[]): Shape<StoredJob> =>
  record<StoredJob>({ due: instant, kind: word(...kinds), ref: unsigned });
