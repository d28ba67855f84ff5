import { sandboxHome } from '../../home.js';
import { store } from '../state/store.js';
import type { RepeatableCall, FullCall, AdvanceResponse } from '../state/wire.js';
import { viewHref } from '../state/route.js';
import { prepareUndo } from '../state/undo.js';
import { describeLasting, describeMove, listAdvanceParts } from '../text/advance.js';
import type { RecordAction } from '../text/steps.js';
import { describeSimulated } from '../text/steps.js';

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
    await store.callAndNotify(
      'POST',
      '/simulate',
      { Action: act.action, Ref: act.ref },
      describeSimulated(act.action),
    );
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

/** Moves the clock, which can be undone. What ran is kept for the view of what is due. */
export async function advanceClock(to: object): Promise<void> {
  const more = await prepareUndo();
  const answer = await store.callAndNotify<AdvanceResponse>('POST', '/clock/advance', to, null);
  if (answer === null) return;
  store.lastAdvance.value = answer;
  const parts = listAdvanceParts(answer);
  const links = parts.map(({ text, view, status }) => ({
    text,
    href: viewHref(view, null, { Status: status }),
  }));
  const undo = more && { ...more, lasting: describeLasting(answer) };
  const ran = answer.Jobs === 0 ? [] : [{ text: 'all that ran', href: viewHref('due') }];
  store.notify(`${describeMove(answer)}${links.length === 0 ? ': nothing was due.' : ''}`, false, undo, [
    ...links,
    ...ran,
  ]);
}
