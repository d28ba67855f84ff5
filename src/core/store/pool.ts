const POOL_MAX = 1024;

/** Returns the same value for equal keys. Copies of the few identifiers and codes took a quarter of a charge's memory. */
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
