import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

import { onTestFinished } from 'vitest';

import { NODE_HOST } from '../../src/node/machine/host.js';
import {
  type HttpListening,
  serveHttp,
  type ServedApp,
  type HttpServeOptions,
} from '../../src/node/http/serve.js';
import { createInnerSandbox, type InnerSandbox, type InnerSandboxOptions } from '../../src/app/sandbox.js';

/** Serves an app on a free port until the test is over. */
export async function served(
  app: ServedApp,
  options: Partial<HttpServeOptions> = {},
): Promise<HttpListening> {
  const listening = await serveHttp(app, { port: 0, host: '127.0.0.1', ...options });
  onTestFinished(() => listening.close(0));
  return listening;
}

/** Serves a sandbox of its own until the test is over, under a manual clock unless told otherwise. */
export async function sandboxServed(
  options: InnerSandboxOptions = {},
  serving: Partial<HttpServeOptions> = {},
  host = NODE_HOST,
): Promise<HttpListening & { readonly sandbox: InnerSandbox }> {
  const sandbox = createInnerSandbox(host, { clock: { mode: 'manual' }, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, ...(await served(sandbox, serving)) };
}

/** Lets another server listen on this machine until the test is over; resolves with its port. */
export async function portOf(server: Server & { closeAllConnections?(): void }, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A request that a receiver got. */
export interface Got extends Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> {
  readonly body: string;
}

/** A receiver of webhooks on a port of this machine until the test is over, and all that it got. */
export async function receiver(
  answer: (response: ServerResponse, got: Got) => void = (response) => response.writeHead(204).end(),
  port = 0,
): Promise<{ readonly port: number; readonly got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      got.push(one);
      answer(response, one);
    });
  });
  return { port: await portOf(server, port), got };
}
