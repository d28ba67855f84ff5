import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';

import { hashText } from '../core/random.js';

/** What a key begins with where the environment names none. */
export const KEY_PREFIX = 'sk_test';
/** How much of a test's name its key shows to those who look at the worlds of a server. */
const SHOWN_LENGTH_MAX = 40;

/** Which try of a test is meant, as the runner counts them. */
type Attempt = Pick<NonNullable<RunnerTestCase['result']>, 'retryCount' | 'repeatCount'>;

/**
 * The key of a test's world: the same on every run, so that identifiers in snapshots are, whichever worker runs it; another
 * for each test of a run, and for each try of one.
 */
export function keyOf(task: RunnerTestCase, prefix: string, attempt: Attempt = task.result ?? {}): string {
  const { file } = task;
  const names = namesOf(task);
  const twin = twinsOf(file, names).indexOf(task.id);
  const { retryCount = 0, repeatCount = 0 } = attempt;
  const told = [file.projectName ?? '', file.name, ...names, twin, retryCount, repeatCount].join('\n');
  const [a, b] = hashText(told);
  const shown = names
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .slice(0, SHOWN_LENGTH_MAX);
  return `${prefix}_${shown}_${hex(a)}${hex(b)}`;
}

/** The names of the suites that a task is in, and its own. */
function namesOf(task: RunnerTask): string[] {
  const names: string[] = [];
  for (let one: RunnerTask | undefined = task; one !== undefined && one !== task.file; one = one.suite) {
    names.unshift(one.name);
  }
  return names;
}

/** The tests of a file that have the same names, in their order. */
function twinsOf(file: RunnerTestFile, names: readonly string[]): string[] {
  let tasks: readonly RunnerTask[] = [file];
  for (const name of names) {
    tasks = tasks.flatMap((one) => ('tasks' in one ? one.tasks.filter((inner) => inner.name === name) : []));
  }
  return tasks.map(({ id }) => id);
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
