import { type Context, Hono } from 'hono';

import { batchRoutes } from './batches/routes.js';
import { chargeRoutes } from './charges/routes.js';
import { controlRoutes } from './control/routes.js';
import { ApiError, CODE } from './core/errors.js';
import { nearest } from './core/nearest.js';
import { customerRoutes } from './customers/routes.js';
import { FURTHER_PATHS } from './further-paths.js';
import { paymentMethodRoutes } from './payment-methods/routes.js';
import { edgeOf, requireMethod, trimmed, wrongMethod } from './http/edge.js';
import type { Edge, Env } from './http/exchange.js';
import { ConnectionLost, respondError } from './http/respond.js';
import { noteOperation } from './http/operation.js';
import { LiteralFirstRouter } from './http/router.js';
import type { Worlds } from './worlds.js';

/** The HTTP surface: every slice mounted in one place. */
export function createApp(parts: { readonly edge: Edge; readonly worlds: Worlds }): Hono<Env> {
  const methodsOf = new Map<string, readonly string[]>();
  const app = new Hono<Env>({ strict: false, router: new LiteralFirstRouter() });
  app.use('*', edgeOf({ ...parts, methodsOf }));
  // Fixed words win over {id}, and the first match answers.
  for (const [path, methods] of FURTHER_PATHS) app.on([...methods], path, (c) => further.answer(c));
  app.route('/', chargeRoutes());
  app.route('/', customerRoutes());
  app.route('/', paymentMethodRoutes());
  app.route('/', batchRoutes());
  app.route('/', controlRoutes(parts.worlds));

  const known = listPaths(app);
  for (const [path, methods] of [...literalsOf(known), ...FURTHER_PATHS]) methodsOf.set(path, methods);
  const further = new FurtherApp(parts.worlds, known);
  app.notFound((c) => further.answer(c));
  app.onError((error, c) => {
    if (error instanceof ConnectionLost) throw error;
    if (error instanceof ApiError) return respondError(c.get('exchange'), error, c.req.path);
    // Whoever left in the midst of a body left an error behind, and reads no answer.
    if (c.req.raw.signal.aborted) throw new ConnectionLost();
    parts.edge.host.reportBug?.(error, `${c.req.method} ${c.req.path}`);
    return respondError(c.get('exchange'), bug(), c.req.path);
  });
  return app;
}

/** What is loaded with the first call that the app itself has no path for. */
class FurtherApp {
  #loaded: Promise<{ readonly app: Hono<Env>; readonly literals: Paths }> | null = null;

  constructor(
    private readonly worlds: Worlds,
    private readonly first: Paths,
  ) {}

  async answer(c: Context<Env>): Promise<Response> {
    this.#loaded ??= this.#load();
    const { app, literals } = await this.#loaded;
    // Time may have gone on while it was loaded: what became due meanwhile comes before the request.
    const waiting = c.get('exchange').world?.enter();
    if (waiting) await waiting;
    const { path, method } = c.req;
    requireMethod(literals.get(trimmed(path)), method);
    return app.fetch(c.req.raw, { exchange: c.get('exchange'), edge: c.get('edge') });
  }

  async #load(): Promise<{ app: Hono<Env>; literals: Paths }> {
    const { furtherRoutes } = await import('./further.js');
    const app = new Hono<Env>({ strict: false, router: new LiteralFirstRouter() });
    app.use('*', (c, next) => {
      const { exchange, edge } = c.env as Env['Variables'];
      c.set('exchange', exchange);
      c.set('edge', edge);
      return next();
    });
    app.route('/', furtherRoutes(this.worlds));
    const known = merged(this.first, listPaths(app));
    app.notFound((c) => {
      throw unknownPath(c.req.method, c.req.path, known);
    });
    app.onError((error, c) => {
      noteOperation(c);
      throw error;
    });
    return { app, literals: literalsOf(known) };
  }
}

/** The methods of each path, as mounted. */
type Paths = ReadonlyMap<string, readonly string[]>;

function listPaths(app: Hono<Env>): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const { method, path } of app.routes) {
    if (method === 'ALL') continue;
    const methods = known.get(path) ?? [];
    if (!methods.includes(method)) methods.push(method);
    known.set(path, methods);
  }
  return known;
}

function merged(first: Paths, second: Paths): Paths {
  const all = new Map(first);
  for (const [path, methods] of second) all.set(path, [...new Set([...(first.get(path) ?? []), ...methods])]);
  return all;
}

/** The paths without placeholders: fixed words win over `{id}`. */
function literalsOf(known: Paths): Paths {
  return new Map([...known].filter(([path]) => !path.includes(':')));
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
