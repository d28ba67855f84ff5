import type { JournalEntry } from '../../client/answers.js';
import type { CodeLine } from '../public.js';

/** Where the program made a call. The line is looked up only for a finding, because that takes longer than a call. */
export interface CallSite {
  readonly method: string;
  readonly path: string;
  readonly locate: () => CodeLine | null;
}

/** The line that made the call of an entry: the calls of one method and path arrive in the order in which they were made. */
export function locateCall(
  sites: readonly CallSite[],
  entries: readonly JournalEntry[],
  entry: JournalEntry | null,
): CodeLine | null {
  if (entry === null) return null;
  const isSame = ({ method, path }: Pick<CallSite, 'method' | 'path'>): boolean =>
    method === entry.method && path === entry.path;
  const n = entries.filter(isSame).indexOf(entry);
  return sites.filter(isSame)[n]?.locate() ?? null;
}
