import type * as playmoney from '../../src/app/browser/browser.js';
import type { createPayfurl } from '../../src/pages/page.js';
import { playAll, PLAYS } from './plays.js';

/** What the pages of these tests have as `tools`; bundled by `origin.ts`. */
export interface Tools extends Pick<typeof playmoney, 'openSandbox' | 'startSandboxWorker'> {
  readonly playAll: typeof playAll;
  readonly PLAYS: typeof PLAYS;
  readonly createPayfurl: typeof createPayfurl;
  /** Sends a request as axios does in a page, and resolves with what it sees. */
  readonly xhr: typeof xhr;
}

interface Wish {
  readonly method?: string;
  readonly body?: string;
  readonly responseType?: XMLHttpRequestResponseType;
  readonly timeout?: number;
  readonly abortAfterMs?: number;
}

const EVENTS = ['loadstart', 'progress', 'load', 'error', 'timeout', 'abort', 'loadend'] as const;

function xhr(url: string, { method = 'GET', body, responseType = '', timeout = 0, abortAfterMs }: Wish = {}) {
  const request = new XMLHttpRequest();
  request.open(method, url, true);
  request.timeout = timeout;
  request.responseType = responseType;
  request.withCredentials = true;
  request.setRequestHeader('content-type', 'application/json');
  const events: string[] = [];
  const states: number[] = [];
  request.addEventListener('readystatechange', () => states.push(request.readyState));
  for (const type of EVENTS) request.addEventListener(type, () => events.push(type));
  return new Promise<{
    status: number;
    response: unknown;
    headers: string;
    id: string | null;
    url: string;
    events: string[];
    states: number[];
  }>((resolve) => {
    // As axios does.
    request.onloadend = () =>
      resolve({
        status: request.status,
        response: request.response as unknown,
        headers: request.getAllResponseHeaders(),
        id: request.getResponseHeader('X-Request-Id'),
        url: request.responseURL,
        events,
        states,
      });
    request.send(body ?? null);
    if (abortAfterMs !== undefined) setTimeout(() => request.abort(), abortAfterMs);
  });
}

const { openSandbox, startSandboxWorker } = (await import(
  `${location.origin}/browser.js`
)) as typeof playmoney;
const { createPayfurl: create } = (await import(`${location.origin}/page.js`)) as {
  createPayfurl: typeof createPayfurl;
};
const tools: Tools = { openSandbox, startSandboxWorker, playAll, PLAYS, createPayfurl: create, xhr };
Object.assign(globalThis, { tools });
