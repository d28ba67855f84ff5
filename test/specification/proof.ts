import { setup, type Setup } from '../support/tests.js';

/** Proves one statement, in a world of its own. */
export type Proof = (made: Setup) => Promise<void>;

/** What one line states, with the proof of each statement; a text in place of a proof says why there is none. */
export type Statements = Readonly<Record<string, Proof | string>>;

/** Lines of the specification by their text, or by a beginning that no other line has. */
export type Proofs = Readonly<Record<string, Statements>>;

/** Proves the statements of a line one after the other; a failure names its statement. */
export async function expectStatements(statements: Statements): Promise<void> {
  for (const [statement, proof] of Object.entries(statements)) {
    try {
      if (typeof proof !== 'string') await proof(setup());
    } catch (error) {
      if (error instanceof Error) error.message = `${statement}: ${error.message}`;
      throw error;
    }
  }
}

/** What is not proved of a line, as its test says it. */
export function exceptionsOf(statements: Statements): string {
  const reasons = Object.entries(statements).filter(([, proof]) => typeof proof === 'string');
  return reasons.map(([statement, reason]) => ` [${statement}: ${String(reason)}]`).join('');
}

/** How many statements are proved. */
export function countProved(proofs: Proofs): number {
  const all = Object.values(proofs).flatMap((statements) => Object.values(statements));
  return all.filter((proof) => typeof proof !== 'string').length;
}
