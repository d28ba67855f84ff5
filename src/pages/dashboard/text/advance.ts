import type { AdvanceResponse, JobPage } from '../state/wire.js';
import { formatQuantity, formatSpan } from './format.js';
import { listRanParts, type RanPart } from './jobs.js';

/** The effects of a move of the clock: 25 authorisations expired, 140 batch rows, 225 webhooks (31 failed). */
export function listAdvanceParts({ Counts, Deliveries, FailedDeliveries }: AdvanceResponse): RanPart[] {
  const parts = listRanParts(Counts);
  if (Deliveries === 0) return parts;
  const failed = FailedDeliveries === 0 ? '' : ` (${FailedDeliveries.toLocaleString('en-GB')} failed)`;
  return [...parts, { text: formatQuantity(Deliveries, 'webhook') + failed, view: 'webhooks', status: null }];
}

/** The part of a move that its undo leaves as it is. */
export function describeLasting({ Deliveries }: Pick<AdvanceResponse, 'Deliveries'>): string {
  return Deliveries === 0 ? '' : 'Webhooks that were sent cannot be undone.';
}

/** How far the clock moved: Moved 7 days, or Moved 1 hour 30 minutes. */
export function describeMove({ From, Now }: Pick<AdvanceResponse, 'From' | 'Now'>): string {
  const ms = Date.parse(Now) - Date.parse(From);
  return ms <= 0 ? 'The clock did not move' : `Moved ${formatSpan(ms, true)}`;
}

/** The label of a button that moves the clock to an instant: Run to here (50 jobs). Jobs of the same instant run as well. */
export function labelRun({ Jobs, Skip, Count }: JobPage, at: string, place = 'here'): string {
  const listed = Jobs.filter(({ At }) => At <= at).length;
  const isMore = listed === Jobs.length && Skip + listed < Count;
  const jobs = formatQuantity(Skip + listed, 'job');
  return `Run to ${place} (${isMore ? `at least ${jobs}` : jobs})`;
}
