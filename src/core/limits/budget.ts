/** The share that is freed at a time, because finding the largest holder is too slow for each call. */
const ROOM_SHARE = 0.1;

export interface Holder {
  readonly bytes: number;
  /** Drops what it holds above so many bytes. */
  shrink(bytes: number): void;
}

/** A limit that many holders share, such as the journals of all worlds. When it is exceeded, the largest ones shrink. */
export class Budget {
  readonly #holders = new Set<Holder>();
  #used = 0;

  constructor(readonly max: number) {}

  get used(): number {
    return this.#used;
  }

  /** Notes that the size of a holder has changed by so many bytes. */
  change(holder: Holder, by: number): void {
    this.#used += by;
    if (holder.bytes === 0) this.#holders.delete(holder);
    else if (holder.bytes === by) this.#holders.add(holder);
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
