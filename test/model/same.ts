import type { Call } from './commands/kind.js';
import type { Answer } from './drivers.js';

/** What comparing a world with its model needs. */

export type Ask = (call: Call) => Promise<Answer>;

/** A difference between what a world shows and what its model has. */
export function requireSame(what: string, shown: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(shown), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} differs.\n  shown:    ${a}\n  expected: ${b}`);
}
