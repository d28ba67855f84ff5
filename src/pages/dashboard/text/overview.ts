import type { FacetsResponse } from '../state/wire.js';
import { capitalise } from './format.js';

interface DeclineReason {
  readonly name: string;
  readonly count: number;
}

/** How many reasons are named; the others are one line, so that the lines add up to all declined charges. */
const NAMED_MAX = 6;

/** Why charges were declined: each declined charge is counted once, under its last error message. */
export function listDeclineReasons({ Declines }: NonNullable<FacetsResponse['Charges']>): {
  readonly total: number;
  readonly reasons: readonly DeclineReason[];
} {
  const count = (list: typeof Declines): number => list.reduce((sum, { Count }) => sum + Count, 0);
  const others = Declines.slice(NAMED_MAX);
  return {
    total: count(Declines),
    reasons: [
      ...Declines.slice(0, NAMED_MAX).map(({ Name, Count }) => ({
        name: toSentenceCase(Name),
        count: Count,
      })),
      ...(others.length === 0 ? [] : [{ name: 'Other reasons', count: count(others) }]),
    ],
  };
}

/** "Insufficient Funds" in a sentence: Insufficient funds. Names such as 3D and PayTo stay. */
function toSentenceCase(message: string): string {
  const lower = message.replaceAll(/(?<=[a-z]\s)[A-Z][a-z]+(?=\s|$)/g, (word) => word.toLowerCase());
  return capitalise(lower) || 'No reason given';
}
