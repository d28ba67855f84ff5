import { hrefOf } from '../state/route.js';
import { store } from '../state/store.js';
import type { AdvanceResponse } from '../state/wire.js';
import { counted, dateTime } from '../text/format.js';
import { jobWords } from '../text/jobs.js';

/** Moves the clock. What ran is kept for the view of what is due. */
export async function advance(to: object): Promise<void> {
  const show = (): void => void (location.hash = hrefOf('due'));
  const more = { label: 'Show what ran', run: show };
  const answer = await store.act<AdvanceResponse>('POST', '/clock/advance', to, advanced, more);
  if (answer !== null) store.ran.value = answer;
}

const NAMED_MAX = 3;

function advanced({ Now, Jobs, Deliveries, Ran }: AdvanceResponse): string {
  const kinds = [...new Set(Ran.map((job) => jobWords(job).text))].slice(0, NAMED_MAX);
  const ran = Jobs === 0 ? 'nothing was due' : `${counted(Jobs, 'job')} ran (${kinds.join(', ')})`;
  const tried = Deliveries === 0 ? '' : `, ${counted(Deliveries, 'webhook')} tried`;
  return `Clock moved to ${dateTime(Now)}: ${ran}${tried}.`;
}
