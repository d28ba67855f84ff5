import { sandboxHome } from '../../home.js';
import { store } from '../state/store.js';
import type { RepeatableCall, FullCall, AdvanceResponse } from '../state/wire.js';
import { viewHref } from '../state/route.js';
import { formatQuantity, formatDateTime } from '../text/format.js';
import { describeJob } from '../text/jobs.js';
import type { RecordAction } from '../text/steps.js';
import { describeSimulated } from '../text/simulated.js';

/** Has the server send a call again, since only its journal has the credentials of the call. */
export async function sendAgain({ EntryId, Method, Path }: FullCall): Promise<void> {
  const callLine = `${Method} ${Path}`;
  await store.callAndNotify<{ Status: number }>('POST', `/journal/${EntryId}/repeat`, null, ({ Status }) =>
    Status === 0 ? `${callLine} was sent and got no answer.` : `Sent ${callLine}: ${Status}.`,
  );
}

/** Does what a person asked for, until it is answered. */
export async function performAction(act: RecordAction): Promise<void> {
  if (act.does === 'run') return advanceClock({ To: act.to });
  if (act.does === 'simulate') {
    await store.callAndNotify('POST', '/simulate', { Action: act.action, Ref: act.ref }, describeSimulated(act.action));
    return;
  }
  const [Path = '', Query = ''] = act.path.split('?');
  const Headers = act.body === null ? {} : { 'content-type': 'application/json' };
  await sendServiceCall({ Method: act.method, Path, Query, Headers, Body: act.body });
}

/** Sends a call of the service with the key of the world, and says what came of it. */
export async function sendServiceCall({ Method, Path, Query, Headers, Body }: RepeatableCall): Promise<void> {
  const { key, world } = store.access;
  if (world !== null) {
    store.notify('The key of this world is not known here. Enter it first: press w.', true);
    return;
  }
  const callLine = `${Method} ${Path}`;
  try {
    const { status } = await fetch(`${sandboxHome()}${Path}${Query === '' ? '' : `?${Query}`}`, {
      method: Method,
      headers: { ...Headers, 'x-secretkey': key },
      credentials: 'omit',
      body: Body === null ? null : JSON.stringify(Body),
    });
    store.notify(`Sent ${callLine}: ${status}.`, status >= 400);
  } catch {
    store.notify(`${callLine} was sent and got no answer.`, true);
  }
}

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
