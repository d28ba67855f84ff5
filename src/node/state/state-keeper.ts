import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import { print } from '../cli/terminal.js';
import { FileError } from './whole-file.js';

/** How often worlds that have changed are written. */
const KEEP_MS = 5000;

/**
 * Writes the worlds each five seconds in which something has changed. What is given back stops that and writes them for the
 * last time; it gives back whether they are kept.
 */
export function keepWorlds(
  worlds: Worlds,
  write: (worlds: Worlds) => Promise<unknown>,
): () => Promise<boolean> {
  let kept = markOf(worlds);
  let told = '';
  let writing: Promise<boolean> = Promise.resolve(true);
  const keep = async (): Promise<boolean> => {
    const mark = markOf(worlds);
    if (isSame(mark, kept)) return true;
    try {
      await write(worlds);
      kept = mark;
      told = '';
      return true;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.message !== told) print(process.stderr, `playmoney: --state: ${error.message}\n`);
      told = error.message;
      return false;
    }
  };
  // One after the other: two must not write at once.
  const next = (): Promise<boolean> => (writing = writing.then(keep));
  const timer = setInterval(() => void next(), KEEP_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return next();
  };
}

/** What tells that worlds have changed: whatever happens in one is counted, scheduled or delivered. */
function markOf(worlds: Worlds): unknown[] {
  return Array.from(worlds.all()).flatMap((world) => [world, ...countsOf(world)]);
}

function countsOf({ chance, jobs, webhooks, script, clock }: World): unknown[] {
  return [
    chance.countOf('requests'),
    chance.countOf('controls'),
    jobs.nextDue,
    jobs.size,
    webhooks.ended,
    script.scenario,
    clock.mode,
  ];
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, i) => Object.is(value, other[i]));
}
