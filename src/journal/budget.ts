/** The estimated maximum bytes of the journals of all worlds together: our own limit. */
const ALL_JOURNALS_BYTES_MAX = 256 * 1024 * 1024;
/** The share that is freed at once, because finding the largest journal is too slow for each call. */
const ROOM_SHARE = 0.1;

interface Holder {
  readonly bytes: number;
  shrink(bytes: number): void;
}

/** Bounds the memory of all journals of a sandbox, however many worlds there are. */
export class JournalBudget {
  readonly #holders = new Set<Holder>();
  #used = 0;

  constructor(private readonly max = ALL_JOURNALS_BYTES_MAX) {}

  get used(): number {
    return this.#used;
  }

  /** Notes a change in the size of a journal. If all together are too large, the largest ones evict their oldest entries. */
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
