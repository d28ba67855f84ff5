/** How a world came into the place of another. */
export type Replacement = 'reset' | 'restored';

/**
 * Those who look on at the world of a key, also when another world takes its place: woken when something happens, they
 * look themselves what it was. A world that nobody looks on at has none.
 */
export class Watch {
  readonly #wakes = new Set<() => void>();
  #changes = 0;
  #replacements = 0;
  #latest: Replacement = 'reset';
  #isOver = false;

  /** How many look on. */
  get size(): number {
    return this.#wakes.size;
  }

  /** How often something may have changed that the journal does not tell of. */
  get changes(): number {
    return this.#changes;
  }

  /** How often another world took the place. */
  get replacements(): number {
    return this.#replacements;
  }

  /** How it was done the last time. */
  get latest(): Replacement {
    return this.#latest;
  }

  /** Whether there is nothing to be seen any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Is woken at each happening, until it leaves by what it is given. */
  join(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => {
      this.#wakes.delete(wake);
    };
  }

  /** An exchange stands in the journal. */
  exchanged(): void {
    this.#wake();
  }

  /** A call of the control plane was answered. */
  changed(): void {
    this.#changes++;
    this.#wake();
  }

  replaced(how: Replacement): void {
    this.#replacements++;
    this.#latest = how;
    this.#wake();
  }

  /** The sandbox ends. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakes) wake();
  }
}
