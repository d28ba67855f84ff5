/** A turn that was given to a party, and the parties that could have had it. */
export interface Turn {
  readonly party: number;
  readonly ready: readonly number[];
}

/** The turns of a run at one `together`. */
export interface TogetherRun {
  /** The point: `together`, `together #2`, … */
  readonly name: string;
  /** The turns of the parties; empty if they went one after the other. */
  readonly turns: readonly Turn[];
}

interface Seat {
  /** The pieces of the party that wait for a turn, in order. */
  readonly waiting: (() => void)[];
  hasEnded: boolean;
}

/**
 * Gives parties their turns, one at a time: a turn lets a party start, make a call, or receive an answer. Turns follow an order as
 * far as it goes. Then a party goes on as long as it can, and the next one after it.
 */
export class Turns {
  readonly given: Turn[] = [];
  isOver = false;
  readonly #seats: Seat[] = [];
  #change = (): void => {};

  constructor(
    private readonly order: readonly number[],
    /** Resolves when each party waits for its turn, has ended, or waits for something else. */
    private readonly settle: () => Promise<void>,
  ) {}

  /** Adds a party, and returns its number. */
  join(): number {
    return this.#seats.push({ waiting: [], hasEnded: false }) - 1;
  }

  /** Resolves when it is the party's turn; at once when all turns are over. */
  async wait(party: number): Promise<void> {
    if (this.isOver) return;
    await new Promise<void>((resolve) => {
      this.#seats[party]?.waiting.push(resolve);
      this.#change();
    });
  }

  end(party: number): void {
    const seat = this.#seats[party];
    if (seat !== undefined) seat.hasEnded = true;
    this.#change();
  }

  /** Whether the party waits for its turn or has ended. */
  isSettled(party: number): boolean {
    const seat = this.#seats[party];
    return seat === undefined || seat.hasEnded || seat.waiting.length > 0;
  }

  /** Gives turns until the parties that are there at the beginning have ended. Those that joined later then go on by themselves. */
  async give(): Promise<void> {
    const first = [...this.#seats];
    for (;;) {
      await this.settle();
      if (first.every(({ hasEnded }) => hasEnded)) break;
      // If no party can go on, nothing happens until one of them waits again or ends.
      if (!this.#giveTurn()) await new Promise<void>((resolve) => (this.#change = resolve));
    }
    this.isOver = true;
    for (const { waiting } of this.#seats) for (const go of waiting.splice(0)) go();
  }

  #giveTurn(): boolean {
    const ready = [...this.#seats.keys()].filter((party) => this.#seats[party]?.waiting.length);
    const wanted = this.order[this.given.length] ?? this.given.at(-1)?.party ?? 0;
    const party = ready.includes(wanted) ? wanted : ready[0];
    if (party === undefined) return false;
    this.given.push({ party, ready });
    this.#seats[party]?.waiting.shift()?.();
    return true;
  }
}
