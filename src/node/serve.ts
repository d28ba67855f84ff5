import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';

import type { Sandbox } from '../sandbox.js';
import { ConnectionLost } from '../wire/respond.js';

/** A client gets this long to send its headers, and its whole request: slow clients must not pile up. */
const HEADERS_TIMEOUT = 20_000;
const REQUEST_TIMEOUT = 120_000;
const KEEP_ALIVE_TIMEOUT = 65_000;
const HEADER_BYTES_MAX = 32 * 1024;
const HEADERS_MAX = 100;
const CONNECTIONS_MAX = 10_000;

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops taking connections, lets answers under way end for a while, then closes what is left. */
  close(graceMs?: number): Promise<void>;
}

/** Serves a sandbox over HTTP; rejects with the socket's error, such as EADDRINUSE. */
export async function serve(sandbox: Sandbox, options: { port: number; host: string }): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      connectionsCheckingInterval: 5_000,
    },
    listenerOf(sandbox),
  );
  server.maxHeadersCount = HEADERS_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `http://${name}:${port}`, port, close: (graceMs = 1000) => closeServer(server, graceMs) };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function listenerOf(sandbox: Sandbox): Listener {
  const answer = getRequestListener((request, env) => answerOrHangUp(sandbox, request, env as NodeEnv));
  return (request, response) => {
    // Node keeps the first of two Host headers silently; which one is meant is anyone's guess.
    if (countHosts(request.rawHeaders) > 1) return refuseHosts(response);
    void answer(request, response);
  };
}

interface NodeEnv {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function answerOrHangUp(sandbox: Sandbox, request: Request, env: NodeEnv): Promise<Response> {
  try {
    return await sandbox.app.fetch(request, { incoming: env.incoming });
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    env.outgoing.socket?.destroy();
    return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function refuseHosts(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end('The request has more than one Host header; send one.\n');
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(force);
}
