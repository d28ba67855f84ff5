import { hashText, shortHash } from '../core/ids/random.js';
import { WORLD_NAME_MAX } from '../world/settings.js';

/** A test, as its runner describes it. */
export interface TestIdentity {
  /** The names of its suites and its own name, joined by spaces or by ` > `. */
  readonly name: string;
  /** The file, and the project if the runner has several. */
  readonly place: string;
  /** How many tests of the file with the same name come before it. */
  readonly sameNameIndex: number;
  /** Which retry or repetition is running; the first run is 0. */
  readonly attempt: number | string;
}

/** How much of a test's name its key contains, so that users can recognise its world. */
const SHOWN_LENGTH_MAX = 40;
const HASH_LENGTH = 16;

/**
 * The name of a test's world, from which its identifiers derive: the same under every runner and in every attempt. Jest joins the
 * names of suites with spaces.
 */
export function makeWorldName({ name, sameNameIndex }: TestIdentity): string {
  const own = name.replaceAll(' > ', ' ') + (sameNameIndex === 0 ? '' : ` (${sameNameIndex + 1})`);
  if (own.length <= WORLD_NAME_MAX) return own;
  const hash = shortHash(own, HASH_LENGTH);
  return `${own.slice(0, WORLD_NAME_MAX - HASH_LENGTH - 1)} ${hash}`;
}

/**
 * The key of a test's world: the same in every run and every worker, but different for each file, test and attempt, and for each
 * `start` of the world, so that a run with other options leaves nothing behind.
 */
export function makeTestKey(test: TestIdentity, prefix: string, start: unknown): string {
  const identity = [test.place, makeWorldName(test), test.attempt, JSON.stringify(start)].join('\n');
  const [a, b] = hashText(identity);
  const shown = test.name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, SHOWN_LENGTH_MAX);
  return `${prefix}_${shown}_${toHex(a)}${toHex(b)}`;
}

function toHex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

/** Counts tests of the same name, for runners that do not list the tests of a file. */
export class SameNameCounter {
  readonly #tests = new Map<string, object[]>();

  /** How many other tests had this name before. */
  count(name: string, test: object): number {
    const tests = this.#tests.get(name) ?? [];
    this.#tests.set(name, tests);
    if (!tests.includes(test)) tests.push(test);
    return tests.indexOf(test);
  }
}
