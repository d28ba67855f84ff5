import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import { ConnectionLost } from '../../http/answers/respond.js';
import type { Bindings } from '../../http/exchange.js';
import { reportBug } from '../terminal/terminal.js';
import { buildReadBody, sendStreamBody } from './bodies.js';
import { type AnswerRequest, createAppHandler, splitAddress } from './call-app.js';
import { EventLoopTurns, handleOneByOne } from './request-turns.js';
import { faultInRequest, type Framing } from './framing.js';
import { makeServerLinger } from './linger.js';
import type { HttpListener, RequestHandler } from './listener.js';
import { isUrgent, type Load } from './load.js';
import { findLogNote } from './request-log.js';
import type { UnreadAnswers } from './unread-answers.js';

/** The app as a server calls it. Rejects if it failed, or if a fault loses the answer. */
export interface CallableApp {
  readonly fetch: (request: Request, env: Bindings) => Response | Promise<Response>;
}

export interface StepParts {
  readonly app: CallableApp;
  readonly framing: Framing;
  readonly load: Load;
  /** Counts what a client has not read of an answer. */
  readonly unread: UnreadAnswers;
  /** Sees each request before it is answered. */
  readonly observe: RequestHandler | undefined;
  /** Lets node-server replace the globals `Request` and `Response` of the process with lighter ones. */
  readonly overrideGlobalObjects: boolean;
}

/** The steps of each connection, from top to bottom; over TLS the handshake comes first. Those of its requests follow below. */
export function handleConnections(listener: HttpListener, parts: StepParts): void {
  const { server, scheme } = listener;
  const { framing, load, observe } = parts;
  // Limits. Over TLS, a refusal would need a handshake first.
  if (scheme === 'http') load.watch(server);
  else server.maxConnections = load.limits.connectionsMax;
  // Closing: a client that is still sending gets its answer before the connection ends.
  makeServerLinger(server, scheme === 'http' ? 'connection' : 'secureConnection');
  // Framing: what is no request gets an answer of the server. Bytes that Node cannot parse go to `refuseSocket`.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    framing.refuseExpectation(request, response),
  );
  server.on('connect', (_request: IncomingMessage, to: Socket | ServerResponse) => framing.refuseTunnel(to));
  // The log.
  if (observe) listener.onRequest(observe);
  // One request after the other.
  listener.onRequest(handleOneByOne(createRequestHandler(listener, parts), load.limits.requestsMax));
}

/** The steps of each request before the app. */
function createRequestHandler(listener: HttpListener, parts: StepParts): RequestHandler {
  const { framing, load, unread, overrideGlobalObjects } = parts;
  const { scheme, server } = listener;
  const turns = new EventLoopTurns();
  const answer = createAnswer(listener, turns, parts);
  const callApp = createAppHandler(answer, scheme, overrideGlobalObjects);
  const begin = turns.shareTurns((request, response) => {
    const answered = isAbandoned(request, response) ? Promise.resolve() : callApp(request, response);
    void answered.finally(() => {
      load.underWay--;
      unread.add(response);
    });
  }, cannotWait);
  return (request, response) => {
    // Closing: each connection ends with its next answer.
    if (!server.listening) response.shouldKeepAlive = false;
    splitAddress(request);
    // Limits.
    const excess = load.findExcess(request);
    if (excess !== null) {
      framing.refuseExcess(response, excess);
      return unread.add(response);
    }
    // Framing.
    const fault = faultInRequest(request, listener.countHosts(request));
    if (fault !== null) {
      framing.refuse(response, ...fault);
      return unread.add(response);
    }
    load.underWay++;
    // Turns: it may wait for the next one.
    begin(request, response);
  };
}

/** The steps of each request from the app to its answer. */
function createAnswer(listener: HttpListener, turns: EventLoopTurns, parts: StepParts): AnswerRequest {
  const { app, framing, unread } = parts;
  return async (request, bindings) => {
    const outgoing = bindings.outgoing as ServerResponse;
    const { incoming } = bindings;
    const env: Bindings = {
      headers: incoming.headers,
      readBody: buildReadBody(incoming as IncomingMessage),
      noted: findLogNote(outgoing),
    };
    try {
      // The app: `http/router.ts`, then `http/edge.ts`.
      const response = await app.fetch(request, env);
      // Closing. The client may still be sending its body, and the next request would wait for the rest of it.
      const { status } = response;
      if (status === 413 || (status === 503 && !incoming.complete) || !listener.server.listening)
        outgoing.shouldKeepAlive = false;
      // Turns: the answers of one turn are written together.
      await turns.endOfTurn();
      // The request may have been refused in the meantime because its body did not arrive in time.
      if (outgoing.writableEnded) return RESPONSE_ALREADY_SENT;
      // The answer.
      if (env.streamed?.answer !== response) return response;
      outgoing.writeHead(status, env.streamed.headers);
      await sendStreamBody(response.body, outgoing, unread);
    } catch (error) {
      // Faults and bugs.
      if (!outgoing.writableEnded) endFailedAnswer(error, outgoing, listener, framing);
    }
    return RESPONSE_ALREADY_SENT;
  };
}

/**
 * Whether a request cannot wait for the next turn. A client may leave as soon as it has sent its body, which is lost if
 * nothing reads it by then. Large answers are those to GET.
 */
function cannotWait(request: IncomingMessage): boolean {
  return request.method !== 'GET' || isUrgent(request);
}

/** Whether a client has closed its stream, and has no use for an answer. Over HTTP/1.1, one that has sent everything may have left on purpose. */
function isAbandoned({ httpVersionMajor }: IncomingMessage, { destroyed }: ServerResponse): boolean {
  return httpVersionMajor === 2 && destroyed;
}

/** If a fault loses the answer on purpose, nothing is sent. */
function endFailedAnswer(
  error: unknown,
  response: ServerResponse,
  listener: HttpListener,
  framing: Framing,
): void {
  const isLost = error instanceof ConnectionLost;
  // Errors after a client has disconnected are not bugs.
  if (!isLost && !response.destroyed) {
    const { method, url = '' } = response.req;
    reportBug(error, `${method} ${url.replace(/\?.*/, '')}`);
    if (!response.headersSent) return framing.refuseBug(response);
  }
  listener.lose(response, isLost ? error.how : 'empty');
}
