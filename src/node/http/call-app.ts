import type { IncomingMessage, ServerResponse } from 'node:http';

import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';

import { hasPlainAddress, replaceAddress } from './request-address.js';

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
