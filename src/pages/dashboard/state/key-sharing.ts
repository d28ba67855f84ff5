import { type Access, fetchControl } from './api.js';
import type { Keyring } from './keyring.js';
import type { WorldsResponse } from './wire.js';

/** The keys of a tab, as tabs of the same browser and server tell each other. Nothing is stored. */
interface SharedKeys {
  readonly known: readonly (readonly [world: string, key: string])[];
  readonly adminToken: string;
}

/**
 * A link that is opened in another tab gets no keys from the browser, so a new tab asks the others. Calls `learnt` after it has got
 * keys that it did not have.
 */
export function shareKeys(keyring: Keyring, learnt: () => void): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel('playmoney.keys');
  channel.addEventListener('message', ({ data }: MessageEvent<SharedKeys | 'ask'>) => {
    if (data === 'ask') channel.postMessage(keyring.shared satisfies SharedKeys);
    else if (keyring.learn(data.known, data.adminToken)) learnt();
  });
  if (keyring.isNew) channel.postMessage('ask');
}

/** The keys that the server lists: on this machine, those that begin with sk_test_. */
export async function fetchListedKeys(access: Access): Promise<[world: string, key: string][]> {
  const answer = await fetchControl(access, 'GET', '/worlds?Limit=100').catch(() => ({ Worlds: [] }));
  return (answer as WorldsResponse).Worlds.flatMap(({ World, Key }) => (Key === null ? [] : [[World, Key]]));
}
