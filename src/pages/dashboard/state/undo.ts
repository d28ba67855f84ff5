import { formatMoment } from '../text/when.js';
import { fetchControl } from './api.js';
import type { Notice } from './notices.js';
import { store } from './store.js';
import { readTextAt } from './wire.js';

/**
 * Saves the world in a hidden snapshot before the page changes much of it. Returns the button that restores it, or none if the world
 * could not be saved.
 */
export async function prepareUndo(): Promise<Notice['more']> {
  const path = `/snapshots/.undo-${Date.now().toString(36)}`;
  try {
    await fetchControl(store.access, 'PUT', path, {});
  } catch {
    return undefined;
  }
  const { access } = store;
  return { label: 'Undo', run: () => void undo(access.key, access.world, path) };
}

async function undo(key: string, world: string | null, path: string): Promise<void> {
  // The notice may be older than the world that is open.
  if (key !== store.access.key || world !== store.access.world) return;
  await store.callAndNotify(
    'POST',
    `${path}/restore`,
    {},
    (answer) => `Undone: the world is back at ${formatMoment(readTextAt(answer, 'Clock', 'Now'))}.`,
  );
}

/** Sends a call that changes much, and shows its notice with a button that undoes it. */
export async function callWithUndo(
  method: string,
  path: string,
  body: unknown,
  done: string | ((answer: unknown) => string),
): Promise<void> {
  const more = await prepareUndo();
  const lasting = path === '/reset' ? 'The journal and the named snapshots cannot be brought back.' : '';
  await store.callAndNotify(method, path, body, done, more && { ...more, lasting });
}
