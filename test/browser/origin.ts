import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import type * as playmoney from '../../src/index.js';
import { buildIfMissing } from '../node/cli/program.js';
import type { Recorded } from '../support/trace.js';
import { bundled } from './bundled.mjs';
import { CHROMIUM } from './chromium.js';
import type { Tools } from './in-page.js';
import type * as plays from './plays.js';

declare global {
  // What in-page.ts gives to a page.
  var tools: Tools;
}

const DIST = join(import.meta.dirname, '../../dist');

/** An origin with two files of the package and a page, whose server is no sandbox. */
export interface Origin {
  readonly url: () => string;
  readonly browser: () => Browser;
  /** Opens the page in a window of its own, or in that of another page. */
  readonly open: (beside?: BrowserContext) => Promise<Page>;
  /** The bodies of webhooks that it received. */
  readonly hooks: string[];
}

export function origin(): Origin {
  const hooks: string[] = [];
  let server: Server | undefined;
  let browser: Browser | undefined;
  const url = () => `http://localhost:${(server?.address() as AddressInfo | undefined)?.port}`;
  beforeAll(async () => {
    buildIfMissing();
    const files = await readFiles();
    server = createServer((request, response) => {
      const path = request.url?.split('?')[0] ?? '';
      const file = files.get(path);
      if (path === '/hooks') request.on('data', (chunk: Buffer) => hooks.push(chunk.toString()));
      if (path === '/slow') return void request.resume();
      request.on('end', () => {
        const status = file !== undefined || path === '/hooks' ? 200 : 404;
        response
          .writeHead(status, { 'content-type': typeOf(path), 'access-control-allow-origin': '*' })
          .end(file ?? 'the server of the page');
      });
      request.resume();
    }).listen(0);
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      args: ['--no-sandbox', '--host-resolver-rules=MAP insecure.test 127.0.0.1'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
  const open = async (beside?: BrowserContext): Promise<Page> => {
    const context = beside ?? (await browser?.newContext());
    if (context === undefined) throw new Error('There is no browser yet.');
    if (beside === undefined) onTestFinished(() => context.close());
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(url());
    await page.waitForFunction(() => 'tools' in globalThis);
    return page;
  };
  return {
    url,
    browser: () => {
      if (browser === undefined) throw new Error('There is no browser yet.');
      return browser;
    },
    open,
    hooks,
  };
}

const typeOf = (path: string): string =>
  path.endsWith('.js') ? 'text/javascript' : path.endsWith('.json') ? 'application/json' : 'text/html';

async function readFiles(): Promise<ReadonlyMap<string, string>> {
  const [program, texts, register, page] = await Promise.all(
    ['browser.js', 'texts.json', 'worker.js', 'page.js'].map((name) => readFile(join(DIST, name), 'utf8')),
  );
  return new Map([
    ['/', '<!doctype html><title>A page</title><script type="module" src="/in-page.js"></script>'],
    ['/browser.js', program ?? ''],
    ['/texts.json', texts ?? ''],
    ['/worker.js', register ?? ''],
    ['/page.js', page ?? ''],
    ['/in-page.js', await bundled('in-page.ts')],
  ]);
}

/** What the program answers on Node in process, to all plays at once. */
export async function playOnNode(names: readonly string[]): Promise<Record<string, Recorded[]>> {
  const { createSandbox } = (await import(join(DIST, 'index.js'))) as typeof playmoney;
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-plays-'));
  const file = join(folder, 'plays.mjs');
  await writeFile(file, await bundled('plays.ts'));
  const { playAll } = (await import(file)) as typeof plays;
  using sandbox = createSandbox();
  const base = 'http://localhost';
  const played = await playAll(names, { send: (request) => sandbox.fetch(request), base, links: base });
  await rm(folder, { recursive: true });
  return played;
}
