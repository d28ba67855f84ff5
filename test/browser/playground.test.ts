import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { expectNoSidewaysScroll, faultsOf, takePicture } from './support.js';

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'dist-docs');
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
};

describe.skipIf(CHROMIUM === undefined)('the playground of the site', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    execFileSync('npm', ['run', '-s', 'docs'], { cwd: ROOT, stdio: 'pipe' });
    server = createServer((request, response) => {
      const path = request.url?.split(/[?#]/)[0] ?? '/';
      const file = join(SITE, path);
      if (!existsSync(file)) return response.writeHead(404).end('the server of the site');
      response.setHeader('content-type', TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain');
      return createReadStream(file).pipe(response);
    }).listen(0);
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  async function visit(address: string, window: BrowserContextOptions = {}) {
    const page = await (await browser.newContext(window)).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
    return { page, complaints };
  }
  const url = (): string => `http://localhost:${(server.address() as AddressInfo).port}/playground.html`;

  test.each([
    ['light', 1400],
    ['dark', 1400],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'pays, shows the charge and moves the clock, without a server: %s, %i pixels wide',
    async (colorScheme, width) => {
      const { page, complaints } = await visit(url(), { colorScheme, viewport: { width, height: 900 } });
      const checkout = page.frameLocator('#checkout');
      const dashboard = page.frameLocator('#dashboard');
      await checkout.getByLabel('Card number').fill('4242424242424242');
      await checkout.getByLabel(/^Expiry date/).fill('12 / 30');
      await dashboard.getByRole('img', { name: 'Connected' }).waitFor();
      await checkout.getByRole('button', { name: /^Pay/ }).click();
      await checkout
        .getByText('The payment succeeded')
        .or(checkout.getByText(/paid|Thank/i))
        .first()
        .waitFor();
      await dashboard.getByText('15.50').first().waitFor();
      await page.getByRole('button', { name: 'Pay again' }).click();
      await checkout.getByLabel('Card number').waitFor();
      expect(await page.locator('#now').textContent()).toBe('2026-01-01 00:00:00 UTC');
      await page.getByLabel('Advance by').selectOption('7 days');
      await page.getByRole('button', { name: 'Advance' }).click();
      await page.getByText('2026-01-08 00:00:00 UTC').waitFor();
      await expectNoSidewaysScroll(page);
      await takePicture(page, `playground-${colorScheme}-${width}`);
      await page.reload();
      await page.getByText('2026-01-08 00:00:00 UTC').waitFor();
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.getByText('2026-01-01 00:00:00 UTC').waitFor();
      expect(await faultsOf(page, { preload: false, iframes: false })).toEqual([]);
      expect(complaints).toEqual([]);
    },
    120_000,
  );

  test('says what it needs when it is opened as a file', async () => {
    const { page } = await visit(pathToFileURL(join(SITE, 'playground.html')).href);
    expect(await page.getByRole('alert').textContent()).toContain('npm run docs -- --serve');
  });
});
