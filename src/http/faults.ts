import type { Context } from 'hono';

import { ApiError, CODE } from '../core/errors.js';
import { BODILESS, type FaultSpec, partLeftBy } from '../scenarios/file/fault.js';
import { type Env, type Exchange, requireWorld } from './exchange.js';
import { recordExchange } from './answers/record-exchange.js';
import { ConnectionLost, buildAnswerHeaders, noteError, sendError, sendStream } from './answers/respond.js';

/** Network faults, implemented so that every server and the in-process fetch behave alike. */

/** Calls that hang are ended after an hour, since nothing may wait forever. */
const HANG_MS = 3_600_000;
/** Real milliseconds between two bytes of an answer that dribbles. */
const DRIBBLE_MS = 10;
const MALFORMED = '<html><body>502 Bad Gateway</body></html>';

/** Applies a fault to an answer. Throws ConnectionLost if there must be no answer. */
export async function performFault(
  c: Context<Env>,
  fault: FaultSpec,
  answer: Response | null,
): Promise<Response> {
  const exchange = c.get('exchange');
  const world = requireWorld(c);
  exchange.performedFault = fault.kind;
  // The journal shows only what was really sent.
  if (fault.kind === 'status' || ['nothing', 'no JSON'].includes(partLeftBy(fault.kind))) {
    exchange.responseBody = null;
    exchange.responseText = null;
  }
  switch (fault.kind) {
    case 'reset':
    case 'empty':
      throw new ConnectionLost(fault.kind);
    case 'hang':
      // Record it now, not in an hour, so that the journal shows calls that hang.
      recordExchange(c, 0);
      c.get('edge').settings.onHang?.(c.env);
      // Ends when the client gives up, or the timer would keep the process alive. After a reset, it is refused.
      await world.waits.sleep(HANG_MS, c.req.raw.signal);
      world.requireOpen();
      throw new ConnectionLost('empty');
    case 'malformed':
      return new Response(MALFORMED, {
        status: 200,
        headers: buildAnswerHeaders(exchange, 'application/json'),
      });
    case 'status':
      return sendStatus(c, fault);
    case 'truncate':
      return sendHalf(c, await readAnswerText(c, answer), answer?.status ?? 503);
    case 'dribble':
      return sendSlowly(c, await readAnswerText(c, answer), answer?.status ?? 503);
  }
}

function sendStatus(c: Context<Env>, fault: FaultSpec & { kind: 'status' }): Response {
  const { status, body, retryAfterSeconds } = fault;
  const exchange = c.get('exchange');
  if (BODILESS.has(status))
    return new Response(null, { status, headers: buildAnswerHeaders(exchange, 'text/plain') });
  if (body === null) {
    const error = new ApiError({
      code: status === 429 ? CODE.RateLimitingApplied : CODE.RetryLater,
      detail: `${describeFaultOrigin(exchange)}${hintAtClock(exchange, status)}`,
      httpStatus: status,
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
    return sendError(exchange, error, c.req.path);
  }
  const headers = buildAnswerHeaders(
    exchange,
    body.startsWith('{') ? 'application/json; charset=utf-8' : 'text/plain',
  );
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  return new Response(body, { status, headers });
}

/** A header, a queue and a hold get the same text, because a replay sends a header for what the others decided. */
function describeFaultOrigin({ verdict }: Exchange): string {
  const rule = verdict?.trigger.startsWith('queue:') ? undefined : verdict?.trigger;
  return `This response was requested by ${rule ?? 'the header x-sandbox-fault, a queued fault or a hold'}.`;
}

/** Under a manual clock, a quota is not renewed until the clock is advanced. */
function hintAtClock({ world }: Exchange, status: number): string {
  const standsStill = status === 429 && world?.clock.mode === 'manual';
  return standsStill ? ' The clock is manual: advance it to continue.' : '';
}

/** The text of the answer, or that of a refusal if the operation was not run. */
async function readAnswerText(c: Context<Env>, answer: Response | null): Promise<string> {
  return answer === null ? buildRefusalText(c) : answer.text();
}

function buildRefusalText(c: Context<Env>): string {
  const exchange = c.get('exchange');
  const error = new ApiError({
    code: CODE.RetryLater,
    detail: describeFaultOrigin(exchange),
    httpStatus: 503,
  });
  return JSON.stringify(noteError(exchange, error, c.req.path));
}

/** Sends half of the body with the content length of all of it, then breaks the connection. */
function sendHalf(c: Context<Env>, text: string, status: number): Response {
  const bytes = new TextEncoder().encode(text);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      // The first half must be sent before the break, or the client would see only the break.
      if (sent) controller.error(new ConnectionLost('empty', 'terminated'));
      else controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      sent = true;
    },
  });
  return sendWithLength(c, body, bytes.length, status);
}

function sendSlowly(c: Context<Env>, text: string, status: number): Response {
  const bytes = new TextEncoder().encode(text);
  const world = requireWorld(c);
  const { signal } = c.req.raw;
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at > 0) await world.waits.sleep(DRIBBLE_MS, signal);
      signal.throwIfAborted();
      if (world.waits.areEnded) throw new ConnectionLost('empty', 'terminated');
      controller.enqueue(bytes.subarray(at, at + 1));
      at++;
      if (at >= bytes.length) controller.close();
    },
  });
  return sendWithLength(c, body, bytes.length, status);
}

function sendWithLength(
  c: Context<Env>,
  body: ReadableStream<Uint8Array>,
  length: number,
  status: number,
): Response {
  const headers = buildAnswerHeaders(c.get('exchange'), 'application/json; charset=utf-8');
  headers['content-length'] = String(length);
  return sendStream(c, body, { status, headers });
}
