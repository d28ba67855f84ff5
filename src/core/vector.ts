const CHUNK_BITS = 12;
const CHUNK = 1 << CHUNK_BITS;

/**
 * A long list in pieces. An array of a million entries is copied whole each time it grows, which holds
 * everything else for tens of milliseconds; here only the list of pieces grows.
 */
export class Vector<T> {
  readonly #chunks: T[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds an item at the end. */
  push(item: T): void {
    const last = this.#length >>> CHUNK_BITS;
    const chunk = this.#chunks[last];
    if (chunk === undefined) this.#chunks.push([item]);
    else chunk.push(item);
    this.#length++;
  }

  at(i: number): T | undefined {
    return this.#chunks[i >>> CHUNK_BITS]?.[i & (CHUNK - 1)];
  }

  /** Replaces an item that is there. */
  set(i: number, item: T): void {
    const chunk = this.#chunks[i >>> CHUNK_BITS];
    if (chunk !== undefined && i < this.#length) chunk[i & (CHUNK - 1)] = item;
  }

  /** The same items in a list of its own. */
  copy(): Vector<T> {
    const copy = new Vector<T>();
    for (const chunk of this.#chunks) copy.#chunks.push(chunk.slice());
    copy.#length = this.#length;
    return copy;
  }
}

/** Up to this length a plain array costs less than a list in pieces, and growing it takes no time. */
export const SHORT_MAX = CHUNK;
