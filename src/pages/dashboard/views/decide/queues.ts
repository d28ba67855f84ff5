import { store } from '../../state/store.js';
import type { QueuesResponse } from '../../state/wire.js';

/** Removes all queued outcomes, which can be undone. */
export async function removeQueues(): Promise<void> {
  const removed = await store.callAndNotify<QueuesResponse>('DELETE', '/outcomes', undefined, null);
  if (removed === null) return;
  const undo = async (): Promise<void> => {
    for (const { Operation, Match, Outcomes } of removed.Queues) {
      const given = Object.entries(Match).filter(([, value]) => value !== null);
      const body = { Operation, Outcomes, Match: Object.fromEntries(given) as object };
      await store.callAndNotify('POST', '/outcomes', body, 'The queued outcomes are back.');
    }
  };
  // The card numbers of conditions come back masked, so such queues cannot be restored.
  const canUndo = removed.Queues.every(({ Match }) => Match.CardNumber === null);
  store.notify(
    'Removed the queued outcomes.',
    false,
    canUndo ? { label: 'Undo', run: () => void undo() } : undefined,
  );
}
