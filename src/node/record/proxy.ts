import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { PROTECTION } from '../../http/answers/respond.js';
import { waitForDrain } from '../http/bodies.js';
import type { BodyContent } from '../../control/opening/body-content.js';
import { BODY_BYTES_MAX, readContent, TOO_LONG } from '../remote/content.js';
import { type Upstream, UpstreamCall } from '../remote/upstream.js';

export interface PassedCall {
  readonly method: string;
  /** The path and query, unchanged. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly sent: RecordedBody;
  /** 0 when no answer came. */
  readonly status: number;
  readonly answered: RecordedBody;
  /** Names and values in turn; empty when no answer came. */
  readonly answerHeaders: readonly string[];
  /** Why there is no complete answer; null when there is one. */
  readonly failure: string | null;
  /** False when there was no connection to the upstream, so that nothing was sent. */
  readonly isConnected: boolean;
}

/** A body that is recorded while it is forwarded. */
export class RecordedBody {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #headers: IncomingHttpHeaders = {};

  async *recordPieces(
    headers: IncomingHttpHeaders,
    source: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void> {
    this.#headers = headers;
    for await (const chunk of source) {
      this.#length += chunk.length;
      if (this.#length > BODY_BYTES_MAX) this.#chunks = [];
      else this.#chunks.push(chunk);
      yield chunk;
    }
  }

  get content(): BodyContent {
    if (this.#length > BODY_BYTES_MAX) return TOO_LONG;
    return readContent(Buffer.concat(this.#chunks), this.#headers);
  }
}

/** Headers that are about one connection, so a proxy drops them (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);
/** Headers that the proxy sets itself: the host, and an encoding that the recording can read. */
const OWN: ReadonlySet<string> = new Set(['host', 'accept-encoding', 'expect']);

const USUALLY_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Forwards a call, and returns the upstream's answer unchanged, or 502 and the reason if there is none. Resolves with null
 * if the client disconnected before it had sent its whole request.
 */
export async function forwardCall(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
): Promise<PassedCall | null> {
  const { method = 'GET', url: target = '/', rawHeaders: headers } = request;
  const [sent, answered] = [new RecordedBody(), new RecordedBody()];
  const head = { method, path: target, headers: buildUpstreamHeaders(new URL(upstream.url).host, request) };
  const call = new UpstreamCall(upstream, head);
  let status = 0;
  let failure: string | null = null;
  let answerHeaders: readonly string[] = [];
  try {
    // If this fails, the call is destroyed and the answer fails too, unless it has already arrived.
    pipeline(sent.recordPieces(request.headers, request), call.request).catch(() => {});
    const answer = await call.answer();
    status = answer.statusCode ?? 0;
    answerHeaders = answer.rawHeaders;
    response.writeHead(status, answer.statusMessage ?? '', dropHeaders(answer.rawHeaders, HOP_BY_HOP));
    await copyToClient(answered.recordPieces(answer.headers, call.readBodyPieces(answer)), response);
  } catch (error) {
    failure = call.explainError(error as Error);
    if (status === 0) answerBadGateway(response, `no answer from ${upstream.url} (${failure})`);
    else response.destroy();
  }
  if (!request.complete) return null;
  return {
    method,
    target,
    headers,
    sent,
    status,
    answered,
    answerHeaders,
    failure,
    isConnected: call.isConnected,
  };
}

function buildUpstreamHeaders(
  host: string,
  { rawHeaders, headers, method = 'GET' }: IncomingMessage,
): string[] {
  const isOfKnownLength = 'content-length' in headers || 'transfer-encoding' in headers;
  return [
    'Host',
    host,
    ...dropHeaders(rawHeaders, new Set([...HOP_BY_HOP, ...OWN])),
    'Accept-Encoding',
    'identity',
    // Otherwise Node announces a body that does not exist.
    ...(isOfKnownLength || !USUALLY_WITH_BODY.has(method) ? [] : ['Content-Length', '0']),
    'Connection',
    'close',
  ];
}

function dropHeaders(raw: readonly string[], without: ReadonlySet<string>): string[] {
  return raw.filter((_, n) => !without.has((raw[n - (n % 2)] ?? '').toLowerCase()));
}

/** Writes as fast as the client reads. If the client disconnects, the rest is still read, for the recording. */
async function copyToClient(pieces: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> {
  for await (const piece of pieces) {
    if (!response.destroyed && !response.write(piece)) await waitForDrain(response);
  }
  response.end();
}

export function answerBadGateway(response: ServerResponse, message: string, status = 502): void {
  const body = JSON.stringify({ Message: `playmoney record: ${message}` });
  response.writeHead(status, { ...PROTECTION, 'content-type': 'application/json', connection: 'close' });
  response.end(body);
}
