import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { expectNoSidewaysScroll, faultsOf, takePicture } from './support.js';

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'dist-docs');

/** The files of the site, by their paths. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** What is wrong with the links of a page: files that are not there, and anchors that they do not have. */
function deadLinks(page: string, read: (path: string) => string): string[] {
  const links = [...read(page).matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^(?:https?|data|mailto):/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : posix.join(dirname(page), path);
      if (!existsSync(join(SITE, target))) return true;
      return anchor !== undefined && !read(target).includes(` id="${decodeURIComponent(anchor)}"`);
    })
    .map((link) => `${page}: ${link}`);
}

beforeAll(() => {
  // The first time it installs the generator.
  execFileSync('npm', ['run', '-s', 'docs'], { cwd: ROOT, stdio: 'pipe' });
}, 120_000);

test('Each page of the manual is a page of the site, and each of its links and pictures leads somewhere.', () => {
  const files = filesOf(SITE);
  const texts = new Map(files.map((path) => [path, readFileSync(join(SITE, path), 'utf8')]));
  const others = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'bench/RESULTS.md'];
  const sources = [...others, ...filesOf(join(ROOT, 'docs')).map((path) => `docs/${path}`)];
  const expected = sources
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replace(/README\.md$/, 'index.md').replace(/md$/, 'html'));
  const pages = files.filter((path) => path.endsWith('.html'));
  expect(pages.toSorted()).toEqual(
    [...expected, 'errors.html', 'playground.html', 'reference.html'].toSorted(),
  );
  expect(pages.flatMap((page) => deadLinks(page, (path) => texts.get(path) ?? ''))).toEqual([]);
  // What needs a server stays with it; the playground's script serves such pages itself.
  expect(pages.filter((page) => /(?:href|src)="\/_sandbox/.test(texts.get(page) ?? ''))).toEqual([]);
});

test('llms.txt is an index: a title, a summary, and each page that the manual names, with what it is about.', () => {
  const text = readFileSync(join(SITE, 'llms.txt'), 'utf8');
  const [, summary] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n\n');
  expect(summary).toContain('payments API');
  expect(text.split('\n\n').slice(0, 3)).toEqual(['# playmoney', `> ${summary ?? ''}`, '## Tutorials']);
  const entries = text.split('\n').filter((line) => !/^(?:#.*|>.*|)$/.test(line));
  const links = entries.map((line) => /^- \[[^\]]+\]\(([^)]+)\)(?:: .+)?/.exec(line)?.[1] ?? line);
  expect(links.filter((link) => !existsSync(join(SITE, link)))).toEqual([]);
  const guides = readdirSync(join(ROOT, 'docs/guides')).map(
    (name) => `docs/guides/${name.replace('.md', '.html')}`,
  );
  expect(links).toEqual(expect.arrayContaining(guides));
  expect(text.length).toBeLessThan(10_000);
});

describe.skipIf(CHROMIUM === undefined)('the site, opened as a file,', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  /** Opens a page of the site; `complaints` are errors of scripts, and requests for anything but its files. */
  async function visit(path: string, window: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...window });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    const home = pathToFileURL(SITE).href;
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && !request.url().startsWith(home))
        complaints.push(request.url());
    });
    await page.goto(`${home}/${path}`);
    return { page, complaints };
  }

  const headingOf = (page: Page): Promise<string | null> =>
    page.getByRole('heading', { level: 1 }).textContent();

  test('leads from page to page, and to the API reference', async () => {
    const { page, complaints } = await visit('index.html');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Webhooks', exact: true }).click();
    expect(await headingOf(page)).toBe('Webhooks');
    expect(await pages.locator('[aria-current=page]').textContent()).toBe('Webhooks');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByText('Charge a card', { exact: true }).click();
    expect(await page.locator('#chargeCard .command').textContent()).toContain(
      "'http://127.0.0.1:4010/charge/card'",
    );
    await page.getByRole('link', { name: 'playmoney', exact: true }).click();
    expect(await headingOf(page)).toBe('playmoney');
    expect(complaints).toEqual([]);
  });

  test.each(['docs/guides/time.html', 'reference.html'])(
    'is searched by the keyboard alone from %s',
    async (path) => {
      const { page, complaints } = await visit(path);
      const found = page.locator('#manual-found');
      await page.keyboard.press('/');
      await page.keyboard.type('lost-answer');
      await found.getByRole('link').nth(1).waitFor();
      const first = found.getByRole('link').first();
      expect(await first.textContent()).toMatch(/^The scenario library › lost-answer.*network error/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/scenario-library\.html#lost-answer$/);
      expect(complaints).toEqual([]);
    },
  );

  test('finds operations, and says when it finds nothing', async () => {
    const { page } = await visit('index.html');
    const words = page.getByRole('searchbox', { name: 'Search the manual' });
    await words.fill('xylophone quartz');
    await page.getByText('No results for “xylophone quartz”.').waitFor();
    await words.fill('void a charge');
    await page.locator('#manual-found a[href$="reference.html#voidCharge"]').click();
    await page.locator('#voidCharge[open]').waitFor();
    expect(page.url()).toMatch(/reference\.html#voidCharge$/);
  });

  test.each([
    ['light', 1200],
    ['dark', 360],
  ] as const)(
    'is read in the %s scheme, %i pixels wide, without a fault of access',
    async (colorScheme, width) => {
      const { page, complaints } = await visit('index.html', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      const faults: string[] = [];
      for (const path of [
        'index',
        'docs/guides/webhooks',
        'docs/reference/test-cards',
        'docs/decisions/0001-worlds-and-virtual-time',
        'errors',
        'reference',
      ]) {
        await page.goto(pathToFileURL(join(SITE, `${path}.html`)).href);
        await expectNoSidewaysScroll(page);
        await takePicture(page, `site-${path.replaceAll('/', '-')}-${colorScheme}`);
        // All operations of the reference would take ten seconds.
        await page.evaluate(() => {
          for (const one of document.querySelectorAll('details + details')) one.remove();
        });
        const found = await faultsOf(page, { preload: false });
        faults.push(...found.map((fault) => `${path}: ${fault}`));
      }
      expect(faults).toEqual([]);
      expect(complaints).toEqual([]);
    },
    // axe reads six pages, which takes half a minute on a busy machine.
    180_000,
  );

  test('shows its pages behind a button on a phone', async () => {
    const { page } = await visit('docs/guides/time.html', { viewport: { width: 360, height: 740 } });
    const link = page.locator('#pages').getByRole('link', { name: 'Webhooks', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    await takePicture(page, 'site-phone-menu');
    await link.click();
    expect(await headingOf(page)).toBe('Webhooks');
  });
});
