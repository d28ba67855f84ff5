import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { AdvanceResponse } from '../state/wire.js';
import { formatQuantity, formatDateTime } from '../text/format.js';
import { describeJob } from '../text/jobs.js';

/** Moves the clock. What ran is kept for the view of what is due. */
export async function advanceClock(to: object): Promise<void> {
  const show = (): void => void (location.hash = viewHref('due'));
  const more = { label: 'Show what ran', run: show };
  const answer = await store.callAndNotify<AdvanceResponse>(
    'POST',
    '/clock/advance',
    to,
    describeAdvance,
    more,
  );
  if (answer !== null) store.lastAdvance.value = answer;
}

const NAMED_MAX = 3;

function describeAdvance({ Now, Jobs, Deliveries, Ran }: AdvanceResponse): string {
  const kinds = [...new Set(Ran.map((job) => describeJob(job).text))].slice(0, NAMED_MAX);
  const ran = Jobs === 0 ? 'nothing was due' : `${formatQuantity(Jobs, 'job')} ran (${kinds.join(', ')})`;
  const tried = Deliveries === 0 ? '' : `, ${formatQuantity(Deliveries, 'webhook')} tried`;
  return `Clock moved to ${formatDateTime(Now)}: ${ran}${tried}.`;
}
