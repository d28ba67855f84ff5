import type { Context } from 'hono';

import { type ApiError, requireErrorRow, type Refusal } from '../../core/errors.js';
import { maskSecrets } from '../../core/text/secrets.js';
import { escapeUnseen } from '../../core/text/text.js';
import { isApproved, requireOutcome } from '../../outcomes/outcomes.js';
import type { ProviderAnswer } from '../../outcomes/provider.js';
import { explainDecline, type DeclineReason, buildDecline } from './declines.js';
import { translateAnswer, type ErrorBody, translateError } from './dialect.js';
import { delayAnswer, type Env, type Exchange, noteCaused, findTrigger, requireWorld } from '../exchange.js';
import type { Payer } from '../fields/summaries.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const WARNING_MAX = 1024;
/** Half of a surrogate pair, which cannot be encoded. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** The last percent-encoded character, which may be incomplete after a cut. */
const LAST_ESCAPED = /(?:%[C-F][\dA-F](?:%[89AB][\dA-F])*)?(?:%[\dA-F]?)?$/;
/** Response headers that a page of another origin may read. */
export const EXPOSED_HEADERS =
  'x-request-id, x-sandbox-world, x-sandbox-trigger, x-sandbox-fault, x-sandbox-warning, retry-after, allow';

const GATEWAY_TIMEOUT = requireOutcome('gateway_timeout');
const DONE_TOO_LATE =
  'The provider completed the operation, but its response came too late. Check the result before you send the request again.';

/** The errors of `fetch` for a lost connection. */
const LOSSES = {
  reset: { code: 'ECONNRESET', message: 'the sandbox reset the connection, as requested' },
  empty: { code: 'UND_ERR_SOCKET', message: 'the sandbox closed the connection, as requested' },
};

/** Thrown to lose an answer on purpose: in process the error of `fetch`, with its cause; on a socket, a closed connection. */
export class ConnectionLost extends TypeError {
  constructor(
    /** Whether the connection is reset, or closed normally without a response. */
    readonly how: 'reset' | 'empty' = 'empty',
    /** The message of `fetch` for an answer that never came, or for one that broke off. */
    message: 'fetch failed' | 'terminated' = 'fetch failed',
  ) {
    const { code, message: why } = LOSSES[how];
    super(message, { cause: Object.assign(new Error(why), { code }) });
  }
}

/** Loses the answer to a client that has left. The journal shows only what was really sent. */
export function dropAnswer(c: Context<Env>): ConnectionLost {
  const exchange = c.get('exchange');
  exchange.responseBody = null;
  exchange.responseText = null;
  return new ConnectionLost();
}

/** Answers after the latency and delay of the provider. */
export function sendJson(c: Context<Env>, data: object, status: number): Response | Promise<Response> {
  const exchange = c.get('exchange');
  const { providerAnswer: provided } = exchange;
  const body = translateAnswer(data, exchange);
  const text = JSON.stringify(body);
  exchange.responseBody = body;
  exchange.responseText = text;
  if (provided === null || (provided.latencyMs === 0 && provided.delayMs === 0 && !provided.hangUp)) {
    return buildJsonResponse(exchange, text, status);
  }
  return waitForProvider(c, provided).then(() => buildJsonResponse(exchange, text, status));
}

export function sendJsonStream(c: Context<Env>, body: ReadableStream<Uint8Array>): Response {
  return sendStream(c, body, { status: 200, headers: buildAnswerHeaders(c.get('exchange'), JSON_TYPE) });
}

/** A text as a stream, of which each piece is made when the one before was read, after `pause`. */
export function streamPieces(
  pieces: Iterator<string>,
  pause?: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await pause?.();
      const { value, done } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

export function sendStream(
  c: Context<Env>,
  body: ReadableStream<Uint8Array>,
  init: { readonly status: number; readonly headers: Record<string, string> },
): Response {
  const answer = new Response(body, init);
  c.env.streamed = { answer, headers: init.headers };
  return answer;
}

/** Waits for the latency and delay of a provider, then loses the answer if the trigger requires it. */
export async function waitForProvider(c: Context<Env>, answer: ProviderAnswer): Promise<void> {
  const { rate } = requireWorld(c).clock;
  const waitMs = answer.delayMs + (rate === 0 ? 0 : answer.latencyMs / rate);
  if (waitMs > 0 && !(await delayAnswer(c, waitMs))) throw dropAnswer(c);
  if (answer.hangUp) throw new ConnectionLost();
}

/**
 * The answer to a call that asked a provider. If it approved in time, that is the presented record; otherwise a refusal with
 * the decline or the time-out, which names the stored charge, if any.
 */
export function presentOutcome<T extends object>(
  c: Context<Env>,
  providerAnswer: ProviderAnswer,
  present: () => T,
  refusal: (because: DeclineReason) => { detail: string; payer: Payer; chargeId?: string },
): T | Promise<never> {
  const exchange = c.get('exchange');
  exchange.providerAnswer = providerAnswer;
  noteCaused(exchange);
  if (isApproved(providerAnswer.outcome) && !providerAnswer.timedOut) return present();
  return waitForProvider(c, providerAnswer).then(() => {
    const { detail, payer, chargeId } = refusal(explainDecline(providerAnswer.outcome));
    if (!providerAnswer.timedOut) throw buildDecline(providerAnswer, detail, payer, chargeId);
    throw buildDecline({ ...providerAnswer, outcome: GATEWAY_TIMEOUT }, DONE_TOO_LATE, payer, chargeId);
  });
}

/** The type cannot express that an approval always creates a record. */
export function requireMadeRecord<T>(made: T | null): T {
  if (made === null) throw new Error('An approved answer came without a record');
  return made;
}

/** `resource` is null if no path could be read. */
export function buildErrorBody(error: ApiError, resource: string | null): ErrorBody {
  const { refusal } = error;
  const row = requireErrorRow(refusal.code);
  return {
    HttpStatus: error.httpStatus,
    Code: refusal.code,
    Type: `/_sandbox/errors#${refusal.code}`,
    // The message may repeat a card number or a key that the caller sent in the wrong place.
    Message: escapeUnseen(maskSecrets(error.message)),
    Resource: resource ? maskSecrets(resource) : null,
    Details: refusal.details ? maskDetails(refusal.details) : null,
    IsRetryable: refusal.retryable ?? row.retryable,
    GatewayCode: refusal.gatewayCode ?? null,
    GatewayMessage: refusal.gatewayMessage ?? null,
    ...(refusal.chargeId === undefined ? {} : { ChargeId: refusal.chargeId }),
  };
}

function maskDetails(details: NonNullable<Refusal['details']>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(details).map(([name, text]) => [
      escapeUnseen(maskSecrets(name)),
      text && escapeUnseen(maskSecrets(text)),
    ]),
  );
}

export function sendError(exchange: Exchange, error: ApiError, resource: string): Response {
  const body = noteError(exchange, error, resource);
  const headers = { ...buildAnswerHeaders(exchange, JSON_TYPE), ...buildErrorHeaders(error.refusal) };
  const text = JSON.stringify(body);
  exchange.responseText = text;
  return new Response(text, { status: error.httpStatus, headers });
}

/**
 * The body of an error in the dialect of its exchange, which is also noted for the journal. In the sdk dialect, which has
 * no field for it, the full message becomes a warning.
 */
export function noteError(exchange: Exchange, error: ApiError, resource: string): object {
  const documented = buildErrorBody(error, resource);
  const { dialect, warnings } = exchange;
  const body = translateError(documented, dialect);
  exchange.responseBody = body;
  exchange.responseText = null;
  const isLonger = dialect === 'sdk' && error.refusal.detail !== '';
  if (isLonger && !warnings.includes(error.message)) warnings.push(error.message);
  return body;
}

function buildErrorHeaders({ allow, retryAfterSeconds }: Refusal): Record<string, string> {
  return {
    ...(allow === undefined ? {} : { allow }),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
}

function buildJsonResponse(exchange: Exchange, text: string, status: number): Response {
  return new Response(text, { status, headers: buildAnswerHeaders(exchange, JSON_TYPE) });
}

/**
 * Headers of every answer, including refusals that do not reach the app. Browsers must not guess another type, nor let pages
 * of other origins embed an answer without CORS.
 */
export const PROTECTION = Object.freeze({
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
});

/** The headers of every answer. A plain object, because building `Headers` costs time on each request. */
export function buildAnswerHeaders(exchange: Exchange, contentType: string): Record<string, string> {
  const headers: Record<string, string> = {
    ...PROTECTION,
    'content-type': contentType,
    'x-request-id': exchange.requestId,
  };
  if (exchange.world !== null) headers['x-sandbox-world'] = exchange.world.keyHash;
  const trigger = findTrigger(exchange);
  if (trigger !== null) headers['x-sandbox-trigger'] = trigger;
  if (exchange.performedFault !== null) headers['x-sandbox-fault'] = exchange.performedFault;
  if (exchange.warnings.length > 0) headers['x-sandbox-warning'] = formatWarnings(exchange.warnings);
  if (exchange.origin !== null) showToOrigin(headers, exchange.origin);
  return headers;
}

/** Lets the pages of an origin read an answer, and those of its headers that only pages of the same origin could read. */
export function showToOrigin(
  headers: Record<string, string>,
  origin: string,
  exposed = EXPOSED_HEADERS,
): void {
  grantOriginRead(headers, origin);
  headers['access-control-expose-headers'] = exposed;
  headers['vary'] = 'origin';
}

/** Lets the pages of an origin read an answer, also if they sent credentials. */
export function grantOriginRead(headers: Record<string, string>, origin: string): void {
  headers['access-control-allow-origin'] = origin;
  headers['access-control-allow-credentials'] = 'true';
}

/** Warnings as one ASCII header: other characters are percent-encoded. */
export function formatWarnings(warnings: readonly string[]): string {
  const text = maskSecrets(warnings.join('; '));
  const ascii = text.replace(/[^\x20-\x7e]+/g, (run) => encodeURIComponent(run.replace(LONE_SURROGATE, '?')));
  if (ascii.length <= WARNING_MAX) return ascii;
  return `${ascii.slice(0, WARNING_MAX - 3).replace(LAST_ESCAPED, '')}...`;
}
