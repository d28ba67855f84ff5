import { store } from '../../state/store.js';
import type { QueuesResponse, QueueResponse } from '../../state/wire.js';

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

type QueuedStep = QueueResponse['Outcomes'][number];

/** A queued answer in words: do_not_honor, 2s later. */
export function formatStep(step: QueuedStep): string {
  if (typeof step === 'string') return step;
  const { Outcome, Fault, Delay } = step;
  const what = typeof Fault === 'string' ? `fault ${Fault}` : Outcome;
  const late = Delay === undefined ? null : typeof Delay === 'string' ? Delay : JSON.stringify(Delay);
  const parts = [what, late === null ? null : `${late} later`];
  return parts.filter((part) => typeof part === 'string').join(', ');
}
