import { moveRequest, pathBelow } from '../../client/intercept.js';
import { SECTIONS } from '../sections.js';
import { once } from '../../core/once.js';
import { PAGE_SCRIPT } from '../../http/edge.js';
import { isControlPath } from '../../http/request-key.js';
import { BrowserSandbox, unavailable } from './sandbox.js';
import { resolveWorkerBase, DEFAULT_BASE, refuseUnknownOptions } from './worker-options.js';

/** The part of ServiceWorkerGlobalScope that the program uses. */
interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly request: Request;
  readonly clientId: string;
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

/** Answers the calls of all pages below `base`, by default `/pay`, and serves the pages of the sandbox under `/_sandbox`. */
export function startWorker(scope: WorkerScope): void {
  const { origin, search } = scope.location;
  const parameters = Object.fromEntries(new URLSearchParams(search));
  const { base = DEFAULT_BASE, key, ...options } = parameters;
  // Opened by the first call, when the worker before this one has ended, and again by the next one if that fails.
  const open = once(async () => {
    refuseUnknownOptions(parameters);
    resolveWorkerBase(base);
    return BrowserSandbox.open(options, origin);
  });
  const pathOf = buildPathFinder(base, origin);

  const answer = async ({ request, clientId }: WorkerEvent, path: string): Promise<Response> => {
    const sandbox = await open().catch(unavailable);
    if (sandbox instanceof Response) return sandbox;
    const sent = await moveRequest(request, `${origin}${path}`);
    if (key !== undefined && !isControlPath(withoutQuery(path))) sent.headers.set('x-secretkey', key);
    return allowFraming(await sandbox.fetchOnce(sent, clientId));
  };
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
  scope.addEventListener('fetch', (event) => {
    const path = pathOf(event.request);
    if (path !== null) event.respondWith(answer(event, path));
  });
}

type FindPath = (request: Request) => string | null;

/** Finds the path in the sandbox of a request; null for those that go to the network. A wrong base is refused by each call below the default one. */
function buildPathFinder(base: string, origin: string): FindPath {
  const address = parseAddress(base) ?? new URL(DEFAULT_BASE, origin);
  const below = pathBelow(address);
  const isElsewhere = address.origin !== origin;
  const roots = new Set(SECTIONS.flatMap(({ rows }) => rows.map(({ path }) => path.split('/')[1])));
  // A shop may have paths of its own below the same word.
  const isKnown = (path: string): boolean => isPage(path) || roots.has(path.split(/[/?]/)[1]);
  return ({ url, headers }) => {
    const target = new URL(url);
    const hasKey = headers.has('x-publickey') || headers.has('x-secretkey');
    const path = below(target);
    if (path !== null && (isElsewhere || hasKey || isKnown(path))) return path;
    // Pages of the sandbox call the service at the root of their origin.
    const isOurs = target.origin === origin && (hasKey || isPage(target.pathname));
    return isOurs ? url.slice(origin.length) : null;
  };
}

function parseAddress(base: string): URL | null {
  try {
    return resolveWorkerBase(base);
  } catch {
    return null;
  }
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*/, '');
}

/** Whether a path is a page of the sandbox, or the script that shops load. */
function isPage(path: string): boolean {
  const plain = withoutQuery(path);
  return isControlPath(plain) || (plain.startsWith('/v') && plain.endsWith(PAGE_SCRIPT));
}

/** Lets pages of the same origin frame those of the sandbox. No other origin has this worker. */
function allowFraming(answer: Response): Response {
  const policy = answer.headers.get('content-security-policy');
  if (policy === null) return answer;
  const headers = new Headers(answer.headers);
  headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  return new Response(answer.body, { status: answer.status, headers });
}
