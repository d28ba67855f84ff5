export type IndexKey<R> = (record: R) => string | null;

/** Finds the indexes of the records with a key, in ascending order. Most keys have one record, which is stored without an array. */
export class RecordIndex<R extends { readonly index: number }> {
  readonly #records = new Map<string, number | number[]>();

  constructor(private readonly keyOf: IndexKey<R>) {}

  find(key: string): readonly number[] {
    const found = this.#records.get(key) ?? [];
    return typeof found === 'number' ? [found] : found;
  }

  /** Adds a record that was created after all others. */
  add(record: R): void {
    const key = this.keyOf(record);
    if (key === null) return;
    const others = this.#records.get(key);
    if (others === undefined) this.#records.set(key, record.index);
    else if (typeof others === 'number') this.#records.set(key, [others, record.index]);
    else others.push(record.index);
  }

  move(before: R, after: R | null): void {
    const [from, to] = [this.keyOf(before), after && this.keyOf(after)];
    if (from === to) return;
    if (from !== null) {
      const left = this.find(from).filter((other) => other !== before.index);
      if (left.length === 0) this.#records.delete(from);
      else this.#records.set(from, left);
    }
    if (to !== null)
      this.#records.set(
        to,
        [...this.find(to), before.index].toSorted((a, b) => a - b),
      );
  }
}
