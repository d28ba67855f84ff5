import type { IncomingMessage, ServerResponse } from 'node:http';

import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import type { Bindings } from '../../http/exchange.js';
import { sendBody } from './stream.js';

export interface AnswerOptions {
  /** Ends a response that the app failed to give. */
  readonly giveUp: (error: unknown, response: ServerResponse) => void;
  readonly scheme: 'http' | 'https';
  /** Lets the library replace the globals `Request` and `Response` by lighter ones, in the whole process. */
  readonly overrideGlobalObjects: boolean;
}

/** The app as a server calls it. It rejects where it failed, or where a fault loses the answer. */
export type Fetch = (request: Request, env: Bindings) => Response | Promise<Response>;

/** Answers requests by the app; each promise resolves when the answer is written. */
export function answerBy(
  fetch: Fetch,
  { giveUp, scheme, overrideGlobalObjects }: AnswerOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const turn = new Turn();

  async function answer(request: Request, bindings: HttpBindings | Http2Bindings): Promise<Response> {
    const outgoing = bindings.outgoing as ServerResponse;
    const env: Bindings = { headers: bindings.incoming.headers };
    try {
      const response = await fetch(request, env);
      // The client may be sending its body still: a next request would have to wait for the rest of it.
      if (response.status === 413) outgoing.shouldKeepAlive = false;
      await turn.end();
      // It may have been refused meanwhile: its body did not arrive in time.
      if (outgoing.writableEnded) return RESPONSE_ALREADY_SENT;
      if (env.streamed?.answer !== response) return response;
      outgoing.writeHead(response.status, env.streamed.headers);
      await sendBody(response.body, outgoing);
    } catch (error) {
      if (!outgoing.writableEnded) giveUp(error, outgoing);
    }
    return RESPONSE_ALREADY_SENT;
  }

  // Node itself reads and drops what is left of a body once its answer is given.
  const options = { overrideGlobalObjects, autoCleanupIncoming: false };
  const handle = getRequestListener(answer, options);
  return (incoming, outgoing) => {
    keepFirstType(incoming);
    const { url = '', headers } = incoming;
    const { host = '' } = headers;
    if (PLAIN_HOST.test(host) && PLAIN_PATH.test(url)) return handle(incoming, outgoing);
    // The library would resolve the dots of a path and refuse some hosts. The app answers these, so it gets the address as it was sent.
    const handleOdd = getRequestListener((request, bindings) => {
      Object.assign(incoming, { url, authority: host });
      headers.host = host;
      return answer(Object.defineProperty(request, 'url', { value: `${scheme}://${host}${url}` }), bindings);
    }, options);
    Object.assign(incoming, { url: '/', authority: 'localhost' });
    headers.host = 'localhost';
    return handleOdd(incoming, outgoing);
  };
}

/** Node takes the first of two headers with a media type, which the library would join. */
function keepFirstType({ rawHeaders }: IncomingMessage): void {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== CONTENT_TYPE.length || name.toLowerCase() !== CONTENT_TYPE || ++found === 1) continue;
    rawHeaders.splice(i, 2);
    i -= 2;
  }
}

const CONTENT_TYPE = 'content-type';
/** Hosts that are used as they are. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-5]\d{3,4})?$/;
/** Paths and queries that are used as they are. */
const PLAIN_PATH = /^\/(?!\.)(?:[!$&-.0-;=?-[\]_a-z~]|\/(?!\.))*$/;

/**
 * Lets all answers of one turn of the event loop be written together at its end. Each write wakes the client; waking it
 * once for many answers costs both sides less than once between any two.
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
