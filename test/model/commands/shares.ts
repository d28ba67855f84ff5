import type fc from 'fast-check';

import { written } from '../arithmetic.js';
import { DEFAULT_CURRENCY } from '../spec.js';
import { weighted } from './kind.js';

/** The amount of a change, in words that a charge gives a meaning. */
export const share = (): fc.Arbitrary<string> =>
  weighted([6, ['all', 'half', 'one unit']], [1, ['one unit more', 'twice', '0', '-1', 'ten', '1.2345']]);

/** The text of a share of so many minor units. */
export function textOfShare(asked: string, minor: number, code = DEFAULT_CURRENCY): string {
  const said: Record<string, number> = {
    all: minor,
    half: Math.floor(minor / 2),
    'one unit': 1,
    'one unit more': minor + 1,
    twice: 2 * minor,
  };
  const found = said[asked];
  return found === undefined ? asked : written(found, code);
}
