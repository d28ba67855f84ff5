import { type Context, Hono } from 'hono';
import * as z from 'zod';

import { shortHash } from '../../core/random.js';
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
import type { Description } from './reference-model.js';
import { referencePage } from './reference-page.js';

export const ReadCheckout = z.object({ Key: optionalText().describe('The key that the page begins with.') });
const readCheckout = query(ReadCheckout, STRICT);

/** What the pages load. */
const SCRIPTS = ['sdk.js', 'checkout.js', 'pay.js', 'dashboard.js', 'reference.js'];
const ASSETS = [...SCRIPTS, 'page.css', 'dashboard.css', 'reference.css'];

const TAG_LENGTH = 16;

/** Pages for people, and the script that front ends load. None holds anything of any world. */
export function pageRoutes(): Hono<Env> {
  let reference: string | null = null;
  const app = new Hono<Env>()
    .basePath('/_sandbox')
    .get('/', plain, (c) => respondPage(c, dashboardPage(), LIVE_POLICY))
    .get('/errors', plain, (c) => respondPage(c, errorsPage(), STILL_POLICY))
    .get('/openapi.json', plain, async (c) => respondAsset(c, openApiAsset(await openApi())))
    .get('/reference', plain, async (c) => {
      reference ??= referencePage(JSON.parse(await openApi()) as Description);
      return respondPage(c, reference, LIVE_POLICY);
    })
    .get('/checkout', (c) => respondPage(c, checkoutPage(readCheckout(c).Key), LIVE_POLICY));
  for (const name of ASSETS) app.get(`/${name}`, async (c) => respondAsset(c, await requireAsset(name)));
  return app;
}

async function openApi(): Promise<string> {
  const { OPENAPI } = await import('./openapi.js');
  return OPENAPI;
}

function openApiAsset(text: string): Asset {
  return { text, tag: shortHash(text, TAG_LENGTH), type: 'application/json; charset=utf-8' };
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
