import { deriveWords, drawAt, hashText, type SeedWords } from '../../src/core/ids/random.js';

/** Draws from a seed, the same on every run. */
export class Dice {
  readonly #stream: SeedWords;
  #drawn = 0;

  constructor(seed: string, purpose: string) {
    this.#stream = deriveWords(hashText(seed), purpose);
  }

  /** A whole number from 0, below n. */
  below(n: number): number {
    return Math.floor(drawAt(this.#stream, this.#drawn++) * n);
  }

  /** One of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
