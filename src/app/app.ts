import type { Context } from 'hono';
// Without the routers of Hono, in whose place ours is.
import { HonoBase } from 'hono/hono-base';
import { getPathNoStrict } from 'hono/utils/url';

import { presentErrorPage, isForPerson } from '../control/pages/error-pages.js';
import { assetRoutes } from '../control/pages/asset-routes.js';
import { ApiError, CODE } from '../core/errors.js';
import { findNearest } from '../core/text/nearest.js';
import { type Endpoint, createEdgeHandler } from '../http/edge.js';
import { answerHead } from '../http/answers/without-route.js';
import { ConnectionLost, sendError } from '../http/answers/respond.js';
import { mountRow } from '../http/route.js';
import { PathRouter } from '../http/router.js';
import { explainOtherCall } from './other-calls.js';
import { SECTIONS } from './sections.js';
import type { Edge, Env } from '../http/exchange.js';

export function createApp(parts: Omit<Edge, 'send'>): HonoBase<Env> {
  const edge: Edge = { ...parts, send: async (request) => app.fetch(request, {}) };
  const router = new PathRouter();
  const unknown = (method: string, path: string): ApiError => unknownPathError(method, path, router);
  const findMeant = (method: string, path: string): string | undefined =>
    findNearbyCall(method, path, router);
  const mounted = [
    ...SECTIONS.flatMap(({ rows }) => rows.map((row) => mountRow(row, findMeant))),
    ...assetRoutes(),
  ];
  const openPaths = new Set(mounted.filter(({ isOpen }) => isOpen).map(({ path }) => path));
  const allowOf = (path: string): string => formatAllow(router.methodsOf(path) ?? []);
  const passEdge = createEdgeHandler({ edge, openPaths, unknown, allowOf });
  const handleCall = (c: Context<Env>, endpoint: Endpoint | null): Promise<Response> => {
    const response = passEdge(c, endpoint);
    if (c.req.method === 'HEAD') return answerHead(c, response);
    return isForPerson(c) ? response.then((plain) => presentErrorPage(c, plain)) : response;
  };
  const app = new HonoBase<Env>({ getPath: stripBasePath(edge.settings.basePath), router });
  for (const row of mounted) app.on(row.method, row.path, (c) => handleCall(c, row));
  app.notFound((c) => handleCall(c, null));
  app.onError((error, c) => {
    if (error instanceof ConnectionLost) throw error;
    edge.host.reportBug?.(error, `${c.req.method} ${c.req.path}`);
    return sendError(c.get('exchange'), bugError(), c.req.path);
  });
  return app;
}

/** Reads the path of a request. The app that mounts the sandbox may have removed the base path, as Hono and Express do. */
function stripBasePath(base: string): (request: Request) => string {
  if (base === '') return getPathNoStrict;
  return (request) => {
    const path = getPathNoStrict(request);
    return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) || '/' : path;
  };
}

function unknownPathError(method: string, path: string, router: PathRouter): ApiError {
  const methods = router.methodsOf(path);
  if (methods !== undefined) return wrongMethodError(method, methods);
  const other = explainOtherCall(path);
  if (other !== undefined)
    return new ApiError({ code: CODE.ValidationError, detail: other, httpStatus: 404 });
  const shown = router.paths.map((pattern) => pattern.replaceAll(/:(\w+)/g, '{$1}'));
  const near = findNearest(path, shown);
  const at = mountIn(path, router);
  const hint =
    at !== undefined
      ? `Did you mean ${path.slice(at.length)}? If an app mounts the sandbox under ${at}, create it with basePath: "${at}".`
      : near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : `Known paths begin with ${listRoots(shown)}.`;
  return new ApiError({
    code: CODE.ValidationError,
    detail: `There is no such path. ${hint}`,
    httpStatus: 404,
  });
}

/** How many words of a path are tried as the path of a mount. */
const MOUNT_WORDS_MAX = 4;

/** The path under which an app mounts the sandbox: all that comes before a known path. */
function mountIn(path: string, router: PathRouter): string | undefined {
  let start = '';
  for (const word of path.split('/', MOUNT_WORDS_MAX + 1).slice(1)) {
    start += `/${word}`;
    if (router.methodsOf(path.slice(start.length)) !== undefined) return start;
  }
  return undefined;
}

/** The call that differs from a path only in its last word, which is nearly the same. */
function findNearbyCall(method: string, path: string, router: PathRouter): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const beside = router.paths.filter(
    (known) => known.startsWith(folder) && router.match(method, known)[0].length > 0,
  );
  const words = beside.map((known) => known.slice(folder.length)).filter((word) => !/[:/]/.test(word));
  const [meant] = findNearest(path.slice(folder.length), words, 1);
  return meant === undefined ? undefined : `${method} ${folder}${meant}`;
}

function listRoots(paths: readonly string[]): string {
  const roots = paths.map((path) => `/${path.split('/')[1] ?? ''}`).filter((root) => !/[:{]/.test(root));
  return [...new Set(roots)].join(', ');
}

function wrongMethodError(method: string, methods: readonly string[]): ApiError {
  return new ApiError({
    code: CODE.ValidationError,
    detail: `${method} is not supported here; use ${methods.join(' or ')}.`,
    httpStatus: 405,
    allow: formatAllow(methods),
  });
}

function formatAllow(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

/** Hides an unexpected error from the client. */
function bugError(): ApiError {
  return new ApiError({
    code: CODE.UnknownError,
    detail: 'This is a bug in the sandbox. Please report the request that caused it.',
    httpStatus: 500,
  });
}
