import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { DialectSetting } from '../../core/dialect/dialect.js';
import type { CertificateAuthority, HttpsOptions, HttpListener } from './listener.js';
import { Framing, type Limits, buildLimits } from './framing.js';
import { CONNECTIONS_MAX, DEFAULT_REQUESTS_MAX, Load } from './load.js';
import { type CallableApp, handleConnections } from './request-steps.js';
import { SEND_TIMEOUT_MS, UnreadAnswers, UNSENT_BYTES_MAX } from './unread-answers.js';
import { OWN_PORTS } from '../webhooks/own-ports.js';

/** How long a client may take to send its headers, so that slow clients do not pile up. */
const HEADERS_TIMEOUT_MS = 20_000;
const IDLE_CHECK_MS = 20;

export interface ServedApp {
  readonly app: CallableApp;
  /** The dialect of new worlds, for refusals; by default the documented one. */
  readonly worlds?: { readonly dialect: DialectSetting };
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
export async function serveHttp(
  { app, worlds }: ServedApp,
  options: HttpServeOptions,
): Promise<HttpListening> {
  const { port, host, https, observe, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const { requestsMax = DEFAULT_REQUESTS_MAX, connectionsMax = CONNECTIONS_MAX } = options;
  const { sendTimeoutMs = SEND_TIMEOUT_MS, unsentBytesMax = UNSENT_BYTES_MAX } = options;
  const { overrideGlobalObjects = false } = options;
  const framing = new Framing(worlds?.dialect);
  const limits = buildLimits(headersTimeoutMs);
  const listener =
    https === undefined
      ? openPlain(limits, framing)
      : // Loaded only here: TLS costs time and memory.
        await (await import('../tls/secure.js')).openSecure({ ...https, host }, limits, framing);
  const { server, scheme, authority, connectionOf } = listener;
  const load = new Load({ requestsMax, connectionsMax });
  const unread = new UnreadAnswers({ timeoutMs: sendTimeoutMs, bytesMax: unsentBytesMax }, connectionOf);
  handleConnections(listener, { app, framing, load, unread, observe, overrideGlobalObjects });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
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
