import { CODE, refuse } from '../errors.js';

/** Limits the records of all worlds together; without a limit until one is set. */
export class Room {
  #max = Infinity;
  #detail = '';
  /** How many more certainly fit. Counting all worlds takes time, so it happens only when this number is used up. */
  #left = Infinity;

  /** `held` counts the records of all worlds. */
  constructor(private readonly held: () => number) {}

  /** `detail` is the message to calls that would exceed the limit. What is there already stays. */
  limit(max: number, detail: string): void {
    this.#max = max;
    this.#detail = detail;
    // Makes the first call count.
    this.#left = -Infinity;
  }

  has(count: number): boolean {
    if (count > this.#left) this.#left = this.#max - this.held();
    return count <= this.#left;
  }

  /** Reserves room for records; refuses with 503 and code 37 if there is none. */
  take(count: number): void {
    if (!this.has(count)) refuse(CODE.RetryLater, this.#detail);
    this.note(count);
  }

  /** Counts records that are added whether there is room or not. */
  note(count: number): void {
    this.#left -= count;
  }
}
