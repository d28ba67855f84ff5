import type { OpenedResponse } from '../../../../control/opening/schema.js';
import { FIRST_VIEW, viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import type { FullCall } from '../../state/wire.js';
import { describeOpened, isOpenable } from '../../text/decide/opened.js';
import { applyScenarioFile } from './own-scenario.js';

/** Opens a file in a new world. A file that cannot be opened is taken for a scenario of this world. */
export async function openChosenFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const text = await file.text();
  if (!isOpenable(text)) {
    location.hash = viewHref('scenario');
    return applyScenarioFile(file.name, text);
  }
  const document = parseDocument(text);
  if (document === null) return store.notify(`${file.name} is damaged: it is not valid JSON.`, true);
  const opened = await store.callAndNotify<OpenedResponse>('POST', '/open', document, null);
  if (opened !== null) showOpened(`${file.name} is open`, opened, FIRST_VIEW);
}

/** Opens a new world in the state before a call, and shows the call there, ready to be sent again. */
export async function branchHere({ EntryId }: FullCall): Promise<void> {
  const opened = await store.callAndNotify<OpenedResponse>('POST', `/journal/${EntryId}/branch`, {}, null);
  const [world] = opened?.Worlds ?? [];
  if (opened === null || world === undefined) return;
  showOpened('This is the state before the call,', opened, 'calls', { open: String(world.EntryId) });
}

function showOpened(what: string, opened: OpenedResponse, view: string, query = {}): void {
  const [first] = opened.Worlds;
  if (first === undefined) return;
  if (first.Key !== null) store.keyring.remember(first.Key, first.World);
  location.hash = viewHref(view, null, query, first.World);
  // At once, since a switch of the world takes away the notice of the one before.
  store.showAddress(location.hash);
  store.notify(describeOpened(what, opened));
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return null;
  }
}

/** Files that are dropped anywhere on the page. */
export function onDrop(event: DragEvent): void {
  event.preventDefault();
  if (event.type === 'drop') void openChosenFile(event.dataTransfer?.files[0]);
}
