import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Load } from './load.js';

/**
 * Between Node's HTTP server and the app's `fetch`. Node's own `Request` and `Response` cost 16 ms and 8 MB at
 * the start and more than the whole charge at each call, so the server speaks to the app through
 * the small part of both that the app uses.
 */

type Body = string | Uint8Array | ReadableStream<Uint8Array> | null;

interface Init {
  readonly status?: number;
  /** Given away: the server adds to them. */
  readonly headers?: Record<string, string | number>;
}

/** What the app uses of a `Response`: made by it, written by the server. */
export class LeanResponse {
  readonly body: Body;
  readonly status: number;
  readonly headers: Record<string, string | number>;

  constructor(body: Body = null, init: Init = {}) {
    this.body = body;
    this.status = init.status ?? 200;
    this.headers = init.headers ?? {};
  }
}

/** Lets the app make lean responses. Only for a process that is all ours: it replaces a global. */
export function installLeanResponse(): void {
  Object.defineProperty(globalThis, 'Response', { value: LeanResponse, configurable: true, writable: true });
}

/** What the app uses of a request's `Headers`. */
class LeanHeaders {
  constructor(private readonly incoming: IncomingMessage) {}

  get(name: string): string | null {
    const value = this.incoming.headers[name] ?? this.incoming.headers[name.toLowerCase()];
    if (value === undefined) return null;
    return typeof value === 'string' ? value : value.join(', ');
  }

  *[Symbol.iterator](): Generator<[string, string], void> {
    const { headers } = this.incoming;
    for (const name in headers) yield [name, this.get(name) ?? ''];
  }
}

/** What the app uses of a `Request`. */
class LeanRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: LeanHeaders;
  #gone: AbortController | null = null;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
    scheme: 'http' | 'https',
  ) {
    this.method = incoming.method ?? 'GET';
    this.url = `${scheme}://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`;
    this.headers = new LeanHeaders(incoming);
  }

  /** Aborts when the client is gone, or was told that it is too slow. Made at the first need: all but a few calls are answered at once. */
  get signal(): AbortSignal {
    const { response } = this;
    const gone = (this.#gone ??= new AbortController());
    if (response.destroyed || response.headersSent) gone.abort();
    // Also told of an answer that was given whole; by then nobody listens.
    else response.once('close', () => gone.abort());
    return gone.signal;
  }

  /** The body as it arrives. */
  get body(): AsyncIterable<Uint8Array> {
    // The default iterator would close the connection when reading stops early, before the refusal is written.
    return this.incoming.iterator({ destroyOnReturn: false });
  }

  /** The whole body; rejects when the client goes away before its end. */
  bytes(): Promise<Uint8Array> {
    const { incoming } = this;
    return new Promise((resolve, reject) => {
      // Of a client that has gone before anybody listened nothing more is heard.
      if (incoming.destroyed && !incoming.readableEnded) reject(new Error('The client went away.'));
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const [first] = chunks;
        resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
      });
      incoming.on('error', reject);
    });
  }
}

/** How the app is called: it may answer at once or later, and rejects where an answer is lost on purpose. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** A listener for Node's server that answers with the app; `failed` ends a response that cannot be given, `load` counts what is under way. */
export function listenerOf(
  answer: Answer,
  failed: (error: unknown, response: ServerResponse) => void,
  scheme: 'http' | 'https',
  load: Load,
): (incoming: IncomingMessage, response: ServerResponse) => Promise<void> {
  const turn = new Turn();
  return async (incoming, response) => {
    load.underWay++;
    try {
      const answered = await answer(new LeanRequest(incoming, response, scheme) as unknown as Request);
      await turn.end();
      await write(answered, response);
    } catch (error) {
      failed(error, response);
    } finally {
      load.underWay--;
    }
  };
}

/**
 * Lets all answers of one turn of the event loop be written together at its end. Each write wakes the client
 * up; a client that is woken once for many answers, and not between two of them, costs both sides less.
 */
class Turn {
  #end: Promise<void> | null = null;

  end(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = null;
        resolve();
      });
    });
    return this.#end;
  }
}

function write(answered: Response | LeanResponse, response: ServerResponse): void | Promise<void> {
  if (!(answered instanceof LeanResponse)) return writeStandard(answered, response);
  const { status, headers, body } = answered;
  // An answer that comes before the whole body was read must not wait for the rest of it.
  if (status === 413) response.shouldKeepAlive = false;
  if (body === null) {
    response.writeHead(status, headers).end();
  } else if (typeof body === 'string') {
    headers['content-length'] = Buffer.byteLength(body);
    response.writeHead(status, headers).end(body);
  } else if (body instanceof Uint8Array) {
    headers['content-length'] = body.length;
    response.writeHead(status, headers).end(body);
  } else {
    response.writeHead(status, headers);
    return pump(body, response);
  }
}

async function writeStandard(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) response.end();
  else await pump(answered.body, response);
}

/** Writes a stream as fast as the client takes it, and stops making more when the client is gone. */
async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await drained(response);
      if (response.destroyed) return await reader.cancel();
    }
  } catch (error) {
    // What was written leaves first: a body that breaks off is not a body that never began.
    await new Promise((resolve) => setImmediate(resolve));
    throw error;
  } finally {
    reader.releaseLock();
  }
  response.end();
}

/** Resolves when the client has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
