import { formatCount, isObject, parseJson, quoteText } from '../../core/text/text.js';
import { formatInstant, parseInstant } from '../../core/time/time.js';
import { ANSWER_MS, buildCallError, describeWorld } from '../remote/call-server.js';
import { CommandError } from '../terminal/terminal.js';
import type { JsonObject } from '../../control/opening/file-format.js';
import type { Reply } from '../../control/opening/prepare-call.js';
import { sendToTarget, type ReplayTarget } from './send.js';
import type { Trace } from '../../control/opening/recorded-call.js';

async function callControl(
  target: ReplayTarget,
  adminToken: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly answer: JsonObject | null; readonly reply: Reply }> {
  const headers = {
    'content-type': 'application/json',
    ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
  };
  const reply = await sendToTarget(target, {
    method,
    path,
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  const answer = reply.kind === 'whole' && reply.status === 200 ? parseJson(reply.text ?? '') : null;
  return { answer: isObject(answer) ? answer : null, reply };
}

/** Warns if the target's world has had calls already, which change its answers. No line if it is fresh, or no sandbox. */
export async function describeUsedWorld(target: ReplayTarget, adminToken: string | null): Promise<string[]> {
  const quick = { ...target, timeoutMs: Math.min(target.timeoutMs, ANSWER_MS) };
  const { answer, reply } = await callControl(
    quick,
    adminToken,
    'GET',
    '/_sandbox/journal?Limit=1&Undone=false',
  );
  // Otherwise each call would wait for an answer in the same way.
  if (reply.kind !== 'whole') {
    throw buildCallError(
      `${target.url} accepted the connection, but gave no complete answer (${reply.reason}). Give the address of a sandbox or of the service with --against`,
    );
  }
  const calls = Number(answer?.['Count'] ?? 0) + Number(answer?.['Evicted'] ?? 0);
  if (!(calls > 0)) return [];
  const world = describeWorld(reply.world, target.key);
  return [
    `Warning: ${world} is not fresh: it already had ${formatCount(calls, 'call')}, so its answers may differ. Replay with a fresh key: --key sk_test_…`,
  ];
}

/** Moves the manual clock to the instant that corresponds to a recorded one; never back. */
export type MoveClock = (at: number) => Promise<void>;

/**
 * Asks a sandbox for its clock, which must be manual. A recorded clock that was manual or scaled started at the default
 * instant of sandboxes, so its instants are used as they are. If the sandbox is already later, or the recording was in
 * real time, only the time between the calls is used.
 */
export async function createClockMover(
  target: ReplayTarget,
  adminToken: string | null,
  trace: Trace,
): Promise<MoveClock> {
  const ask = async (method: string, path: string, body?: object): Promise<JsonObject> => {
    const { answer, reply } = await callControl(target, adminToken, method, path, body);
    if (answer !== null) return answer;
    const failure = reply.kind === 'none' ? reply.reason : `status ${reply.status}`;
    const detail = `--move-clock: ${target.url} did not answer like a sandbox: ${path} failed (${failure})`;
    throw new CommandError(detail);
  };
  const { Mode, Now } = await ask('GET', '/_sandbox/clock');
  if (Mode !== 'manual') {
    const detail = `--move-clock needs a manual clock, but the clock of this world is ${quoteText(String(Mode))}. Start the sandbox with --clock manual`;
    throw new CommandError(detail);
  }
  const start = parseInstant(String(Now)) ?? 0;
  const first = trace.entries[0]?.at ?? start;
  const shift = trace.clockMode !== 'real' && start <= first ? 0 : start - first;
  let now = start;
  return async (at) => {
    if (at + shift <= now) return;
    now = at + shift;
    await ask('POST', '/_sandbox/clock/advance', { To: formatInstant(now) });
  };
}
