/**
 * Values in the order in which they came, the first of which is known in constant time: an iterator that begins anew would
 * go over the holes that all those before it have left.
 */
export class Arrivals<T> {
  readonly #values = new Set<T>();
  #walk = this.#values.values();
  /** The first value, unless it has left since it was looked for. */
  #first: T | undefined;

  get size(): number {
    return this.#values.size;
  }

  /** The value that came before all others that are here. */
  get first(): T | undefined {
    if (this.#first === undefined && this.size > 0) {
      const { done, value } = this.#walk.next();
      if (done !== true) this.#first = value;
      else [this.#walk, this.#first] = this.#begun();
    }
    return this.#first;
  }

  /** A value that is here already keeps its place. */
  add(value: T): void {
    this.#values.add(value);
  }

  delete(value: T): void {
    if (this.#values.delete(value) && value === this.#first) this.#first = undefined;
  }

  [Symbol.iterator](): SetIterator<T> {
    return this.#values.values();
  }

  /** An iterator is over for good once it has come to an end, whatever comes later. */
  #begun(): [SetIterator<T>, T | undefined] {
    const walk = this.#values.values();
    return [walk, walk.next().value];
  }
}
