import fc from 'fast-check';

import { steps, type Step } from './commands/index.js';
import type { Driver } from './drivers.js';
import { type Log, play, WORLDS } from './run.js';

/** How the commands are made up and checked, and what a failure says. */

export interface Settings {
  readonly runs: number;
  readonly length: number;
  readonly seed: number;
  /** Where a failure of that seed was shrunk to; null: from the beginning. */
  readonly path: string | null;
}

/** Throws a report of the shortest list of commands at which the sandbox and the specification differ. */
export async function checkModel(driver: Driver, settings: Settings): Promise<void> {
  const { runs, length, seed, path } = settings;
  let round = 0;
  const property = fc.asyncProperty(steps(WORLDS, length), (list) => play(driver, `m${round++}`, list, []));
  const options = { numRuns: runs, seed, endOnFailure: false, ...(path === null ? {} : { path }) };
  const result = await fc.check(property, options);
  if (!result.failed) return;
  const [shortest = []] = result.counterexample ?? [];
  const first = reasonOf(result.errorInstance);
  throw new Error(await report(driver, shortest, first, result.seed, result.counterexamplePath));
}

/** An error with what caused it: a call that fails over HTTP says why only there. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

async function report(
  driver: Driver,
  shortest: readonly Step[],
  first: string,
  seed: number,
  path: string | null,
): Promise<string> {
  const log: Log = [];
  let why = `It did not fail again: is it a race? At first it said: ${first}`;
  try {
    await play(driver, 'report', shortest, log);
  } catch (error) {
    why = reasonOf(error);
  }
  return [
    `The sandbox and the specification differ ${driver.name}, after ${shortest.length} commands:`,
    ...log,
    why,
    `Replay: npm run test:model -- --seed ${seed} --path ${path ?? ''}`,
  ].join('\n');
}
