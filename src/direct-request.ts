/** What is read of a call here; any other member is the platform's affair. */
const MEMBERS = new Set(['method', 'headers', 'body', 'signal']);
/** The others are spelt otherwise, or refused, by the platform. */
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE']);
const TEXT_TYPE = 'text/plain;charset=UTF-8';

/**
 * What the app reads of a `Request`, for a call within the process whose body is a text. A `Request` of the platform costs as
 * much as the charge that it asks for, most of it for a body that streams.
 */
class DirectRequest {
  #signal: AbortSignal | null;

  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: Headers,
    private readonly content: Uint8Array | null,
    /** Given by the caller; null: nobody gives up. */
    readonly givenSignal: AbortSignal | null,
  ) {
    this.#signal = givenSignal;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= new AbortController().signal);
  }

  get body(): AsyncIterable<Uint8Array> | null {
    return this.content === null ? null : inOnePiece(this.content);
  }

  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.content ?? new Uint8Array(0));
  }
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}

/** The request of a plain call; any other is made by the platform, which also refuses what is none. */
export function requestTo(url: string | URL, init: RequestInit = {}): Request {
  const { method = 'GET', headers: given, body = null, signal = null } = init;
  const isText = body === null || (typeof body === 'string' && method !== 'GET');
  if (!isText || !METHODS.has(method) || !onlyKnown(init)) return new Request(url, init);
  const headers = new Headers(given);
  const content = body === null ? null : new TextEncoder().encode(body);
  if (content !== null) {
    if (!headers.has('content-type')) headers.set('content-type', TEXT_TYPE);
    headers.set('content-length', String(content.length));
  }
  const { href } = new URL(url);
  return new DirectRequest(method, href, headers, content, signal) as unknown as Request;
}

function onlyKnown(init: object): boolean {
  for (const name in init) if (!MEMBERS.has(name)) return false;
  return true;
}

/** The signal by which the caller of a request may give up; null: it does not. */
export function signalOf(request: Request): AbortSignal | null {
  return request instanceof DirectRequest ? request.givenSignal : request.signal;
}
