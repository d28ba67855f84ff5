import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';

import { assetRoutes } from './control/pages/routes.js';
import { ApiError, CODE } from './core/errors.js';
import { nearest } from './core/nearest.js';
import { type Answering, edgeOf, wrongMethod } from './http/edge.js';
import { ConnectionLost, respondError } from './http/respond.js';
import { mount, type Mounted } from './http/route.js';
import { SECTIONS } from './sections.js';
import type { Edge, Env } from './http/exchange.js';
import type { Worlds } from './worlds.js';

/** The HTTP surface: every slice mounted in one place. */
export function createApp(parts: { readonly edge: Edge; readonly worlds: Worlds }): Hono<Env> {
  const mounted = fixedFirst([...SECTIONS.flatMap(({ rows }) => rows.map(mount)), ...assetRoutes()]);
  const known = methodsByPath(mounted);
  const methodsOf = new Map([...known].filter(([path]) => !path.includes(':')));
  const passEdge = edgeOf({ ...parts, methodsOf });

  const app = new Hono<Env>({ strict: false, router: new TrieRouter() });
  for (const one of mounted) app.on(one.method, one.path, (c) => passEdge(c, one));
  const unknown: Answering = {
    answer: (c) => {
      throw unknownPath(c.req.method, c.req.path, known);
    },
    operation: null,
  };
  app.notFound((c) => passEdge(c, unknown));
  app.onError((error, c) => {
    if (error instanceof ConnectionLost) throw error;
    // Whoever left in the midst of a body left an error behind, and reads no answer.
    if (c.req.raw.signal.aborted) throw new ConnectionLost();
    parts.edge.host.reportBug?.(error, `${c.req.method} ${c.req.path}`);
    return respondError(c.get('exchange'), bug(), c.req.path);
  });
  return app;
}

/** Fixed words win over `{id}`: the first match answers, so a fixed path goes before the patterns that it fits too. */
function fixedFirst(routes: readonly Mounted[]): Mounted[] {
  /** The patterns so far, each with what stands before its first placeholder: most paths differ there already. */
  const patterns = new Map<string, string>();
  const shadowed = new Set<string>();
  for (const path of new Set(routes.map((route) => route.path))) {
    const placeholder = path.indexOf(':');
    if (placeholder >= 0) patterns.set(path, path.slice(0, placeholder));
    else if (isShadowed(path, patterns)) shadowed.add(path);
  }
  return [
    ...routes.filter(({ path }) => shadowed.has(path)),
    ...routes.filter(({ path }) => !shadowed.has(path)),
  ];
}

function isShadowed(path: string, patterns: ReadonlyMap<string, string>): boolean {
  for (const [pattern, start] of patterns) if (path.startsWith(start) && fits(path, pattern)) return true;
  return false;
}

/** The methods of each path, as mounted. */
type Paths = ReadonlyMap<string, readonly string[]>;

function methodsByPath(routes: readonly Mounted[]): Paths {
  const known = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const methods = known.get(path) ?? [];
    if (!methods.includes(method)) methods.push(method);
    known.set(path, methods);
  }
  return known;
}

function unknownPath(method: string, path: string, known: Paths): ApiError {
  for (const [pattern, methods] of known) if (fits(path, pattern)) return wrongMethod(method, methods);
  const shown = [...known.keys()].map((pattern) => pattern.replaceAll(/:(\w+)/g, '{$1}'));
  const near = nearest(path, shown);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known paths begin with ${roots(shown)}.`;
  return new ApiError({
    code: CODE.ValidationError,
    detail: `There is no such path. ${hint}`,
    httpStatus: 404,
  });
}

function fits(path: string, pattern: string): boolean {
  const words = path.split('/');
  const parts = pattern.split('/');
  return words.length === parts.length && parts.every((part, i) => fitsWord(words[i] ?? '', part));
}

function fitsWord(word: string, part: string): boolean {
  return part.startsWith(':') ? word !== '' : word === part;
}

function roots(paths: readonly string[]): string {
  return [...new Set(paths.map((path) => `/${path.split('/')[1] ?? ''}`))].join(', ');
}

/** An error that nobody threw on purpose is ours; nothing of it goes out to the client. */
function bug(): ApiError {
  return new ApiError({
    code: CODE.UnknownError,
    detail: 'This is a bug of the sandbox. Please report the request that led here.',
    httpStatus: 500,
  });
}
