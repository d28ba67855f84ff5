import type { Identifiers } from './random.js';

/** A record's index and the identifier that was chosen for it, for example by seed data. */
export type IdEntry = readonly [index: number, id: string];

/**
 * The identifiers of a table's records: computed, except for chosen ones. A chosen one may be what another
 * record would compute; that one then gets what the record with the chosen one would have had, so that no two are equal.
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
    // Terminates: each step leads to another record with a chosen identifier, never to the same one twice.
    for (let other = this.#indexes.get(id); other !== undefined; other = this.#indexes.get(id)) {
      id = this.computed.at(other);
    }
    return id;
  }
}
