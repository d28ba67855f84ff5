/** How a world came into the place of another. */
export type Replacement = 'reset' | 'restored';

/**
 * The live readers of the world of a key, also when another world takes its place. They are woken when something happens, and
 * look for themselves what it was. A world without live readers has no watch.
 */
export class Watch {
  readonly #wakes = new Set<() => void>();
  #changes = 0;
  #replacements = 0;
  #latest: Replacement = 'reset';
  #isOver = false;

  /** How many live readers there are. */
  get size(): number {
    return this.#wakes.size;
  }

  /** How often something may have changed that is not in the journal. */
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

  /** Adds a reader, which is woken by each event; returns how it leaves. */
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
