import type { Sample } from './program.js';

const MIB = 1024 * 1024;
/** Fewer readings than these make no line. */
const READINGS_MIN = 8;
/** A soak of this length and more is judged by the memory of the whole process, a shorter one by its heap. */
const LONG_MINUTES = 10;
/** Whether a soak is one of the machine alone, and shows what it is made for. */
export const isLong = (minutes: number): boolean => minutes >= LONG_MINUTES;
const RSS_SLOPE_MAX = 1;
/**
 * Memory of a process comes and goes by steps of several MiB, which a line through two minutes cannot tell from growth. What is left on the
 * heap after a collection is steadier; worlds that begin anew let it go up and down by some hundred kB still. A leak of 100 bytes a call is 1.2 MiB a minute at 200 calls a second.
 */
const HEAP_SLOPE_MAX = 2;
/** Journals that have reached their bound give up a tenth at once, and fill again: so much of the heap goes up and down, in MiB. */
const HEAP_SWING = 4;
/** Timers and handles between two samples: somebody looks on, a webhook is on its way. */
const SWING_MAX = 6;

/** What the program held, from when its bounds were reached. */
export class Readings {
  readonly #samples: { readonly at: number; readonly sample: Sample }[] = [];

  /** Adds a sample of an instant in milliseconds. */
  add(sample: Sample, at: number): void {
    this.#samples.push({ at, sample });
  }

  get last(): Sample | undefined {
    return this.#samples.at(-1)?.sample;
  }

  /** What is wrong with them, in words. */
  faults(minutes: number): string[] {
    if (this.#samples.length < READINGS_MIN)
      return [`there are ${this.#samples.length} samples of the program, which make no line`];
    const long = isLong(minutes);
    const slope = long ? this.#slope(rssOf) : this.#slope(heapOf);
    const max = long ? RSS_SLOPE_MAX : HEAP_SLOPE_MAX + HEAP_SWING / minutes;
    return [
      ...(slope < max
        ? []
        : [
            `${long ? 'RSS' : 'the heap'} grows by ${slope.toFixed(2)} MiB a minute, less than ${max} is taken`,
          ]),
      ...this.#swing('handles', handlesOf),
      ...this.#swing('timers', timersOf),
    ];
  }

  /** The figures of the last line. */
  text(): string {
    const last = this.last;
    if (last === undefined) return 'no samples';
    return [
      `RSS ${rssOf(last).toFixed()} MiB`,
      `slope ${this.#slope(rssOf).toFixed(2)} MiB/min`,
      `heap ${heapOf(last).toFixed()} MiB`,
      `slope ${this.#slope(heapOf).toFixed(2)} MiB/min`,
      `handles ${this.#range(handlesOf)}`,
      `timers ${this.#range(timersOf)}`,
    ].join(', ');
  }

  #slope(value: (sample: Sample) => number): number {
    return slopePerMinute(this.#samples.map(({ at, sample }): Reading => ({ at, value: value(sample) })));
  }

  #range(value: (sample: Sample) => number): string {
    const values = this.#samples.map(({ sample }) => value(sample));
    return `${Math.min(...values)}-${Math.max(...values)}`;
  }

  /** Flat: the last third lies no higher than the first one, but for what comes and goes. One sample of a busy moment does not count. */
  #swing(what: string, value: (sample: Sample) => number): string[] {
    const values = this.#samples.map(({ sample }) => value(sample));
    const third = Math.floor(values.length / 3);
    const first = middle(values.slice(0, third));
    const last = middle(values.slice(-third));
    return last <= first + SWING_MAX ? [] : [`${what} went up from ${first} to ${last}`];
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const rssOf = ({ rss }: Sample): number => rss / MIB;
const heapOf = ({ heap }: Sample): number => heap / MIB;

/** What is open; where the system does not tell, what Node knows of. */
export function handlesOf({ files, resources }: Sample): number {
  const known = Object.entries(resources).filter(([type]) => type !== 'Timeout' && type !== 'Immediate');
  return files ?? known.reduce((sum, [, count]) => sum + count, 0);
}

export function timersOf({ resources, unheld }: Sample): number {
  return (resources['Timeout'] ?? 0) + unheld;
}

/** A line for whoever looks on. */
export function shown(sample: Sample): string {
  return `RSS ${rssOf(sample).toFixed(1)} MiB, heap ${heapOf(sample).toFixed(2)} MiB, handles ${handlesOf(sample)}, timers ${timersOf(sample)}`;
}

interface Reading {
  /** Milliseconds. */
  readonly at: number;
  readonly value: number;
}

/** By how much readings grow a minute: the median of the slopes between any two of them (Theil and Sen), so that a few busy moments do not count. */
function slopePerMinute(readings: readonly Reading[]): number {
  const slopes = readings.flatMap((one, n) =>
    readings.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  return middle(slopes) * 60_000;
}
