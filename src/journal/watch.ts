export type Replacement = 'reset' | 'restored';

/**
 * The live readers of the world of a key, also after the world was replaced. Each event wakes them, and they
 * then look for the change. A world without live readers has no watch.
 */
export class Watch {
  /** How many calls of the control plane changed the world. */
  changes = 0;
  replacements = 0;
  latest: Replacement = 'reset';
  isOver = false;
  readonly #wakes = new Set<() => void>();

  get size(): number {
    return this.#wakes.size;
  }

  /** Adds a reader, which each event wakes. Returns a function that removes it. */
  join(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => {
      this.#wakes.delete(wake);
    };
  }

  noteChange(): void {
    this.changes++;
    this.wake();
  }

  noteReplacement(how: Replacement): void {
    this.replacements++;
    this.latest = how;
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  wake(): void {
    for (const wake of this.#wakes) wake();
  }
}
