import type { World } from '../index.js';

/** What is used of a browser's context. */
export interface Routing {
  route(isRouted: (url: URL) => boolean, handle: (route: PageRoute) => Promise<void>): Promise<unknown>;
}

/** A request of a page that waits for its answer. */
interface PageRoute {
  request(): {
    url(): string;
    method(): string;
    postDataBuffer(): Buffer | null;
    allHeaders(): Promise<Record<string, string>>;
  };
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(reason: string): Promise<void>;
}

/** What a browser says about the page that calls. The sandbox would refuse origins that it does not know; here it need not. */
const OF_PAGE = /^(?:origin|referer|host|content-length|sec-.*|:.*)$/;

/**
 * Answers the calls of a context's pages to a gateway by the world of a test, whichever keys the pages have. The gateway is known by
 * its address; calls to others are unaffected.
 */
export async function routePages(
  context: Routing,
  base: string,
  world: World,
  call: (request: Request) => Promise<Response>,
): Promise<void> {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/+$/, '');
  const isBelow = (url: URL): boolean =>
    url.origin === origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
  await context.route(isBelow, async (route) => {
    const asked = route.request();
    const { pathname: path, search } = new URL(asked.url());
    const method = asked.method();
    const body = asked.postDataBuffer();
    const request = new Request(`${world.url}${path.slice(prefix.length)}${search}`, {
      method,
      headers: headersFor(world, await asked.allHeaders()),
      redirect: 'manual',
      ...(body === null || method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
    });
    const answer = await call(request).catch(() => null);
    // A fault dropped the answer.
    if (answer === null) return route.abort('connectionreset');
    const { status, headers } = answer;
    const bytes = await answer.arrayBuffer().catch(() => null);
    if (bytes === null) return route.abort('connectionreset');
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: Buffer.from(bytes) });
  });
}

/** The headers of a page's call, with keys of the test's world in place of its own. */
function headersFor({ key }: World, sent: Readonly<Record<string, string>>): Headers {
  const kept = Object.entries(sent).filter(([name]) => !OF_PAGE.test(name));
  const headers = new Headers(kept);
  if (headers.has('x-publickey')) headers.set('x-publickey', key.replace(/^sk_/, 'pk_'));
  if (headers.has('x-secretkey')) headers.set('x-secretkey', key);
  return headers;
}
