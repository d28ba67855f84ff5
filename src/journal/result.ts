import type { Entry } from './entry.js';

/**
 * How a call ended: `done`; `declined`, as a provider, a scenario or a fault decided; `refused`, because the caller made a mistake
 * or a limit was reached; or `unanswered`.
 */
export const RESULTS = ['done', 'declined', 'refused', 'unanswered'] as const;
export type CallResult = (typeof RESULTS)[number];

export function classifyResult({
  status,
  precedence,
  fault,
}: Pick<Entry, 'status' | 'precedence' | 'fault'>): CallResult {
  if (status === 0) return 'unanswered';
  if (status < 400) return 'done';
  return precedence === null && fault === null ? 'refused' : 'declined';
}
