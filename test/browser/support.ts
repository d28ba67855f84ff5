import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { source as axeSource } from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

import { cardOf, STEADY } from '../support/bodies.js';
import { client, type Client } from '../support/sandbox.js';
import { buildIfMissing, type Started, startProgram } from '../node/cli/program.js';
import { CHROMIUM } from './chromium.js';

/** A window of a browser on a server of its own. */
export interface Visit {
  readonly page: Page;
  /** What should not have happened so far: errors of the console and of scripts, requests to another origin than the server's and the page's own. */
  readonly complaints: readonly string[];
}

/** What the tests of a page are given. */
export interface Stage {
  /** Where the server is, such as http://127.0.0.1:40123, once the tests run. */
  readonly url: () => string;
  /** Opens a path of the server, or a page elsewhere, in a fresh window; it is closed after the test. */
  readonly visit: (path: string, window?: BrowserContextOptions) => Promise<Visit>;
}

/** A browser and a server of the program as it is built, for the tests of the describe block that asks for it. */
export function stage(...args: readonly string[]): Stage {
  let browser: Browser | undefined;
  let server: Started | undefined;
  beforeAll(async () => {
    buildIfMissing();
    server = await startProgram(['--port', '0', ...args]);
    // Containers have no user namespaces for a sandbox of its own; only our own pages are opened.
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.child.kill();
    // Its folder of state goes after it.
    await server?.ended;
  });
  const url = (): string => server?.url ?? '';
  return {
    url,
    visit: (path, window) =>
      browser ? open(browser, url(), path, window) : Promise.reject(new Error('There is no browser yet.')),
  };
}

async function open(
  browser: Browser,
  url: string,
  path: string,
  window: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...window });
  // Below the test's own limit, so that a failure says what was waited for; long enough for a busy machine.
  context.setDefaultTimeout(20_000);
  // A page that stays open follows its world, and slows the tests after it.
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const address = new URL(path, url);
  const origins = new Set(['null', url, address.origin]);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request: Request) => {
    if (!origins.has(new URL(request.url()).origin)) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(address.href);
  return { page, complaints };
}

/** A server beside the sandbox for the tests of the describe block that asks for it; its port, once they run. */
export function serverBeside(answer: RequestListener): () => number {
  let server: Server | undefined;
  beforeAll(async () => {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return () => (server?.address() as AddressInfo | undefined)?.port ?? 0;
}

/** Calls the server of a stage with a key, as a back end does. */
export const clientOf = ({ url }: Stage, key: string): Client =>
  client(
    { fetch: (request) => fetch(new Request(request.url.replace('http://localhost', url()), request)) },
    key,
  );

/** Opens the dashboard on the world of a key, as if it had been typed before. */
export async function lookAt(
  { url, visit }: Stage,
  key: string,
  path = '',
  window: BrowserContextOptions = {},
): Promise<Visit> {
  const { page, complaints } = await visit('/_sandbox', window);
  await page.evaluate((typed) => sessionStorage.setItem('playmoney.key', typed), key);
  // The address of the page that is open names its world.
  await page.goto('about:blank');
  await page.goto(`${url()}/_sandbox${path}`);
  await connected(page);
  return { page, complaints };
}

/** Until the page receives live events. */
export const connected = (page: Page): Promise<void> =>
  page.getByLabel('Connected', { exact: true }).waitFor();

/** Moves the clock by a duration, as a person does. */
export async function moveClock(page: Page, by: string): Promise<void> {
  await page.getByRole('button', { name: 'Move the clock:' }).click();
  await page.getByLabel('By', { exact: true }).fill(by);
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await page
    .getByText(/^Moved /)
    .first()
    .waitFor();
}

/** Asserts that nothing sticks out of the window to the right. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}

/** Each width of a window with one scheme. With ALL_WINDOWS, with both: colours do not depend on the width. */
export const WINDOWS = [1440, 1024, 720, 360].flatMap((width, n) =>
  (['light', 'dark'] as const)
    .filter((_, scheme) => scheme === n % 2 || process.env['ALL_WINDOWS'] !== undefined)
    .map((scheme) => [width, scheme] as const),
);

/** What axe finds wrong with access to a page: each rule that is broken, and what breaks it first. Needs a window that bypasses the page's policy. */
export async function faultsOf(page: Page, options: object = {}): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(chosen);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  }, options);
}

/** Saves a picture of the whole page where SCREENSHOTS names a folder, for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** A call of the server by its secret key, as a back end sends it. */
export async function backEnd(url: string, path: string, body?: unknown, key = 'sk_test_local') {
  const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url + path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The body of a charge by card. */
export const chargeOf = (Reference: string, more: object = {}): object => ({
  Amount: '15.50',
  ProviderId: STEADY,
  Reference,
  PaymentInformation: cardOf('4242424242424242'),
  ...more,
});

/** A call in a list of the dashboard. */
export const rowOf = (page: Page, text: string): Locator =>
  page.locator('.feed > li').filter({ hasText: text });

export const buttonOf = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true });
