import { OPERATIONS } from '../../scenarios/script/operations.js';
import { WITHOUT_CONNECTION } from '../../scenarios/script/reach.js';
import { listOtherFaults } from '../choose-faults.js';
import type { SweepResults } from '../engine.js';

/** Lists what a sweep proves nothing about, so that nobody takes a green report for more than it is. */
export function listNotTried({ clean, results, faults, unreachable }: SweepResults): string[] {
  const others = listOtherFaults(faults);
  const worlds = [clean, ...results.map(({ run }) => run)].flatMap((run) => run.worlds);
  const used = new Set(worlds.flatMap(({ calls }) => calls.map(({ operation }) => operation)));
  const unused = OPERATIONS.filter((name) => !used.has(name) && !WITHOUT_CONNECTION.includes(name));
  return [
    ...(others.length === 0 ? [] : [`faults: ${others.join(', ')}`]),
    ...(clean.togethers?.length ? [] : ['two things at once: with together in a flow, or --twice']),
    ...(clean.worlds.some(({ agreed }) => agreed !== null)
      ? []
      : ['amounts: without expect, those of the run without faults count as right']),
    ...unreachable.map((name) => `${name}: refused before any fault can reach it`),
    `operations: ${shortenOperations(unused).join(', ')}`,
  ];
}

/** A resource of which no operation was used is one name, such as `vault.*`. */
function shortenOperations(unused: readonly string[]): string[] {
  const getResource = (name: string): string => name.replace(/\..*$/, '');
  const isUnused = (resource: string): boolean =>
    OPERATIONS.every(
      (name) => getResource(name) !== resource || unused.includes(name) || WITHOUT_CONNECTION.includes(name),
    );
  return [...new Set(unused.map((name) => (isUnused(getResource(name)) ? `${getResource(name)}.*` : name)))];
}
