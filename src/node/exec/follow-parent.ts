const PARENT_CHECK_MS = 500;

/** npm passes SIGTERM to its shell alone, and some shells die without a word to the program: then it ends too. */
export function followParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}
