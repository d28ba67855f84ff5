import { NODE_HOST } from '../../src/node/machine/host.js';
import { deriveWorldName } from '../../src/core/keys.js';
import { serveHttp } from '../../src/node/http/serve.js';
import { createInnerSandbox } from '../../src/app/sandbox.js';
import { testSandbox } from '../support/sandbox.js';
import type { Answer, Body, Call } from './calls.js';

/** What the commands are put to: the same calls, by two ways. */

export interface Driver {
  readonly name: string;
  call(key: string, call: Call): Promise<Answer>;
}

/** Sends a call to whatever takes requests. */
async function send(
  fetch: (request: Request) => Response | Promise<Response>,
  base: string,
  key: string,
  call: Call,
): Promise<Answer> {
  const { method, body, headers = {} } = call;
  // The address of a payment link names its world.
  const path = call.path.replace('/_sandbox/pay/', `$&${deriveWorldName(key)}/`);
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(
    new Request(base + path, {
      method,
      headers: { 'x-secretkey': key, ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Body };
}

/** A sandbox in this process. */
export function inProcess(): Driver {
  const sandbox = testSandbox({ clock: { mode: 'manual' } });
  return { name: 'in process', call: (key, call) => send(sandbox.fetch, 'http://localhost', key, call) };
}

/** A served sandbox, by sockets. */
export async function overHttp(): Promise<Driver & { close(): Promise<void> }> {
  const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' } });
  const server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
  return {
    name: 'over HTTP',
    call: (key, call) => send((request) => fetch(request), server.url, key, call),
    close: () => server.close(0),
  };
}
