import type { Identifiers } from './random.js';

/** A record's number and the identifier that somebody chose for it. */
export type IdEntry = readonly [n: number, id: string];

/**
 * The identifiers of a table in which some were chosen. A chosen one may be what another number would compute to; that
 * one then has what the number behind the chosen one would have had, so that no two records share an identifier.
 */
export class GivenIds {
  readonly #byNumber: ReadonlyMap<number, string>;
  readonly #byId: ReadonlyMap<string, number>;

  constructor(
    private readonly computed: Identifiers,
    readonly entries: readonly IdEntry[],
  ) {
    this.#byNumber = new Map(entries);
    this.#byId = new Map(entries.map(([n, id]) => [id, n]));
  }

  idOf(n: number): string {
    const given = this.#byNumber.get(n);
    if (given !== undefined) return given;
    let id = this.computed.at(n);
    // Ends: each step leads to a number with a chosen identifier, and to none of them twice.
    for (let other = this.#byId.get(id); other !== undefined; other = this.#byId.get(id)) {
      id = this.computed.at(other);
    }
    return id;
  }

  /** The number behind an identifier, or -1 when it is none. */
  numberOf(id: string): number {
    const given = this.#byId.get(id);
    if (given !== undefined) return given;
    let n = this.computed.indexOf(id);
    for (let chosen = this.#byNumber.get(n); chosen !== undefined; chosen = this.#byNumber.get(n)) {
      n = this.computed.indexOf(chosen);
    }
    return n;
  }
}
