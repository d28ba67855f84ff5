const POOL_MAX = 1024;

/**
 * Hands out one value for equal keys. Each request brings its own copies of the few identifiers, codes and accounts that all of
 * them name, and kept with each record they would be a quarter of a charge's memory.
 */
export class Pool<T> {
  readonly #values = new Map<string, T>();

  share(key: string, value: T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= POOL_MAX) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
