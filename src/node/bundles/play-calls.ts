import { formatCount } from '../../core/text/text.js';
import type { InnerSandbox } from '../../app/sandbox.js';
import { diffReply, prepareCall } from '../replay/prepare-call.js';
import { IdentifierMap } from '../replay/identifier-map.js';
import { buildNthKey, type RecordedWorld } from '../replay/recordings.js';
import { ANSWER_BYTES_MAX, type OutgoingCall, type Reply } from '../replay/send.js';
import type { Trace, TraceEntry } from '../replay/trace.js';
import { readPiecesWithin, readTextUpTo } from '../remote/read-text.js';
import { maskAndCutBody } from '../../journal/body.js';
import { type SentBody, maskUnreadText, toSentBody } from '../../journal/request-body.js';
import type { World } from '../../world/world.js';

const ORIGIN = 'http://localhost';
/** How long a call may take in real time. Some faults never answer. */
const CALL_MS = 2000;

/** Sends recorded calls to new worlds in process, which gives them a state like the original one. Returns what to print. */
export async function playCalls(
  sandbox: InnerSandbox,
  recordings: readonly RecordedWorld[],
  key: string,
): Promise<string> {
  let calls = 0;
  let different = 0;
  for (const [n, { trace }] of recordings.entries()) {
    calls += trace.entries.length;
    different += await playTrace(sandbox, buildNthKey(key, n), trace);
  }
  const result =
    different === 0 ? 'all answers are equal' : `${different} of the answers are different or missing`;
  const worlds = recordings.length === 1 ? 'a new world' : formatCount(recordings.length, 'new world');
  return `Its ${formatCount(calls, 'call')} were sent to ${worlds}, whose webhooks are off: ${result}.`;
}

/** Returns how many answers differ from the recorded ones, or are missing. */
async function playTrace(sandbox: InnerSandbox, key: string, { entries }: Trace): Promise<number> {
  const { worlds } = sandbox;
  await worlds.prepare(key);
  // Opening a file should not call the receivers in it.
  const world = worlds.build(key, { ...worlds.open(key).settings, webhooks: 'off' });
  worlds.replace(world);
  const ids = new IdentifierMap();
  const shift = world.now - (entries[0]?.at ?? world.now);
  let different = entries.length;
  for (const [n, entry] of entries.entries()) {
    if (entry.at + shift > world.clock.now()) await world.advance({ to: entry.at + shift });
    const prepared = prepareCall(entry, ids);
    if ('call' in prepared) {
      const reply = await sendToSandbox(sandbox, key, prepared.call);
      if (diffReply(entry, reply, ids, new Set()).length === 0) different--;
    }
    ids.noteAnswer(n + 1, entry.response);
  }
  return different;
}

async function sendToSandbox(
  sandbox: InnerSandbox,
  key: string,
  { method, path, headers, body }: OutgoingCall,
): Promise<Reply> {
  const signal = AbortSignal.timeout(CALL_MS);
  const request = new Request(ORIGIN + path, {
    method,
    headers: { ...headers, 'x-secretkey': key },
    body: method === 'GET' || method === 'HEAD' ? null : body,
    signal,
  });
  let answer: Response | null = null;
  try {
    answer = await sandbox.fetch(request);
    const text = await readTextUpTo(ANSWER_BYTES_MAX, readPiecesWithin(answer, signal));
    return { kind: 'whole', status: answer.status, text, world: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return answer === null ? { kind: 'none', reason } : { kind: 'broken', status: answer.status, reason };
  }
}

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
