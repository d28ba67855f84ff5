import type { OpenedResponse } from '../../../../control/opening/schema.js';
import { formatQuantity } from '../format.js';

/** Whether a text is a file that the sandbox opens in a new world, of whatever kind, and not a scenario. */
export function isOpenable(text: string): boolean {
  // The beginning is enough, so that a damaged file is not taken for a scenario.
  return /^\uFEFF?\s*\{\s*"(?:Format"\s*:\s*"playmoney-|log"\s*:)/.test(text);
}

/** Says what was opened, in which world, and what is different there. */
export function describeOpened(what: string, { Worlds, Warnings }: OpenedResponse): string {
  const [first] = Worlds;
  const calls = Worlds.reduce((sum, { Calls }) => sum + Calls, 0);
  const where = `the new world ${first?.Key ?? first?.World}`;
  const among = Worlds.length === 1 ? '' : `, the first of ${Worlds.length}`;
  return [`${what} in ${where}${among}, with ${formatQuantity(calls, 'call')}.`, ...Warnings].join(' ');
}
