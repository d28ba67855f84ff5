import { maskReport } from '../../core/text/secrets.js';
import { formatLines, type Output } from './terminal.js';

/** The maximum number of reasons that are printed. */
const REASONS_MAX = 20;

/** Prints each reason for refusing a page or host name once, since browsers do not show it. */
export function reportOnce({ err }: Pick<Output, 'err'>): (detail: string) => void {
  const reported = new Set<string>();
  return (detail) => {
    if (reported.has(detail) || reported.size >= REASONS_MAX) return;
    reported.add(detail);
    // The reason repeats what a client sent, which may be a secret.
    err(formatLines([`playmoney: ${maskReport(detail)}`]));
  };
}
