import { maskAndCutBody } from '../../journal/body.js';
import { type SentBody, maskUnreadText, toSentBody } from '../../journal/request-body.js';
import type { World } from '../../world/world.js';
import type { Trace, TraceEntry } from '../replay/trace.js';

/** Puts the calls of a bundle into the journal of its world, which has had none yet. */
export function recordCalls({ journal }: World, { recorded, evicted }: Trace): void {
  journal.skip(evicted);
  for (const { shown, headers, response, isTruncated, isUndone, ...entry } of recorded) {
    const id = journal.record({
      ...shown,
      ...entry,
      headers: Object.entries(headers),
      request: toRecordedBody(entry),
      responseBody: response,
      responseText: null,
      isRecorded: true,
      isAnswerCut: isTruncated && !entry.isRequestTruncated,
    });
    if (isUndone) journal.branch.undo(id, id + 1);
  }
}

/** The body of a request as the journal had it, with stand-ins in place of masks. */
function toRecordedBody({
  body,
  isRequestTruncated,
}: Pick<TraceEntry, 'body' | 'isRequestTruncated'>): SentBody | null {
  if (isRequestTruncated) return { ...maskAndCutBody(body, null, []), truncated: true };
  if (body === null) return null;
  return typeof body === 'string' ? maskUnreadText(body) : toSentBody(JSON.stringify(body), body);
}
