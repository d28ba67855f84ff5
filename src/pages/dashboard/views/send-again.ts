import { store } from '../state/store.js';
import type { Again } from '../state/wire.js';

/** Sends a call of the service once more, with the key of the world. */
export async function sendAgain({ Method, Path, Query, Headers, Body }: Again): Promise<void> {
  const { key, world } = store.access;
  if (world !== null) {
    store.notify('The key of this world was not entered in this tab. Copy the call as curl instead.', true);
    return;
  }
  try {
    const body = Body === null ? {} : { body: JSON.stringify(Body) };
    const address = `${Path}${Query === '' ? '' : `?${Query}`}`;
    const { status } = await fetch(address, {
      method: Method,
      headers: { ...Headers, 'x-secretkey': key },
      credentials: 'omit',
      ...body,
    });
    store.notify(`Sent ${Method} ${Path} again: ${status}.`, status >= 400);
  } catch {
    store.notify(`${Method} ${Path} was sent again and got no answer.`, true);
  }
}
