import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';

import { networkReason } from '../replay/send.js';

/** How much of a body is read for the recording, in bytes; all of it is passed on. */
const BODY_BYTES_MAX = 1024 * 1024;

/** Where calls go on to. */
export interface Upstream {
  /** Without a slash at its end. */
  readonly url: string;
  /** The certificates that are trusted in place of those of the system, as PEM; null: those of the system. */
  readonly ca: string | null;
  /** How long a call may take with its whole answer. */
  readonly timeoutMs: number;
}

/** A call that was passed on, and how it was answered. */
export interface Passed {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly sent: Body;
  /** 0 where no answer came. */
  readonly status: number;
  readonly answered: Body;
  /** Why the answer did not come, or broke off; null: it came whole. */
  readonly failure: string | null;
  /** Whether a connection to the upstream came about: otherwise nothing was sent. */
  readonly isConnected: boolean;
}

/** A body of which the beginning is kept while it is passed on. */
export class Body {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** Passes pieces on, and keeps them. */
  async *taking(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of source) {
      this.#length += chunk.length;
      if (this.isTooLong) this.#chunks = [];
      else this.#chunks.push(chunk);
      yield chunk;
    }
  }

  /** Whether it is longer than is kept; then nothing of it is. */
  get isTooLong(): boolean {
    return this.#length > BODY_BYTES_MAX;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

/** What concerns one connection alone (RFC 9110, 7.6.1), and not the one behind the proxy. */
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
/** What the proxy says itself: where the call goes, and that the answer is readable. */
const OWN: ReadonlySet<string> = new Set(['host', 'accept-encoding', 'expect']);

const USUALLY_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Passes a call on and answers what the upstream answered, as it is: no redirect is followed. Where no answer comes, the
 * answer is 502 and says why. Resolves once all is over; null: the client left before its request was whole.
 */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
): Promise<Passed | null> {
  const { method = 'GET', url: target = '/', rawHeaders: headers } = request;
  const [sent, answered] = [new Body(), new Body()];
  const call = new UpstreamCall(request, sent, upstream);
  let status = 0;
  let failure: string | null = null;
  try {
    const answer = await call.answer();
    status = answer.statusCode ?? 0;
    response.writeHead(status, answer.statusMessage ?? '', endToEnd(answer.rawHeaders, HOP_BY_HOP));
    await copy(answered.taking(answer), response);
  } catch (error) {
    failure = call.reasonOf(error as Error);
    if (status === 0) answerBadGateway(response, `no answer came from ${upstream.url} (${failure})`);
    else response.destroy();
  }
  if (!request.complete) return null;
  return { method, target, headers, sent, status, answered, failure, isConnected: call.isConnected };
}

/** One call to the upstream, on a connection of its own. */
class UpstreamCall {
  isConnected = false;
  readonly #signal: AbortSignal;

  constructor(
    private readonly request: IncomingMessage,
    private readonly sent: Body,
    private readonly upstream: Upstream,
  ) {
    this.#signal = AbortSignal.timeout(upstream.timeoutMs);
  }

  /** Sends it; rejects where no answer comes. */
  answer(): Promise<IncomingMessage> {
    const { url, ca } = this.upstream;
    const base = new URL(url);
    const isSecure = base.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const call = (isSecure ? requestHttps : requestHttp)(base, {
        method: this.request.method ?? 'GET',
        path: base.pathname.replace(/\/$/, '') + (this.request.url ?? '/'),
        headers: this.#headers(base.host),
        agent: false,
        signal: this.#signal,
        ...(ca === null ? {} : { ca }),
      });
      call.on('socket', (socket) => {
        socket.once(isSecure ? 'secureConnect' : 'connect', () => (this.isConnected = true));
      });
      call.on('response', resolve);
      call.on('error', reject);
      // An upstream may answer before it has read all, and close: then the answer counts.
      pipeline(this.sent.taking(this.request), call).catch(reject);
    });
  }

  reasonOf(error: Error): string {
    return this.#signal.aborted ? `nothing within ${this.upstream.timeoutMs} ms` : networkReason(error);
  }

  #headers(host: string): string[] {
    const { rawHeaders, headers, method = 'GET' } = this.request;
    const isOfKnownLength = 'content-length' in headers || 'transfer-encoding' in headers;
    return [
      'Host',
      host,
      ...endToEnd(rawHeaders, new Set([...HOP_BY_HOP, ...OWN])),
      'Accept-Encoding',
      'identity',
      // Otherwise Node announces a body, which did not come.
      ...(isOfKnownLength || !USUALLY_WITH_BODY.has(method) ? [] : ['Content-Length', '0']),
      'Connection',
      'close',
    ];
  }
}

/** Names and values in turn, without those of some names. */
function endToEnd(raw: readonly string[], without: ReadonlySet<string>): string[] {
  return raw.filter((_, n) => !without.has((raw[n - (n % 2)] ?? '').toLowerCase()));
}

/** Writes pieces as fast as the client reads. Where it leaves, the rest is still read: the call was made. */
async function copy(pieces: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed || response.write(piece)) continue;
    const over = new AbortController();
    await Promise.race([
      once(response, 'drain', { signal: over.signal }),
      once(response, 'close', { signal: over.signal }),
    ]);
    over.abort();
  }
  response.end();
}

/** Answers that the proxy itself could not do what was asked. */
export function answerBadGateway(response: ServerResponse, message: string, status = 502): void {
  const body = JSON.stringify({ Message: `playmoney record: ${message}` });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(body);
}
