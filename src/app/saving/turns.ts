/** How many pieces of work run at a time, so that the disk does not wait for the processor, or the reverse. */
const AT_A_TIME = 8;

/** Work on several things, in which each piece on a thing follows the one before. */
export class WorkQueues {
  /** By thing, the end of the last piece of work on it. */
  readonly #ends = new Map<string, Promise<void>>();

  runInTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
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

/** Works on every item, whether or not the work on others fails. Resolves with the errors, by item. */
export async function workInParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<ReadonlyMap<T, unknown>> {
  const left = items.values();
  const errors = new Map<T, unknown>();
  const workOnNext = async (): Promise<void> => {
    for (const item of left) await work(item).catch((error: unknown) => errors.set(item, error));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, workOnNext));
  return errors;
}
