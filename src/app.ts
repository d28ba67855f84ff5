import { Hono } from 'hono';

import { batchRoutes } from './batches/routes.js';
import { chargeRoutes } from './charges/routes.js';
import { journalRoutes } from './control/journal.js';
import { outcomeRoutes } from './control/outcomes.js';
import { controlRoutes } from './control/routes.js';
import { scenarioRoutes } from './control/scenario.js';
import { simulateRoutes } from './control/simulate.js';
import { snapshotRoutes } from './control/snapshots.js';
import { ApiError, CODE } from './core/errors.js';
import { nearest } from './core/nearest.js';
import { customerRoutes } from './customers/routes.js';
import { paymentMethodRoutes } from './payment-methods/routes.js';
import { vaultRoutes } from './vault/routes.js';
import { edgeOf, wrongMethod } from './wire/edge.js';
import type { Edge, Env } from './wire/exchange.js';
import { ConnectionLost, respondError } from './wire/respond.js';
import { LiteralFirstRouter } from './wire/router.js';
import type { Worlds } from './worlds.js';

/** The HTTP surface: every slice mounted in one place. */
export function createApp(parts: { readonly edge: Edge; readonly worlds: Worlds }): Hono<Env> {
  const methodsOf = new Map<string, string[]>();
  const app = new Hono<Env>({ strict: false, router: new LiteralFirstRouter() });
  app.use('*', edgeOf({ ...parts, methodsOf }));
  app.route('/', chargeRoutes());
  app.route('/', customerRoutes());
  app.route('/', paymentMethodRoutes());
  app.route('/', vaultRoutes());
  app.route('/', batchRoutes());
  app.route('/', controlRoutes(parts.worlds));
  app.route('/', outcomeRoutes());
  app.route('/', scenarioRoutes());
  app.route('/', journalRoutes());
  app.route('/', snapshotRoutes(parts.worlds));
  app.route('/', simulateRoutes());

  const known = listPaths(app);
  for (const [path, methods] of known) if (!path.includes(':')) methodsOf.set(path, methods);

  app.notFound((c) => {
    throw unknownPath(c.req.method, c.req.path, known);
  });
  app.onError((error, c) => {
    if (error instanceof ConnectionLost) throw error;
    const refused = error instanceof ApiError ? error : bug();
    return respondError(c.get('exchange'), refused, c.req.path);
  });
  return app;
}

/** The methods of each path, as mounted. */
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

function unknownPath(method: string, path: string, known: ReadonlyMap<string, readonly string[]>): ApiError {
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

/** An error that nobody threw on purpose is ours; nothing of it goes out. */
function bug(): ApiError {
  return new ApiError({
    code: CODE.UnknownError,
    detail: 'This is a bug of the sandbox. Please report the request that led here.',
    httpStatus: 500,
  });
}
