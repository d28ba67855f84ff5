import type { Context } from 'hono';

import { PAGE_SCRIPT } from '../../http/edge.js';
import type { Env } from '../../http/exchange.js';
import { buildAnswerHeaders, sendStream } from '../../http/answers/respond.js';
import type { MountedRow } from '../../http/route.js';

/** The files that pages load. */
const SCRIPTS = [
  'sdk.js',
  'checkout.js',
  'pay.js',
  'challenge.js',
  'dashboard.js',
  'dashboard-later.js',
  'dashboard-chunk.js',
  'reference.js',
  'errors.js',
];
const ASSETS = [...SCRIPTS, 'page.css', 'dashboard.css', 'reference.css'];
/** The scripts that pages of other origins load. */
const FOR_SHOPS: ReadonlySet<string> = new Set(['sdk.js', 'payfurl.js']);

/** The scripts and styles that pages load. */
export function assetRoutes(): MountedRow[] {
  const paths = ASSETS.map((name) => [`/_sandbox/${name}`, name] as const);
  return [...paths, [`/v:version${PAGE_SCRIPT}`, 'payfurl.js'] as const].map(([path, name]) => ({
    method: 'GET',
    path,
    run: (c) => respondAsset(c, name),
    operation: null,
    isForPages: false,
    isOpen: true,
  }));
}

/**
 * Responds with a script or style sheet, compressed if the caller can read that. Browsers ask for it each time, and receive it only if it has changed. All of them are
 * loaded into memory with the first request, so a server whose pages are not used does not load them.
 */
export async function respondAsset(c: Context<Env>, name: string): Promise<Response> {
  const { requireAsset } = await import('./assets.js');
  const { gzipped, plain, bytes, tag, type } = await requireAsset(name);
  const headers = buildAnswerHeaders(c.get('exchange'), type);
  if (FOR_SHOPS.has(name)) headers['cross-origin-resource-policy'] = 'cross-origin';
  headers['cache-control'] = 'no-cache';
  headers['etag'] = `"${tag}"`;
  // The CORS headers depend on the origin, so caches must not mix them up.
  headers['vary'] = 'origin, accept-encoding';
  const known = c.req
    .header('if-none-match')
    ?.split(',')
    .map((etag) => etag.trim().replace(/^W\//, ''));
  if (known?.includes(`"${tag}"`)) return new Response(null, { status: 304, headers });
  // A caller in process, or a service worker, does not decompress.
  if (c.req.header('accept-encoding')?.includes('gzip') !== true) {
    headers['content-length'] = String(bytes);
    return sendStream(c, plain(), { status: 200, headers });
  }
  headers['content-encoding'] = 'gzip';
  // Cloudflare would compress it again.
  return new Response(gzipped, { headers, encodeBody: 'manual' } as ResponseInit);
}
