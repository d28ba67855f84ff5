import { moved, pathBelow } from '../client/intercept.js';
import { SandboxInBrowser } from './sandbox.js';

/** What the program needs of a service worker. */
interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

const CONTROL = '/_sandbox';

/** Answers the calls of all pages below `base`, by default `/pay`, and serves the pages of the sandbox under `/_sandbox`. */
export function startWorker(scope: WorkerScope): void {
  const { origin, search } = scope.location;
  const { base = '/pay', key, ...options } = Object.fromEntries(new URLSearchParams(search));
  const belowBase = pathBelow(new URL(base, origin));
  // Opened by the first call: then the worker before this one has ended.
  let opening: Promise<SandboxInBrowser> | null = null;
  const open = (): Promise<SandboxInBrowser> => (opening ??= SandboxInBrowser.open(options, origin));

  const answer = async (request: Request, path: string): Promise<Response> => {
    const sandbox = await open();
    const sent = await moved(request, `${origin}${path}`);
    if (key !== undefined && !path.startsWith(CONTROL)) sent.headers.set('x-secretkey', key);
    return framed(await sandbox.fetchOnce(sent));
  };
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    const path =
      belowBase(url) ??
      (url.origin === origin && isOurs(url, request) ? url.href.slice(origin.length) : null);
    if (path === null) return;
    event.respondWith(answer(request, path));
  });
}

/** Pages of the sandbox, and what they call: the service at the root of their origin, with a key. */
function isOurs({ pathname }: URL, { headers }: Request): boolean {
  return /^\/_sandbox(?:\/|$)/.test(pathname) || headers.has('x-publickey') || headers.has('x-secretkey');
}

/** Lets pages of the same origin frame those of the sandbox. No other origin has this worker. */
function framed(answer: Response): Response {
  const policy = answer.headers.get('content-security-policy');
  if (policy === null) return answer;
  const headers = new Headers(answer.headers);
  headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  return new Response(answer.body, { status: answer.status, headers });
}
