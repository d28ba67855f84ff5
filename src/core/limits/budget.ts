/** This much is freed at a time, because finding the largest holder is too slow for each call. */
const FREED_SHARE = 0.1;

export interface BudgetHolder {
  readonly bytes: number;
  /** Drops content until at most so many bytes are left. */
  shrink(bytes: number): void;
}

/** A limit in bytes that many holders share, such as the journals of all worlds. When it is exceeded, the largest ones shrink. */
export class Budget {
  readonly #holders = new Set<BudgetHolder>();
  #used = 0;

  constructor(readonly max: number) {}

  get used(): number {
    return this.#used;
  }

  /** Must be called after the size of a holder has changed by so many bytes. */
  change(holder: BudgetHolder, by: number): void {
    this.#used += by;
    if (holder.bytes === 0) this.#holders.delete(holder);
    else if (holder.bytes === by) this.#holders.add(holder);
    if (this.#used > this.max) this.#makeRoom();
  }

  #makeRoom(): void {
    const goal = this.max * (1 - FREED_SHARE);
    while (this.#used > goal) {
      let largest: BudgetHolder | null = null;
      for (const holder of this.#holders) {
        if (largest === null || holder.bytes > largest.bytes) largest = holder;
      }
      if (largest === null) return;
      largest.shrink(Math.max(largest.bytes / 2, largest.bytes - (this.#used - goal)));
    }
  }
}
