/** The share that is freed at once, because finding the largest holder is too slow for each call. */
const ROOM_SHARE = 0.1;

/** One of those that share a budget. */
export interface Holder {
  readonly bytes: number;
  /** Lets go of what it holds above so many bytes. */
  shrink(bytes: number): void;
}

/** Bytes that many share, such as the journals of all worlds. If all together are too large, the largest ones give way. */
export class Budget {
  readonly #holders = new Set<Holder>();
  #used = 0;

  constructor(readonly max: number) {}

  get used(): number {
    return this.#used;
  }

  /** Notes a change in the size of a holder. */
  change(holder: Holder, bytes: number): void {
    this.#used += bytes;
    if (holder.bytes === 0) this.#holders.delete(holder);
    else if (holder.bytes === bytes) this.#holders.add(holder);
    if (this.#used > this.max) this.#makeRoom();
  }

  #makeRoom(): void {
    const goal = this.max * (1 - ROOM_SHARE);
    while (this.#used > goal) {
      let largest: Holder | null = null;
      for (const holder of this.#holders) {
        if (largest === null || holder.bytes > largest.bytes) largest = holder;
      }
      if (largest === null) return;
      largest.shrink(Math.max(largest.bytes / 2, largest.bytes - (this.#used - goal)));
    }
  }
}
