import { Agent, request as httpRequest } from 'node:http';

import { serveHttp } from '../../../src/node/http/serve.js';
import { ConnectionLost } from '../../../src/http/answers/respond.js';
import { START, testHost, type TestHost, type TestSandbox } from '../../support/sandbox.js';
import type { Answer } from './judge.js';
import type { Changed } from './mutation.js';

/** How requests reach a sandbox: within the process, and over a socket. */

/** Null: no answer came, which a fault may mean. */
export type Send = (request: Changed) => Promise<Answer | null>;

/** Headers that an HTTP client reckons itself: a wrong one would leave it waiting. */
const RECKONED = 'content-length';

/** Real time stands still, and what waits for it to pass has waited at once. */
export function hastyHost(): TestHost {
  const deliver = () => Promise.resolve({ status: 204 });
  return Object.assign(testHost(START), {
    deliver,
    timer: (callback: () => void) => {
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  });
}

export function inProcess(sandbox: TestSandbox): Send {
  return async ({ method, path, headers, body }) => {
    try {
      const init = body === null ? { method, headers } : { method, headers, body };
      const response = await sandbox.fetch(new Request(`http://localhost${path}`, init));
      const { status } = response;
      return { status, headers: response.headers, text: await textOf(response) };
    } catch (error) {
      if (error instanceof ConnectionLost) return null;
      throw error;
    }
  };
}

const goesOn = (type: string | null | undefined): boolean => type?.startsWith('text/event-stream') === true;

/** The body; of events that go on for ever, nothing. */
async function textOf(response: Response): Promise<string> {
  if (!goesOn(response.headers.get('content-type'))) return response.text();
  await response.body?.cancel();
  return '';
}

export async function overHttp(sandbox: TestSandbox) {
  const { port, close } = await serveHttp(sandbox, {
    port: 0,
    host: '127.0.0.1',
    overrideGlobalObjects: true,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send: Send = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(`http://localhost${path}`);
      const { [RECKONED]: _, ...own } = headers;
      const length = body === null ? {} : { 'content-length': body.length };
      const asked = httpRequest(
        { port, agent, method, path: pathname + search, headers: { ...own, ...length } },
        (response) => {
          const chunks: Buffer[] = [];
          const answered = () => {
            const headersOf = new Headers(response.headers as Record<string, string>);
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, headers: headersOf, text });
          };
          if (goesOn(response.headers['content-type'])) {
            answered();
            response.destroy();
          }
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', answered);
          response.on('error', () => resolve(null));
        },
      );
      asked.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? resolve(null) : reject(error),
      );
      asked.end(body ?? undefined);
    });
  return {
    send,
    close: async () => {
      agent.destroy();
      await close(0);
    },
  };
}
