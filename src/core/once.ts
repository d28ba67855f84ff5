/** A function that does its work once. A failure is forgotten, so that the next call tries again. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let working: Promise<T> | null = null;
  return () =>
    (working ??= work().catch((error: unknown) => {
      working = null;
      throw error;
    }));
}
