/** How many pieces of work run at a time, so that the disk does not wait for the processor, or the reverse. */
const AT_A_TIME = 8;

/** Work on several things, in which each piece on a thing follows the one before. */
export class Turns {
  /** By thing, the end of the last piece of work on it. */
  readonly #ends = new Map<string, Promise<void>>();

  take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#ends.get(thing) ?? Promise.resolve()).then(work);
    const end = turn.then(
      () => {},
      () => {},
    );
    this.#ends.set(thing, end);
    void end.then(() => {
      if (this.#ends.get(thing) === end) this.#ends.delete(thing);
    });
    return turn;
  }
}

/** Waits for all, even if one fails. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_A_TIME }, one));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
