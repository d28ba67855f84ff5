import type { AdvanceResponse } from '../state/wire.js';
import { formatQuantity } from './format.js';

/** A figure of what a move of the clock did, with the list that it counts. */
export interface AdvancePart {
  readonly text: string;
  /** The view of the list, and its filter. */
  readonly view: string;
  readonly status: string | null;
}

/** The words for one job of a kind and for several, and where its records are. Kinds that are left out are steps of others. */
const DONE: Readonly<Record<string, readonly [one: string, more: string, view: string, status?: string]>> = {
  'authorisation.expire': [
    'authorisation expired',
    'authorisations expired',
    'charges',
    'AUTHORISE_CANCELLED',
  ],
  'charge.settle': ['charge settled', 'charges settled', 'charges'],
  'challenge.expire': ['challenge timed out', 'challenges timed out', 'authentications'],
  'checkout.expire': ['check-out expired', 'check-outs expired', 'charges'],
  'transfer.arrive': ['transfer arrived', 'transfers arrived', 'transfers'],
  'subscription.charge': ['subscription charged', 'subscriptions charged', 'subscriptions'],
  'vault.expire': ['vault entry expired', 'vault entries expired', 'vault'],
  'vault.ccvExpire': ['stored Ccv removed', 'stored Ccvs removed', 'vault'],
  'token.expire': ['token expired', 'tokens expired', 'calls'],
  'batch.rows': ['batch row', 'batch rows', 'batches'],
  'batch.finish': ['batch ended', 'batches ended', 'batches'],
  'scenario.timeline': ['event of the scenario', 'events of the scenario', 'scenario'],
};

/** The effects of a move of the clock: 25 authorisations expired, 140 batch rows, 225 webhooks (31 failed). */
export function listAdvanceParts({ Counts, Deliveries, FailedDeliveries }: AdvanceResponse): AdvancePart[] {
  const parts = Object.entries(DONE).flatMap(([kind, [one, more, view, status = null]]) => {
    const { [kind]: count = 0 } = Counts;
    return count === 0 ? [] : [{ text: formatQuantity(count, one, more), view, status }];
  });
  if (Deliveries === 0) return parts;
  const failed = FailedDeliveries === 0 ? '' : ` (${FailedDeliveries.toLocaleString('en-GB')} failed)`;
  return [...parts, { text: formatQuantity(Deliveries, 'webhook') + failed, view: 'webhooks', status: null }];
}

const UNITS: readonly (readonly [ms: number, noun: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
  [1, 'millisecond'],
];

/** How far the clock moved: Moved 7 days, or Moved 1 hour 30 minutes. */
export function describeMove({ From, Now }: Pick<AdvanceResponse, 'From' | 'Now'>): string {
  let left = Date.parse(Now) - Date.parse(From);
  const parts: string[] = [];
  for (const [size, noun] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(formatQuantity(count, noun));
  }
  return parts.length === 0 ? 'The clock did not move' : `Moved ${parts.slice(0, 2).join(' ')}`;
}

/** How many of the jobs that are listed, the first one due first, run up to each of them: also those of the same instant. */
export function countJobsThrough(jobs: readonly { readonly At: string }[], at: string): number {
  return jobs.filter(({ At }) => At <= at).length;
}

export function runToLabel(jobs: number): string {
  return `Run to here (${formatQuantity(jobs, 'job')})`;
}
