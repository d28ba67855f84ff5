import { type Context, Hono } from 'hono';
import * as z from 'zod';

import { type Env } from '../../http/exchange.js';
import { optionalText } from '../../http/fields.js';
import { query } from '../../http/validation.js';
import { headersOf } from '../../http/respond.js';
import type { Asset } from './assets.js';
import { checkoutPage } from './checkout-page.js';
import { dashboardPage } from './dashboard-page.js';
import { errorsPage } from './errors-page.js';
import { LIVE_POLICY, respondPage, STILL_POLICY } from './page.js';
import { plain, STRICT } from '../plain.js';

export const ReadCheckout = z.object({ Key: optionalText().describe('The key that the page begins with.') });
const readCheckout = query(ReadCheckout, STRICT);

/** What the pages load. */
const SCRIPTS = ['sdk.js', 'checkout.js', 'pay.js', 'dashboard.js', 'reference.js'];
const ASSETS = [...SCRIPTS, 'page.css', 'dashboard.css', 'reference.css'];

/** Pages for people, and the script that front ends load. None holds anything of any world. */
export function pageRoutes(): Hono<Env> {
  const app = new Hono<Env>()
    .basePath('/_sandbox')
    .get('/', plain, (c) => respondPage(c, dashboardPage(), LIVE_POLICY))
    .get('/errors', plain, (c) => respondPage(c, errorsPage(), STILL_POLICY))
    // Loaded at the first need: it is a long text.
    .get('/openapi.json', plain, async (c) => respondAsset(c, (await import('./openapi.js')).openApi()))
    .get('/reference', plain, async (c) =>
      respondPage(c, (await import('./reference.js')).REFERENCE, LIVE_POLICY),
    )
    .get('/checkout', (c) => respondPage(c, checkoutPage(readCheckout(c).Key), LIVE_POLICY));
  for (const name of ASSETS) app.get(`/${name}`, async (c) => respondAsset(c, await requireAsset(name)));
  return app;
}

/** The texts are loaded with the first page that is looked at: no call of a program pays for them. */
async function requireAsset(name: string): Promise<Asset> {
  const { assetNamed } = await import('./assets.js');
  const asset = assetNamed(name);
  if (asset === undefined) throw new Error(`Failed to find the asset ${name}: the build did not make it.`);
  return asset;
}

/** Answers a text that is asked for anew each time, and sent only when it has changed. */
function respondAsset(c: Context<Env>, { text, tag, type }: Asset): Response {
  const headers = headersOf(c.get('exchange'), type);
  headers['x-content-type-options'] = 'nosniff';
  headers['cache-control'] = 'no-cache';
  headers['etag'] = `"${tag}"`;
  // Who may read it depends on the origin, also where a cache keeps it.
  headers['vary'] = 'origin';
  const known = c.req
    .header('if-none-match')
    ?.split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  if (known?.includes(`"${tag}"`)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}
