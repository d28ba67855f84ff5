import { deriveWords, drawAt, hashText, Identifiers, type SeedWords } from './random.js';

/** The identifiers and random draws of a world. All derive from its seed and its name. */
export class Chance {
  readonly base: SeedWords;
  readonly #requestIds: Identifiers;
  readonly #controlIds: Identifiers;
  readonly #gatewayIds: Identifiers;
  readonly #counters = new Map<string, number>();

  /** The name of a world is its key, unless a reset named it. `base` keeps the identifiers of a world that was copied. */
  constructor(seed: string, name: string, base?: SeedWords) {
    this.base = base ?? hashText(`${seed}\u0000${name}`);
    this.#requestIds = this.identifiers('request');
    this.#controlIds = this.identifiers('control');
    this.#gatewayIds = this.identifiers('gateway');
  }

  counts(): [counter: string, count: number][] {
    return [...this.#counters];
  }

  load(counts: Iterable<readonly [counter: string, count: number]>): void {
    for (const [counter, count] of counts) this.#counters.set(counter, count);
  }

  identifiers(kind: string): Identifiers {
    return new Identifiers(this.base, kind);
  }

  /** Increments a counter, and returns its old value. */
  next(counter: string): number {
    const count = this.#counters.get(counter) ?? 0;
    this.#counters.set(counter, count + 1);
    return count;
  }

  countOf(counter: string): number {
    return this.#counters.get(counter) ?? 0;
  }

  draw(purpose: string): number {
    return drawAt(deriveWords(this.base, `draw:${purpose}`), this.next(`draw:${purpose}`));
  }

  /** The identifier of a charge at its provider. */
  gatewayId(charge: number): string {
    return `ch_${this.#gatewayIds.at(charge).slice(0, 24)}`;
  }

  /** The next x-request-id. Calls of the service and of the control plane are counted separately. */
  nextRequestId(control: boolean): string {
    return control ? this.#controlIds.at(this.next('controls')) : this.#requestIds.at(this.next('requests'));
  }
}
