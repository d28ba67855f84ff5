import { deriveWords, drawAt, hashText, Identifiers, type Words } from './random.js';

/** All that looks like chance in one world: identifiers, draws and the counts behind them, from one seed. */
export class Chance {
  readonly #base: Words;
  readonly #counters = new Map<string, number>();

  constructor(seed: string, key: string) {
    this.#base = hashText(`${seed}\u0000${key}`);
  }

  /** The identifiers of one kind of record. */
  identifiers(kind: string): Identifiers {
    return new Identifiers(this.#base, kind);
  }

  /** Counts something: 0 at the first call with a name, then 1, 2, … */
  next(counter: string): number {
    const count = this.#counters.get(counter) ?? 0;
    this.#counters.set(counter, count + 1);
    return count;
  }

  /** The next draw for a purpose, evenly spread over [0, 1). */
  draw(purpose: string): number {
    return drawAt(deriveWords(this.#base, `draw:${purpose}`), this.next(`draw:${purpose}`));
  }
}
