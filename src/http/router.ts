import type { Result, Router } from 'hono/router';
import type { H, RouterRoute } from 'hono/types';

type RouteHandler = [H, RouterRoute];

interface PathRoute {
  readonly words: readonly string[];
  /** By method. */
  readonly handlers: Map<string, RouteHandler>;
}

/**
 * Finds the handler of a path. Fixed words win over `:id`. A placeholder may have a prefix, as in `v:version`. It replaces the
 * routers of Hono, which collect all handlers that match a path for a middleware chain.
 */
export class PathRouter implements Router<RouteHandler> {
  readonly name = 'PathRouter';
  readonly #routes = new Map<string, PathRoute>();
  /** The routes with placeholders, by their number of words and first word. */
  readonly #patterns = new Map<string, PathRoute[]>();

  add(method: string, path: string, handler: RouteHandler): void {
    let route = this.#routes.get(path);
    if (route === undefined) {
      route = { words: path.split('/'), handlers: new Map() };
      this.#routes.set(path, route);
      if (path.includes(':'))
        this.#patterns.set(findGroup(route.words), [...this.#alike(route.words), route]);
    }
    route.handlers.set(method, handler);
  }

  match(method: string, path: string): Result<RouteHandler> {
    const fixed = this.#fixed(path);
    if (fixed !== undefined) return toMatchResult(fixed.handlers.get(method), {});
    const words = path.split('/');
    for (const { words: pattern, handlers } of this.#alike(words)) {
      const handler = handlers.get(method);
      if (handler !== undefined && matchesWords(words, pattern))
        return toMatchResult(handler, readParams(words, pattern));
    }
    return [[]];
  }

  /** With HEAD, which is answered like GET; undefined for an unknown path. */
  methodsOf(path: string): readonly string[] | undefined {
    const words = path.split('/');
    const route =
      this.#fixed(path) ?? this.#alike(words).find((candidate) => matchesWords(words, candidate.words));
    return (
      route && [...route.handlers.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
    );
  }

  get paths(): readonly string[] {
    return [...this.#routes.keys()];
  }

  #fixed(path: string): PathRoute | undefined {
    return path.includes(':') ? undefined : this.#routes.get(path);
  }

  #alike(words: readonly string[]): readonly PathRoute[] {
    return this.#patterns.get(findGroup(words)) ?? this.#patterns.get(`${words.length} :`) ?? [];
  }
}

/** The group of a path: its length and first word. Patterns without a fixed first word share a group for their length. */
function findGroup(words: readonly string[]): string {
  return `${words.length} ${words[1]?.includes(':') ? ':' : words[1]}`;
}

function toMatchResult(
  handler: RouteHandler | undefined,
  params: Record<string, string>,
): Result<RouteHandler> {
  return [handler === undefined ? [] : [[handler, params]]];
}

function matchesWords(words: readonly string[], pattern: readonly string[]): boolean {
  return pattern.every((part, i) => {
    const at = part.indexOf(':');
    const word = words[i] ?? '';
    return at < 0 ? word === part : word.length > at && word.startsWith(part.slice(0, at));
  });
}

function readParams(words: readonly string[], pattern: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [i, part] of pattern.entries()) {
    const at = part.indexOf(':');
    if (at >= 0) params[part.slice(at + 1)] = (words[i] ?? '').slice(at);
  }
  return params;
}
