/** Bytes that the journals of all worlds hold together at most, by estimate: our own limit. */
const ALL_JOURNALS_BYTES_MAX = 256 * 1024 * 1024;
/** How much is free again when room was made: looking for the largest journal costs, and is not done at each call. */
const ROOM_SHARE = 0.1;

interface Holder {
  readonly bytes: number;
  shrink(bytes: number): void;
}

/** What the journals of one sandbox hold together: however many worlds there are, it is bounded. */
export class JournalBudget {
  readonly #holders = new Set<Holder>();
  #used = 0;

  constructor(private readonly max = ALL_JOURNALS_BYTES_MAX) {}

  get used(): number {
    return this.#used;
  }

  /** Notes that a journal holds more, or less; where all hold too much, the largest ones let go of their oldest. */
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
