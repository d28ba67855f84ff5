import { CODE, refuse } from '../errors.js';

/** Limits how many records all worlds have together, for a server that must save them in time. Without such a server there is no limit. */
export class Room {
  #max = Infinity;
  #detail = '';
  /** So many more certainly fit. Counting the records of all worlds is slow, so it happens only when this is used up. */
  #left = Infinity;

  constructor(private readonly countRecords: () => number) {}

  /** `detail` is the message to calls that would exceed the limit. Existing records stay. */
  limit(max: number, detail: string): void {
    this.#max = max;
    this.#detail = detail;
    // The first call counts.
    this.#left = -Infinity;
  }

  has(count: number): boolean {
    if (count > this.#left) this.#left = this.#max - this.countRecords();
    return count <= this.#left;
  }

  /** Reserves room for records; refuses with 503 and code 37 if there is none. */
  take(count: number): void {
    if (!this.has(count)) refuse(CODE.RetryLater, this.#detail);
    this.add(count);
  }

  /** Counts records that are added whether there is room or not. */
  add(count: number): void {
    this.#left -= count;
  }
}
