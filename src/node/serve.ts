import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Sandbox } from '../sandbox.js';
import { ConnectionLost } from '../wire/respond.js';
import { listenerOf } from './adapter.js';
import { Framing } from './framing.js';

/** A client gets this long to send its headers, and its whole request: slow clients must not pile up. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const HEADER_BYTES_MAX = 32 * 1024;
const HEADERS_MAX = 100;
const CONNECTIONS_MAX = 10_000;
/** How often a closing server looks for connections whose last answer is given. */
const IDLE_CHECK_MS = 20;

export interface ServeOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  /** Sees each request before it is answered. */
  readonly observe?: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long a client may take to send its headers; 20 s unless given. */
  readonly headersTimeoutMs?: number;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops taking connections, lets answers under way end for a while, then closes what is left. */
  close(graceMs?: number): Promise<void>;
}

/** Serves a sandbox over HTTP; rejects with the socket's error, such as EADDRINUSE. */
export async function serve(sandbox: Pick<Sandbox, 'app'>, options: ServeOptions): Promise<Listening> {
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const framing = new Framing();
  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeoutMs / 4)),
    // Counted by our own listener, whose refusal says what is wrong.
    requireHostHeader: false,
  });
  server.maxHeadersCount = HEADERS_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', (error, socket) => framing.refuseSocket(error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  if (options.observe) server.on('request', options.observe);
  server.on('request', listen(sandbox, framing));
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `http://${name}:${port}`, port, close: (graceMs = 1000) => closeServer(server, graceMs) };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function listen({ app }: Pick<Sandbox, 'app'>, framing: Framing): Listener {
  const answer = listenerOf(
    (request) => app.fetch(request),
    (error, response) => giveUp(error, response, framing),
  );
  return (request, response) => {
    // Node keeps the first of two Host headers silently; which one is meant is anyone's guess.
    const hosts = countHosts(request.rawHeaders);
    if (hosts !== 1) return framing.refuseHosts(response, hosts);
    // A whole address in place of a path is for proxies, which this is not.
    if (!request.url?.startsWith('/')) return framing.refuseAddress(response);
    void answer(request, response);
  };
}

/** Ends a response that cannot be given: the connection is closed without a word. */
function giveUp(error: unknown, response: ServerResponse, framing: Framing): void {
  if (!(error instanceof ConnectionLost)) {
    if (!response.headersSent) return framing.refuseBug(response);
  } else if (error.how === 'reset') response.socket?.resetAndDestroy();
  response.destroy();
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection becomes idle when its last answer is given, and would then stay open for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
