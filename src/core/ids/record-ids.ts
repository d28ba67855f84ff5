import type { Identifiers } from './random.js';

export type IdEntry = readonly [index: number, id: string];

/**
 * The identifiers of a table's records: computed, except for chosen ones. If a chosen one equals the computed one of another
 * record, the two are swapped, so that no two records have the same.
 */
export class RecordIds {
  readonly #chosen: ReadonlyMap<number, string>;
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(
    private readonly computed: Identifiers,
    readonly entries: readonly IdEntry[] = [],
  ) {
    this.#chosen = new Map(entries);
    this.#indexes = new Map(entries.map(([index, id]) => [id, index]));
  }

  at(index: number): string {
    const chosen = this.#chosen.get(index);
    if (chosen !== undefined) return chosen;
    let id = this.computed.at(index);
    // This ends, because each step leads to another record with a chosen identifier.
    for (let other = this.#indexes.get(id); other !== undefined; other = this.#indexes.get(id)) {
      id = this.computed.at(other);
    }
    return id;
  }
}
