import { formatCount } from '../../core/text/text.js';
import type { InnerSandbox } from '../../app/sandbox.js';
import type { World } from '../../world/world.js';
import { diffReply, prepareCall } from '../replay/prepare-call.js';
import { IdentifierMap } from '../replay/identifier-map.js';
import { buildNthKey, type RecordedWorld } from '../replay/recordings.js';
import { ANSWER_BYTES_MAX, type OutgoingCall, type Reply } from '../replay/send.js';
import type { Trace } from '../replay/trace.js';
import { readPiecesWithin, readTextUpTo } from '../remote/read-text.js';

const ORIGIN = 'http://localhost';
/** How long a call may take in real time. Some faults never answer. */
const CALL_MS = 2000;

/** Sends recorded calls to new worlds in process, which gives them a state like the original one. Returns what to print. */
export async function playCalls(
  sandbox: InnerSandbox,
  recordings: readonly RecordedWorld[],
  key: string,
): Promise<string> {
  const sum = { calls: 0, alike: 0 };
  for (const [n, { trace }] of recordings.entries()) {
    sum.calls += trace.entries.length;
    sum.alike += await playTrace(sandbox, buildNthKey(key, n), trace);
  }
  const others = sum.calls - sum.alike;
  const result = others === 0 ? 'all answers are equal' : `${others} of the answers are different or missing`;
  const worlds = recordings.length === 1 ? 'a new world' : formatCount(recordings.length, 'new world');
  return `Its ${formatCount(sum.calls, 'call')} were sent to ${worlds}, whose webhooks are off: ${result}.`;
}

async function playTrace(sandbox: InnerSandbox, key: string, { entries }: Trace): Promise<number> {
  const { worlds } = sandbox;
  await worlds.prepare(key);
  // Opening a file should not call the receivers in it.
  const world = worlds.build(key, { ...worlds.open(key).settings, webhooks: 'off' });
  worlds.replace(world);
  const ids = new IdentifierMap();
  const shift = world.now - (entries[0]?.at ?? world.now);
  let alike = 0;
  for (const [n, entry] of entries.entries()) {
    if (entry.at + shift > world.clock.now()) await world.advance({ to: entry.at + shift });
    const prepared = prepareCall(entry, ids);
    if ('call' in prepared) {
      const reply = await sendToSandbox(sandbox, world, prepared.call);
      if (diffReply(entry, reply, ids, new Set()).length === 0) alike++;
    }
    ids.noteAnswer(n + 1, entry.response);
  }
  return alike;
}

async function sendToSandbox(
  sandbox: InnerSandbox,
  { key }: World,
  { method, path, headers, body }: OutgoingCall,
): Promise<Reply> {
  const signal = AbortSignal.timeout(CALL_MS);
  const request = new Request(ORIGIN + path, {
    method,
    headers: { ...headers, 'x-secretkey': key },
    body: method === 'GET' || method === 'HEAD' ? null : body,
    signal,
  });
  let status = 0;
  try {
    const response = await sandbox.fetch(request);
    ({ status } = response);
    const text = await readTextUpTo(ANSWER_BYTES_MAX, readPiecesWithin(response, signal));
    return { kind: 'whole', status, text, world: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return status === 0 ? { kind: 'none', reason } : { kind: 'broken', status, reason };
  }
}
