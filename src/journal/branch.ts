/** The calls with numbers from one up to another, which is not included. */
export interface CallRange {
  readonly from: number;
  readonly to: number;
}

/** Where a snapshot was taken among the calls of its world. */
export interface BranchPoint {
  /** The number of the first call after it. */
  readonly next: number;
  /** The earlier calls that were undone already. */
  readonly undone: readonly CallRange[];
}

/** Which calls of a journal belong to the present of their world: all but those that a restore has undone. */
export class Branch {
  /** In order. Between two ranges are calls of the present, so there are fewer ranges than calls. */
  #undone: CallRange[] = [];

  get undone(): readonly CallRange[] {
    return [...this.#undone];
  }

  set undone(ranges: readonly CallRange[]) {
    this.#undone = [...ranges];
  }

  isUndone(id: number): boolean {
    let [low, high] = [0, this.#undone.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#undone[middle]?.to ?? 0) <= id) low = middle + 1;
      else high = middle;
    }
    return (this.#undone[low]?.from ?? Infinity) <= id;
  }

  /** Undoes the newest calls: from one on, up to `next`, which is the number of the next call. */
  undo(from: number, next: number): void {
    const last = this.#undone.at(-1);
    if (last?.to === from) this.#undone.splice(-1, 1, { from: last.from, to: next });
    else if (from < next) this.#undone.push({ from, to: next });
  }

  /** Returns to a snapshot: the calls since then are undone, or all if it knows none of them. Forgets what the journal has dropped. */
  returnTo(point: BranchPoint | null, { oldestId, nextId }: { oldestId: number; nextId: number }): void {
    this.undone = point?.undone.filter(({ to }) => to > oldestId) ?? [];
    this.undo(Math.max(point?.next ?? 0, oldestId), nextId);
  }
}
