import type { Context } from 'hono';

import { ApiError, CODE } from '../core/errors.js';
import { type Fault, leftBy } from '../scenarios/fault.js';
import type { Env, Exchange } from './exchange.js';
import { recordExchange } from './record.js';
import { ConnectionLost, headersOf, noteError, respondError, streamResponse } from './respond.js';

/** What goes wrong on the way of an answer, made so that every server and the in-process fetch show it alike. */

/** Calls that hang are released after an hour, since nothing may wait forever. */
const HANG_MS = 3_600_000;
/** Real time between two bytes of an answer that dribbles. */
const DRIBBLE_MS = 10;
/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const BODILESS = new Set([204, 205, 304]);
const MALFORMED = '<html><body>502 Bad Gateway</body></html>';

/** The answer with a fault on it; throws ConnectionLost where there is to be none. */
export async function performFault(
  c: Context<Env>,
  fault: Fault,
  answered: Response | null,
): Promise<Response> {
  const exchange = c.get('exchange');
  exchange.performed = fault.kind;
  // What the journal shows is what was sent, as far as that is an answer at all.
  if (fault.kind === 'status' || ['nothing', 'no JSON'].includes(leftBy(fault.kind))) {
    exchange.responseBody = null;
    exchange.responseText = null;
  }
  switch (fault.kind) {
    case 'reset':
    case 'empty':
      throw new ConnectionLost(fault.kind);
    case 'hang':
      // Now, not in an hour: who looks at the journal wants to see what hangs.
      recordExchange(c, 0);
      // Who gives up is not waited for: the timer would keep a process alive.
      await c
        .get('edge')
        .host.sleep(HANG_MS, c.req.raw.signal)
        .catch(() => {});
      throw new ConnectionLost('empty');
    case 'malformed':
      return new Response(MALFORMED, { status: 200, headers: headersOf(exchange, 'application/json') });
    case 'status':
      return statusResponse(c, fault);
    case 'truncate':
      return cutShort(c, await textOf(c, answered), answered?.status ?? 503);
    case 'dribble':
      return dribbled(c, await textOf(c, answered), answered?.status ?? 503);
  }
}

function statusResponse(c: Context<Env>, fault: Fault & { kind: 'status' }): Response {
  const { status, body, retryAfterSeconds } = fault;
  const exchange = c.get('exchange');
  if (BODILESS.has(status)) return new Response(null, { status, headers: headersOf(exchange, 'text/plain') });
  if (body === null) {
    const error = new ApiError({
      code: status === 429 ? CODE.RateLimitingApplied : CODE.RetryLater,
      detail: `${asker(exchange)}${clockHint(exchange, status)}`,
      httpStatus: status,
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
    return respondError(exchange, error, c.req.path);
  }
  const headers = headersOf(
    exchange,
    body.startsWith('{') ? 'application/json; charset=utf-8' : 'text/plain',
  );
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  return new Response(body, { status, headers });
}

function asker({ verdict }: Exchange): string {
  return `This answer was asked for by ${verdict?.trigger ?? 'the header x-sandbox-fault'}.`;
}

/** A quota does not pass while time stands still. */
function clockHint({ world }: Exchange, status: number): string {
  const standsStill = status === 429 && world?.clock.mode === 'manual';
  return standsStill ? ' The clock is manual: advance it to go on.' : '';
}

/** The text of an answer; where no operation was done, and so there is none, that of a refusal is cut or dribbled. */
async function textOf(c: Context<Env>, answered: Response | null): Promise<string> {
  return answered === null ? refusalText(c) : answered.text();
}

function refusalText(c: Context<Env>): string {
  const exchange = c.get('exchange');
  const error = new ApiError({ code: CODE.RetryLater, detail: asker(exchange), httpStatus: 503 });
  return JSON.stringify(noteError(exchange, error, c.req.path));
}

/** Half of the body, of which the whole length was promised; then the connection breaks. */
function cutShort(c: Context<Env>, text: string, status: number): Response {
  const bytes = new TextEncoder().encode(text);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      // The first half must have left before the break, or both would be one.
      if (sent) controller.error(new ConnectionLost('empty', 'terminated'));
      else controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      sent = true;
    },
  });
  return promised(c, body, bytes.length, status);
}

function dribbled(c: Context<Env>, text: string, status: number): Response {
  const bytes = new TextEncoder().encode(text);
  const { host } = c.get('edge');
  const { signal } = c.req.raw;
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at > 0) await host.sleep(DRIBBLE_MS);
      signal.throwIfAborted();
      controller.enqueue(bytes.subarray(at, at + 1));
      at++;
      if (at >= bytes.length) controller.close();
    },
  });
  return promised(c, body, bytes.length, status);
}

function promised(
  c: Context<Env>,
  body: ReadableStream<Uint8Array>,
  length: number,
  status: number,
): Response {
  const headers = headersOf(c.get('exchange'), 'application/json; charset=utf-8');
  headers['content-length'] = String(length);
  return streamResponse(c, body, { status, headers });
}
