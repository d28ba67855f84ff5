import type { Context } from 'hono';

import { CODE, refuse, refuseField } from '../../core/errors.js';
import { quoteText } from '../../core/text/text.js';
import { formatDuration, formatInstant } from '../../core/time/time.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { route } from '../../http/route.js';
import type { HeldCall, Holds } from '../../scenarios/script/holds.js';
import type { QueueEntry } from '../../scenarios/script/queue.js';
import { whyNoOutcome } from '../../scenarios/script/reach.js';
import { DecideCall, HeldCallResponse, HoldCalls, HoldsResponse } from './hold-schema.js';
import { presentMatched } from './presenter.js';

const PERFORMED =
  'The call was performed, and only its answer waits: send a Fault, or {} to send the answer.';

export const HOLD_ROWS = [
  route({
    method: 'put',
    path: '/_sandbox/hold',
    id: 'holdCalls',
    summary: 'Hold the next calls',
    text: 'The next calls that match wait, before anything is checked or decided, until POST /_sandbox/hold/{id} decides them. A hold for the same Operation and Match is replaced.',
    body: HoldCalls,
    response: HoldsResponse,
    errors: [[CODE.ValidationError, 409]],
    handle: async (c, { body }) => {
      await checkMatch(c, body);
      const { script } = requireWorld(c);
      script.holds.add(body);
      return presentHolds(script.holds);
    },
  }),
  route({
    method: 'get',
    path: '/_sandbox/hold',
    id: 'getHolds',
    summary: 'List holds and the calls that wait',
    text: 'A call waits even if its client has left, because it has arrived.',
    response: HoldsResponse,
    handle: (c) => presentHolds(requireWorld(c).script.holds),
  }),
  route({
    method: 'post',
    path: '/_sandbox/hold/{id}',
    id: 'decideHeldCall',
    runsWhenFull: true,
    summary: 'Decide a call that waits',
    text: 'Send Outcome, or Fault with or without Phase. Without them it is decided as usual. Phase after without a Fault performs the call, sends its webhooks, and makes its answer wait, with a new HoldId.',
    body: DecideCall,
    bodyOptional: true,
    response: HeldCallResponse,
    errors: [[CODE.ValidationError, 404]],
    handle: (c, { params, body }) => {
      const { holds } = requireWorld(c).script;
      const call = requireHeldCall(holds, params.id);
      const why =
        body?.outcome === undefined ? null : whyNoOutcome(body.outcome, [call.arrival.facts.operation]);
      if (why !== null) refuseField(CODE.ValidationError, 'Outcome', `has no effect: ${why}`);
      if (call.arrival.isAnswer && body !== null && body.fault === undefined)
        refuse(CODE.ValidationError, PERFORMED);
      holds.decide(call.id, 'hand', body);
      return presentHeldCall(call);
    },
  }),
  route({
    method: 'delete',
    path: '/_sandbox/hold',
    id: 'endHolds',
    runsWhenFull: true,
    summary: 'End all holds',
    text: 'The calls that wait are decided as usual. Returns what there was.',
    response: HoldsResponse,
    handle: (c) => {
      const { script } = requireWorld(c);
      const ended = presentHolds(script.holds);
      script.holds.clear();
      return ended;
    },
  }),
];

/** Refuses what can never match, and warns of what looks like a mistake. */
export async function checkMatch(
  c: Context<Env>,
  calls: Pick<QueueEntry, 'operation' | 'match'>,
): Promise<void> {
  if (Object.keys(calls.match).length === 0) return;
  const { vetMatch } = await import('../../scenarios/file/schema.js');
  c.get('exchange').warnings.push(...vetMatch(calls));
}

function requireHeldCall(holds: Holds, id: string): HeldCall {
  const call = /^\d{1,9}$/.test(id) ? holds.find(Number(id)) : undefined;
  if (call !== undefined) return call;
  const ids = holds.waiting().map((waiting) => waiting.id);
  const known = ids.length === 0 ? 'no call waits' : `these wait: ${ids.join(', ')}`;
  return refuse(CODE.ValidationError, `No call waits with the HoldId ${quoteText(id, 64)}; ${known}.`, {
    httpStatus: 404,
  });
}

function presentHolds(holds: Holds): HoldsResponse {
  return {
    Holds: holds.list().map(({ count, timeoutMs, ...calls }) => ({
      ...presentMatched(calls),
      Count: count,
      Timeout: formatDuration(timeoutMs),
    })),
    Waiting: holds.waiting().map(presentHeldCall),
  };
}

export function presentHeldCall({ id, arrival }: HeldCall): HeldCallResponse {
  const { facts, method, path, since, until, isAnswer } = arrival;
  return {
    HoldId: id,
    At: formatInstant(facts.now),
    Operation: facts.operation,
    Method: method,
    Path: path,
    Answer: isAnswer,
    Reference: facts.reference,
    Amount: facts.amount === null ? null : Number(facts.amount),
    Currency: facts.currency,
    Since: formatInstant(since),
    Until: formatInstant(until),
  };
}
