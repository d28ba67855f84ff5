import type { Host } from '../../core/host.js';
import { DEFAULT_START } from '../../core/time/clock.js';
import { maskAndCutBody } from '../../journal/body.js';
import { type SentBody, maskUnreadText, toSentBody } from '../../journal/request-body.js';
import type { WorldSettings } from '../../world/settings.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { IdentifierMap } from './identifier-map.js';
import { diffReply, type OutgoingCall, prepareCall, type Reply } from './prepare-call.js';
import type { Trace, TraceEntry } from './recorded-call.js';

/** How long a call may take in real time. Some faults never answer. */
const CALL_MS = 2000;
/** How many calls are sent before other work gets a turn. */
const CALLS_PER_TURN = 20;

/** The sandbox in whose worlds recorded calls are sent. */
export interface Player {
  readonly worlds: Worlds;
  readonly send: (request: Request) => Promise<Response>;
  /** The address of the sandbox, such as `http://localhost`. */
  readonly base: string;
}

/**
 * Sends recorded calls, at their instants, to a new world that replaces that of the key: this gives it a state like the original
 * one. Returns how many answers differ from the recorded ones, or are missing.
 */
export async function playTrace(
  player: Player,
  key: string,
  { entries }: Pick<Trace, 'entries'>,
  base: WorldSettings,
): Promise<number> {
  const { worlds } = player;
  const clock = { mode: 'manual' as const, rate: 0, start: entries[0]?.at ?? DEFAULT_START };
  // Opening a file should not call the receivers in it.
  const world = worlds.build(key, { ...base, webhooks: 'off', clock });
  worlds.replace(world);
  return playCalls(player, world, entries);
}

/** Sends recorded calls to a world with a manual clock, at their instants. Returns how many answers differ, or are missing. */
export async function playCalls(
  player: Player,
  world: World,
  entries: readonly TraceEntry[],
): Promise<number> {
  const ids = new IdentifierMap();
  let different = entries.length;
  for (const [n, entry] of entries.entries()) {
    if (n % CALLS_PER_TURN === CALLS_PER_TURN - 1) await world.host.pause();
    world.requireOpen();
    if (entry.at > world.clock.now()) await world.advance({ to: entry.at });
    const prepared = prepareCall(entry, ids);
    if ('call' in prepared) {
      const reply = await sendWithin(player, world, prepared.call);
      if (diffReply(entry, reply, ids, new Set()).length === 0) different--;
    }
    ids.noteAnswer(n + 1, entry.response);
  }
  return different;
}

async function sendWithin(
  { base, send }: Player,
  { key, host }: { readonly key: string; readonly host: Host },
  { method, path, headers, body }: OutgoingCall,
): Promise<Reply> {
  const ending = new AbortController();
  const { signal } = ending;
  const late = new Error(`no answer within ${CALL_MS} ms`);
  const forget = host.timer(() => ending.abort(late), CALL_MS, true);
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(late)));
  const isBare = method === 'GET' || method === 'HEAD';
  let answer: Response | null = null;
  try {
    const sent = { method, headers: { ...headers, 'x-secretkey': key }, body: isBare ? null : body, signal };
    answer = await Promise.race([send(new Request(base + path, sent)), aborted]);
    const text = await Promise.race([answer.text(), aborted]);
    return { kind: 'whole', status: answer.status, text, world: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return answer === null ? { kind: 'none', reason } : { kind: 'broken', status: answer.status, reason };
  } finally {
    forget();
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
