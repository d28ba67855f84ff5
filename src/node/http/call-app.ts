import type { IncomingMessage, ServerResponse } from 'node:http';

import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';

export type AnswerRequest = (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>;

/** Passes requests of Node on as those of the platform; each promise resolves when the answer is written. */
export function createAppHandler(
  answer: AnswerRequest,
  scheme: 'http' | 'https',
  overrideGlobalObjects: boolean,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  // Node itself reads and drops the rest of a body after its answer.
  const options = { overrideGlobalObjects, autoCleanupIncoming: false };
  const handle = getRequestListener(answer, options);
  return (incoming, outgoing) => {
    if (hasPlainAddress(incoming)) return handle(incoming, outgoing);
    const restore = replaceAddress(incoming, scheme);
    const answerRestored: AnswerRequest = (request, bindings) =>
      answer(Object.defineProperty(request, 'url', { value: restore() }), bindings);
    return getRequestListener(answerRestored, options)(incoming, outgoing);
  };
}

/** node-server resolves dots in a path and refuses some hosts. The app gets both as sent, since its refusals say why. */

/** Hosts that node-server uses as they are. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-5]\d{3,4})?$/;
/** Paths and queries that node-server uses as they are. */
const PLAIN_PATH = /^\/(?!\.)(?:[!$&-.0-;=?-[\]_a-z~]|\/(?!\.))*$/;

/** The address that a client sends to a proxy, such as `http://localhost/charge`. */
const WHOLE_ADDRESS = /^https?:\/\/([^/?#]*)(\/?[^#]*)$/i;

/** Takes a whole address in the request line apart. Its host replaces the Host header (RFC 9112, 3.2.2). */
export function splitAddress(incoming: IncomingMessage): void {
  const { url = '' } = incoming;
  if (url.startsWith('/') || incoming.httpVersionMajor !== 1) return;
  const [, host, path = ''] = WHOLE_ADDRESS.exec(url) ?? [];
  if (host === undefined) return;
  incoming.headers.host = host;
  incoming.url = path.startsWith('/') ? path : `/${path}`;
}

/** Whether node-server uses the address of a request as it is. */
function hasPlainAddress({ url = '', headers: { host = '' } }: IncomingMessage): boolean {
  return PLAIN_HOST.test(host) && PLAIN_PATH.test(url);
}

/** Replaces the address of a request with a plain one. Returns a function that restores it. */
function replaceAddress(incoming: IncomingMessage, scheme: 'http' | 'https'): () => string {
  const { url = '', headers } = incoming;
  const { host = '' } = headers;
  const set = (path: string, name: string): void => {
    headers.host = name;
    // HTTP/2 uses the authority.
    Object.assign(incoming, { url: path, authority: name });
  };
  set('/', 'localhost');
  return () => {
    set(url, host);
    return `${scheme}://${host}${url}`;
  };
}
