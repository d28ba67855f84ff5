import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';

import { defaultTlsFolder, obtainCertificates } from './certificates.js';
import type { HttpsOptions, HttpListener } from '../http/listener.js';
import { type Framing, HEADERS_MAX, type Limits } from '../http/framing.js';
import { TcpSockets, watchHandshakes } from '../http/handshakes.js';
import { Http2Request, Http2Response, limitRequest, limitSession, STREAMS_MAX } from '../http/http2.js';
import { isWildcard, lanAddresses } from '../machine/lan.js';

/** How long an HTTP/2 connection without a request stays open. */
const SESSION_IDLE_MS = 65_000;
const TOO_SLOW = 'The request did not arrive in time.';

export interface SecureOptions extends HttpsOptions {
  readonly host: string;
}

/** Creates a server for HTTP/2 and HTTP/1.1 over TLS. Rejects with a TlsFolderError. */
export async function openSecure(
  options: SecureOptions,
  limits: Limits,
  framing: Framing,
): Promise<HttpListener> {
  const { dir = defaultTlsFolder(), names = [], host, onDistrust } = options;
  const { key, certificate, authority } = await obtainCertificates({
    dir,
    names: [host, ...names, ...(isWildcard(host) ? lanAddresses() : [])],
  });
  const server = createSecureServer({
    key,
    cert: certificate,
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.headersTimeout,
    allowHTTP1: true,
    Http2ServerRequest: Http2Request,
    Http2ServerResponse: Http2Response as typeof Http2ServerResponse,
    maxHeaderListPairs: HEADERS_MAX,
    settings: { maxHeaderListSize: limits.maxHeaderSize, maxConcurrentStreams: STREAMS_MAX },
  });
  // For HTTP/1.1 it reads these fields like Node's HTTP server, but its constructor does not accept them.
  Object.assign(server, limits);

  const sockets = new TcpSockets(() => onDistrust?.(authority));
  watchHandshakes(server, sockets, framing);
  const sessions = watchSessions(server, limits, framing);
  return {
    scheme: 'https',
    server,
    authority,
    onRequest: (handle) => server.on('request', handle as never),
    countHosts: (request) => countRequestHosts(request, framing),
    lose: (response, how) => loseResponse(response, how, sockets),
    connectionOf: (response) =>
      response instanceof Http2Response ? (response.stream.session ?? null) : response.socket,
    closeIdle: () => {
      (server as unknown as HttpServer).closeIdleConnections();
      for (const session of sessions) session.close();
    },
    closeAll: () => sockets.destroy(),
  };
}

/** Counts the hosts that a request names, over HTTP/2 or HTTP/1.1. */
function countRequestHosts(request: IncomingMessage | Http2Request, framing: Framing): number {
  return request instanceof Http2Request ? request.hosts : framing.countHosts(request);
}

function loseResponse(
  response: ServerResponse | Http2Response,
  how: 'reset' | 'empty',
  sockets: TcpSockets,
): void {
  if (response instanceof Http2Response) return response.lose();
  const { socket } = response;
  if (how === 'reset' && socket) sockets.below(socket)?.resetAndDestroy();
  // As over plain TCP, for the sake of Bun.
  socket?.destroy();
  response.destroy();
}

/** Tracks and limits the open HTTP/2 connections; Node itself limits those of HTTP/1.1. */
function watchSessions(
  server: Http2SecureServer,
  { headersTimeout, requestTimeout }: Limits,
  framing: Framing,
): ReadonlySet<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    limitSession(session, headersTimeout, SESSION_IDLE_MS);
  });
  server.on('request', (request, response) => {
    if (!(request instanceof Http2Request)) return;
    limitRequest(request, requestTimeout, () => framing.refuse(response as never, 408, TOO_SLOW));
  });
  return sessions;
}
