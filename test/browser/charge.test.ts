import { join } from 'node:path';

import { source as axeSource } from 'axe-core';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hotel, lookAt } from '../pages/dashboard/look.js';
import { CHROMIUM } from './chromium.js';
import { expectNoSidewaysScroll, takePicture } from './support.js';

/** The page of a charge by itself, with the answers of a world in process. */
async function pageOf(given: object): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['mount.tsx', 'base.css'].map((name) => join(import.meta.dirname, 'charge', name)),
    outdir: 'out',
    bundle: true,
    format: 'iife',
    write: false,
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>charge</title><style>${textOf('.css')}</style>
<script type="application/json" id="given">${JSON.stringify(given).replaceAll('<', String.raw`\u003c`)}</script>
<body><script>${textOf('.js').replaceAll('</script', String.raw`<\/script`)}</script></body></html>`;
}

async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await run.run()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    );
  });
}

describe.skipIf(CHROMIUM === undefined)('the page of a charge', () => {
  let browser: Browser;
  let html = '';
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    const { api, id } = await hotel();
    html = await pageOf({
      ...(await lookAt(api, id)),
      facets: await api.read('/_sandbox/journal/facets?Periods=60'),
    });
  });
  afterAll(() => browser.close());

  const open = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      deviceScaleFactor: Number(process.env['SCALE'] ?? 1),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.setContent(html);
    return page;
  };

  const WIDTHS = [1440, 1024, 720, 390];
  const WINDOWS = WIDTHS.flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const]);

  test.each(WINDOWS)('is clean and fits into %i px, %s', { timeout: 90_000 }, async (width, palette) => {
    const page = await open(width, palette);
    await page.getByText('every third').first().waitFor();
    await takePicture(page, `charge-${width}-${palette}`);
    expect(await axe(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.context().close();
  });

  test(
    'is worked by the keyboard: a capture with its amount, a run of the clock, a rule',
    { timeout: 90_000 },
    async () => {
      const page = await open(1440, 'light');
      await page.getByRole('button', { name: 'Capture…' }).press('Enter');
      const amount = page.getByLabel('Amount');
      await amount.fill('120.50');
      await amount.press('Enter');
      expect(await page.title()).toMatch(/^act .*"method":"POST".*"body":\{"Amount":"120.50"\}/);
      await page.getByRole('button', { name: 'Run to here' }).first().press('Enter');
      expect(await page.title()).toBe('run "2026-01-01T11:36:05.000Z"');
      await page.getByRole('button', { name: 'Make this a rule' }).press('Enter');
      expect(await page.title()).toContain('outcome: provider_unavailable');
    },
  );
});
