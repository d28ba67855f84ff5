import type { Context } from 'hono';
import { html, raw } from 'hono/html';

import { CODE, refuse } from '../../core/errors.js';
import { MEBIBYTE } from '../../core/limits/memory.js';
import { encodeBase64 } from '../../core/text/base64.js';
import { readTexts } from '../../core/texts.js';
import { buildAnswerHeaders } from '../../http/answers/respond.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import type { World } from '../../world/world.js';
import { maskWorldName } from '../presenter.js';
import { replaceSecrets } from '../snapshots/replace-secrets.js';
import { writeBundle } from '../snapshots/state-write.js';
import { readAsset } from './assets.js';
import { type Html, HTML_TYPE, livePage } from './html.js';

/** A browser opens a world of this size in a few seconds. */
const WORLD_BYTES_MAX = 64 * MEBIBYTE;
const LOADER = 'bundle-page.js';
const START = 'dashboard.js';
const IMPORTED = /"\.\/([^"]+\.js)"/g;

/**
 * Responds with the dashboard, the world and the program as one page, which needs no server. It has stand-ins for card numbers, and
 * no credentials. `dashboard` is its place, which is passed in because a module more would slow down the start.
 */
export async function respondBundlePage(c: Context<Env>, dashboard: Html): Promise<Response> {
  const world = requireWorld(c);
  const program = await readProgram(world);
  const loader = await readAsset(LOADER);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(loader));
  const policy =
    `default-src 'none'; script-src 'sha256-${encodeBase64(new Uint8Array(hash))}' blob:; img-src data:; connect-src 'none'; ` +
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
  const content = html`${dashboard}
<script type="text/plain" id="packed">${raw(await packParts(world, program))}</script>
<script>${raw(loader)}</script>`;
  const title = `${maskWorldName(world) ?? world.keyHash} · playmoney`;
  const headers = buildAnswerHeaders(c.get('exchange'), HTML_TYPE);
  headers['content-security-policy'] = policy;
  headers['cache-control'] = 'no-store';
  return new Response(await livePage(title, [], content, [], policy), { headers });
}

async function readProgram({ host }: World): Promise<string> {
  const { readBrowserProgram: read } = host;
  if (read === undefined)
    return refuse(
      CODE.ValidationError,
      'A world can be saved as a page only by a server on Node. Save a bundle here, open it with `playmoney open`, and download the page there.',
    );
  return read().catch(() =>
    refuse(
      CODE.RetryLater,
      'The page needs dist/browser.js of playmoney, which cannot be read. Build it with `npm run build`, or install playmoney again.',
    ),
  );
}

/** The content of the page as JSON, compressed and as Base64. */
async function packParts(world: World, program: string): Promise<string> {
  const scripts: Record<string, string> = {};
  await addScript(scripts, START);
  const style = await readAsset('dashboard.css');
  const parts = { program, texts: { ...(await readTexts()), assets: {} }, scripts, style };
  const pieces = [JSON.stringify(parts).slice(0, -1), ',"bundle":', ...(await collectBundle(world)), '}'];
  const packed = new Blob(pieces).stream().pipeThrough(new CompressionStream('gzip'));
  return encodeBase64(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/** Adds a script and those that it imports. */
async function addScript(scripts: Record<string, string>, name: string): Promise<void> {
  if (Object.hasOwn(scripts, name)) return;
  scripts[name] = await readAsset(name);
  for (const [, imported = ''] of scripts[name].matchAll(IMPORTED)) await addScript(scripts, imported);
}

async function collectBundle(world: World): Promise<string[]> {
  const pieces: string[] = [];
  let length = 0;
  // A name is masked as `GET /_sandbox/world` masks it: somebody may have typed a card number.
  const name = JSON.stringify(world.settings.name);
  const shown = JSON.stringify(maskWorldName(world));
  for (const piece of writeBundle(world, undefined, (value) => JSON.stringify(replaceSecrets(value)))) {
    pieces.push(name === shown ? piece : piece.replaceAll(name, shown));
    length += piece.length;
    if (length > WORLD_BYTES_MAX) refuseLargeWorld();
    await world.host.pause();
  }
  return pieces;
}

function refuseLargeWorld(): never {
  refuse(
    CODE.ValidationError,
    `The world is larger than ${WORLD_BYTES_MAX / MEBIBYTE} MiB, the maximum of a page. Save a bundle instead: playmoney bundle FILE`,
    { httpStatus: 413 },
  );
}
