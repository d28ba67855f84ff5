import { pathBelow } from '../client/intercept.js';
import type { World } from '../index.js';

/** The part of a browser's context that is used here. */
export interface RoutableContext {
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

/** Headers of the browser that are not passed on: the sandbox would refuse the origins of pages that it does not know. */
const OF_PAGE = /^(?:origin|referer|host|content-length|sec-.*|:.*)$/;

/** Answers the calls of pages to the address `base` with the world of a test, whichever keys the pages have. */
export async function routePages(
  context: RoutableContext,
  base: string,
  world: World,
  call: (request: Request) => Promise<Response>,
): Promise<void> {
  const restIn = pathBelow(base);
  const isBelow = (url: URL): boolean => restIn(url) !== null;
  await context.route(isBelow, async (route) => {
    const fromPage = route.request();
    const method = fromPage.method();
    const body = fromPage.postDataBuffer();
    const request = new Request(`${world.url}${restIn(new URL(fromPage.url())) ?? ''}`, {
      method,
      headers: buildPageHeaders(world, await fromPage.allHeaders()),
      redirect: 'manual',
      ...(body === null || method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
    });
    const answer = await call(request).catch(() => null);
    const bytes = await answer?.arrayBuffer().catch(() => null);
    // A fault dropped the answer, or its end.
    if (answer === null || !bytes) return route.abort('connectionreset');
    const { status, headers } = answer;
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: Buffer.from(bytes) });
  });
}

/** The headers of a page's call, with the keys of the test's world. */
function buildPageHeaders({ key }: World, sent: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(Object.entries(sent).filter(([name]) => !OF_PAGE.test(name)));
  if (headers.has('x-publickey')) headers.set('x-publickey', key.replace(/^sk_/, 'pk_'));
  if (headers.has('x-secretkey')) headers.set('x-secretkey', key);
  return headers;
}
