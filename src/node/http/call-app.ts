import type { IncomingMessage, ServerResponse } from 'node:http';

import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import type { Bindings } from '../../http/exchange.js';
import { findLogNote } from './request-log.js';
import { hasPlainAddress, replaceAddress } from './request-address.js';
import { readBodyInto, sendStreamBody } from './bodies.js';
import type { EventLoopTurns } from './event-loop-turns.js';
import type { UnreadAnswers } from './unread-answers.js';

/** The app as a server calls it. Rejects if it failed, or if a fault loses the answer. */
export type AppFetch = (request: Request, env: Bindings) => Response | Promise<Response>;

export interface AnswerOptions {
  readonly giveUp: (error: unknown, response: ServerResponse) => void;
  readonly scheme: 'http' | 'https';
  /** Whether the server accepts no more connections, so that each connection ends with its next answer. */
  readonly isClosing: () => boolean;
  readonly turns: EventLoopTurns;
  /** Counts what a client has not read of an answer. */
  readonly unsent: UnreadAnswers;
  /** Lets node-server replace the globals `Request` and `Response` of the process with lighter ones. */
  readonly overrideGlobalObjects: boolean;
}

/** Answers requests with the app; each promise resolves when the answer is written. */
export function createAppHandler(
  fetch: AppFetch,
  { overrideGlobalObjects, scheme, ...how }: AnswerOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const answer = createAppCall(fetch, how);
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

type AnswerRequest = (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>;

function createAppCall(
  fetch: AppFetch,
  { giveUp, isClosing, turns, unsent }: Omit<AnswerOptions, 'overrideGlobalObjects' | 'scheme'>,
): AnswerRequest {
  return async (request, bindings) => {
    const outgoing = bindings.outgoing as ServerResponse;
    const { incoming } = bindings;
    const env: Bindings = {
      headers: incoming.headers,
      readBody: buildReadBody(incoming as IncomingMessage),
      noted: findLogNote(outgoing),
    };
    try {
      const response = await fetch(request, env);
      // The client may still be sending its body, and the next request would wait for the rest of it.
      const { status } = response;
      if (status === 413 || (status === 503 && !incoming.complete) || isClosing())
        outgoing.shouldKeepAlive = false;
      await turns.endOfTurn();
      // The request may have been refused in the meantime because its body did not arrive in time.
      if (outgoing.writableEnded) return RESPONSE_ALREADY_SENT;
      if (env.streamed?.answer !== response) return response;
      outgoing.writeHead(response.status, env.streamed.headers);
      await sendStreamBody(response.body, outgoing, unsent);
    } catch (error) {
      if (!outgoing.writableEnded) giveUp(error, outgoing);
    }
    return RESPONSE_ALREADY_SENT;
  };
}

/** Only for HTTP/1.1: when an HTTP/2 client disconnects, its stream ends like a complete one. */
function buildReadBody(incoming: IncomingMessage): Bindings['readBody'] {
  return incoming.httpVersionMajor === 1 ? (into) => readBodyInto(incoming, into) : undefined;
}
