import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { Dialect } from '../../core/dialect/dialect.js';
import { ConnectionLost } from '../../http/answers/respond.js';
import { createAppHandler, type AppFetch } from './call-app.js';
import {
  type CertificateAuthority,
  type HttpsOptions,
  type HttpListener,
  type RequestHandler,
} from './listener.js';
import { faultInRequest, Framing, type Limits, buildLimits } from './framing.js';
import { handleOneByOne } from './one-by-one.js';
import { makeServerLinger } from './linger.js';
import { splitAddress } from './request-address.js';
import { CONNECTIONS_MAX, DEFAULT_REQUESTS_MAX, isUrgent, Load } from './load.js';
import { EventLoopTurns } from './event-loop-turns.js';
import { SEND_TIMEOUT_MS, UnreadAnswers, UNSENT_BYTES_MAX } from './unread-answers.js';
import { OWN_PORTS } from '../webhooks/own-ports.js';
import { reportBug } from '../terminal/terminal.js';

/** How long a client may take to send its headers, so that slow clients do not pile up. */
const HEADERS_TIMEOUT_MS = 20_000;
const IDLE_CHECK_MS = 20;

export interface ServedApp {
  readonly app: { readonly fetch: AppFetch };
  /** The dialect of new worlds, for refusals; by default the documented one. */
  readonly worlds?: { readonly dialect: Dialect };
}

export interface HttpServeOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** Serves HTTPS, with HTTP/2 for clients that support it; by default plain HTTP. */
  readonly https?: HttpsOptions;
  /** Sees each request before it is answered. */
  readonly observe?: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long a client may take to send its headers; by default 20 s. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to read an answer, or one piece of a streamed one; by default 60 s. */
  readonly sendTimeoutMs?: number;
  /** The maximum size of the answers that wait in memory for their clients to read them; by default 64 MiB. */
  readonly unsentBytesMax?: number;
  /** The maximum number of concurrent requests; by default 10,000. */
  readonly requestsMax?: number;
  /** The maximum number of open connections; by default 10,000. */
  readonly connectionsMax?: number;
  /** Replaces the globals `Request` and `Response` with faster ones, for a process without other code; by default false. */
  readonly overrideGlobalObjects?: boolean;
}

export interface HttpListening {
  readonly url: string;
  readonly port: number;
  /** The authority that clients must trust; null without TLS. */
  readonly authority: CertificateAuthority | null;
  /** Stops accepting connections, lets open requests end for a while, then closes the rest. */
  close(graceMs?: number): Promise<void>;
}

/** Serves HTTP or HTTPS. Rejects with the socket's error, such as EADDRINUSE, or a TlsFolderError for unusable certificates. */
export async function serveHttp(sandbox: ServedApp, options: HttpServeOptions): Promise<HttpListening> {
  const { port, host, https, observe, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const { requestsMax = DEFAULT_REQUESTS_MAX, connectionsMax = CONNECTIONS_MAX } = options;
  const { sendTimeoutMs = SEND_TIMEOUT_MS, unsentBytesMax = UNSENT_BYTES_MAX } = options;
  const { overrideGlobalObjects = false } = options;
  const framing = new Framing(sandbox.worlds?.dialect);
  const load = new Load({ requestsMax, connectionsMax });
  const limits = buildLimits(headersTimeoutMs);
  const listener =
    https === undefined
      ? openPlain(limits, framing)
      : // Loaded only here: TLS costs time and memory.
        await (await import('../tls/secure.js')).openSecure({ ...https, host }, limits, framing);
  const { server, scheme, authority } = listener;
  makeServerLinger(server, scheme === 'http' ? 'connection' : 'secureConnection');
  const unsent = new UnreadAnswers(
    { timeoutMs: sendTimeoutMs, bytesMax: unsentBytesMax },
    listener.connectionOf,
  );
  // Over TLS, a refusal would need a handshake first.
  if (scheme === 'http') load.watch(server);
  else server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  if (observe) listener.onRequest(observe);
  listener.onRequest(createHandler(sandbox, listener, { framing, load, unsent, overrideGlobalObjects }));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    framing.refuseExpectation(request, response),
  );
  server.on('connect', (_request: IncomingMessage, to: Socket | ServerResponse) => framing.refuseTunnel(to));
  const bound = (server.address() as AddressInfo).port;
  Atomics.store(OWN_PORTS, bound, 1);
  server.on('close', () => Atomics.store(OWN_PORTS, bound, 0));
  const name = host.includes(':') ? `[${host}]` : host;
  const close = (graceMs = 1000): Promise<void> => closeServer(listener, graceMs);
  return { url: `${scheme}://${name}:${bound}`, port: bound, authority, close };
}

function openPlain(limits: Limits, framing: Framing): HttpListener {
  const server = createServer(limits);
  server.maxHeadersCount = limits.maxHeadersCount;
  server.on('clientError', (error, socket) => framing.refuseSocket(error, socket as Socket));
  return {
    scheme: 'http',
    server,
    authority: null,
    onRequest: (handle) => server.on('request', handle),
    countHosts: (request) => framing.countHosts(request),
    lose: (response, how) => {
      const { socket } = response;
      if (how === 'reset') socket?.resetAndDestroy();
      // Bun up to 1.3 would send an empty 200 for a response that is destroyed alone.
      socket?.destroy();
      response.destroy();
    },
    connectionOf: (response) => response.socket,
    closeIdle: () => server.closeIdleConnections(),
    closeAll: () => server.closeAllConnections(),
  };
}

interface HandlerParts {
  readonly framing: Framing;
  readonly load: Load;
  readonly unsent: UnreadAnswers;
  readonly overrideGlobalObjects: boolean;
}

function createHandler(
  { app }: ServedApp,
  listener: HttpListener,
  { framing, load, unsent, overrideGlobalObjects }: HandlerParts,
): RequestHandler {
  const turns = new EventLoopTurns();
  const isClosing = (): boolean => !listener.server.listening;
  const answer = createAppHandler((request, env) => app.fetch(request, env), {
    giveUp: (error, response) => giveUp(error, response, listener, framing),
    scheme: listener.scheme,
    isClosing,
    turns,
    unsent,
    overrideGlobalObjects,
  });
  const begin = turns.shareTurns((request, response) => {
    // A client has no use for the answer to a stream that it has closed. Over HTTP/1.1, a client that has sent everything may have left on purpose.
    const answered = isAbandoned(request, response) ? Promise.resolve() : answer(request, response);
    void answered.finally(() => {
      load.underWay--;
      unsent.add(response);
    });
  }, cannotWait);
  const refuse = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (isClosing()) response.shouldKeepAlive = false;
    splitAddress(request);
    const excess = load.findExcess(request);
    if (excess !== null) framing.refuseExcess(response, excess);
    const fault = excess === null ? faultInRequest(request, listener.countHosts(request)) : null;
    if (fault !== null) framing.refuse(response, ...fault);
    return excess !== null || fault !== null;
  };
  return handleOneByOne((request, response) => {
    if (refuse(request, response)) return unsent.add(response);
    load.underWay++;
    begin(request, response);
  }, load.limits.requestsMax);
}

/**
 * Whether a request cannot wait for the next turn. A client may leave as soon as it has sent its body, which is lost if
 * nothing reads it by then. Large answers are those to GET.
 */
function cannotWait(request: IncomingMessage): boolean {
  return request.method !== 'GET' || isUrgent(request);
}

function isAbandoned({ httpVersionMajor }: IncomingMessage, { destroyed }: ServerResponse): boolean {
  return httpVersionMajor === 2 && destroyed;
}

/** Ends a response after an error. If a fault loses the answer on purpose, nothing is sent. */
function giveUp(error: unknown, response: ServerResponse, listener: HttpListener, framing: Framing): void {
  const isLost = error instanceof ConnectionLost;
  // Errors after a client has disconnected are not bugs.
  if (!isLost && !response.destroyed) {
    const { method, url = '' } = response.req;
    reportBug(error, `${method} ${url.replace(/\?.*/, '')}`);
    if (!response.headersSent) return framing.refuseBug(response);
  }
  listener.lose(response, isLost ? error.how : 'empty');
}

async function closeServer(listener: HttpListener, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    listener.server.close(() => resolve());
  });
  // After its last answer a connection would stay open for the next request.
  const idle = setInterval(() => listener.closeIdle(), IDLE_CHECK_MS);
  const force = setTimeout(() => listener.closeAll(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
