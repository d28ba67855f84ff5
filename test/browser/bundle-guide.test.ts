import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { withPalette } from './picture.js';
import { connected, rowOf } from './support.js';
import { temporaryFolder } from '../support/folder.js';
import { runExample, withProgram, writeFiles } from '../support/readme.js';
import { buildIfMissing, type Started, startProgram } from '../node/cli/program.js';

const DOCS = join(import.meta.dirname, '../../docs');
/** The package contains the pictures. */
const PICTURE_BYTES_MAX = 60_000;
const WIDTH = 1240;

/** The bundle of the failure in the guide. Its real times are fixed, so that its pictures are the same each time. */
function failure(): string {
  const folder = temporaryFolder();
  writeFiles(readFileSync(join(DOCS, 'guides/bundle.md'), 'utf8'), folder);
  const command =
    'playmoney exec --quiet --clock manual --scenario bad-day.yaml --bundle failure.json -- sh checkout.sh || true';
  runExample(command, {}, folder, withProgram(folder));
  const file = join(folder, 'failure.json');
  let seconds = 10;
  const steady = readFileSync(file, 'utf8')
    .replaceAll(/"RealAt":"[^"]*"/g, () => `"RealAt":"2026-03-02T09:14:${seconds++}.000Z"`)
    .replaceAll(/"DurationMs":[\d.]+/g, '"DurationMs":4');
  writeFileSync(file, steady);
  return file;
}

describe.skipIf(CHROMIUM === undefined)('docs/guides/bundle.md', () => {
  let server: Started;
  let page: Page;
  let close: () => Promise<void>;

  beforeAll(async () => {
    buildIfMissing();
    server = await startProgram(['open', failure(), '--port', '0', '--quiet']);
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    close = () => browser.close();
    const viewport = { width: WIDTH, height: 460 };
    page = await browser.newPage({ viewport, timezoneId: 'UTC', colorScheme: 'light' });
  });
  afterAll(async () => {
    await close();
    server.child.kill();
  });

  async function view(path: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${server.url}/_sandbox${path}`);
    await connected(page);
  }

  /** Where SCREENSHOTS is set, writes a picture of the guide. */
  async function picture(name: string, height: number): Promise<void> {
    if (!process.env['SCREENSHOTS']) return;
    await page.setViewportSize({ width: WIDTH, height });
    const path = join(DOCS, `pictures/bundle-${name}.png`);
    const small = withPalette(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    expect(small.length).toBeLessThan(PICTURE_BYTES_MAX);
    writeFileSync(path, small);
  }

  test('1: lists the calls, marked as recorded', async () => {
    await view('');
    await rowOf(page, 'no answer').waitFor();
    expect(await page.locator('.feed .mark', { hasText: 'recorded' }).count()).toBe(4);
    await picture('1-calls', 306);
  });

  test('2: shows why the call got no answer', async () => {
    await rowOf(page, 'no answer').getByRole('link').click();
    const inspector = page.getByRole('complementary', { name: 'The selected call' });
    await inspector.getByText('Recorded in the opened bundle').waitFor();
    const why = 'The rule lost on the way asked for a cut connection';
    expect(await inspector.textContent()).toContain(why);
    await picture('2-reason', 672);
  });

  test('3: shows that the rule applied once', async () => {
    await view('#/scenario');
    const rules = page.getByRole('region', { name: 'Rules' });
    await rules.waitFor();
    expect(await rules.getByRole('cell').allTextContents()).toEqual(['lost on the way', '1']);
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    await picture('3-rule', 298);
  });

  test('4: finds both charges of the order', async () => {
    await view('#/charges');
    await page.getByLabel('Reference').fill('order-1042');
    await page.getByText('1–2 of 2').waitFor();
    expect(await page.getByRole('cell', { name: 'SUCCESS' }).count()).toBe(2);
    await picture('4-charges', 306);
  });

  test('5: leads from the older charge to the call that made it', async () => {
    await page.getByRole('cell').getByRole('link').last().click();
    const story = page.locator('.story');
    await story.getByText('got no answer').waitFor();
    expect(await story.textContent()).toContain('The rule lost on the way asked for a cut connection');
    await page.getByRole('complementary').getByText('POST charge.create').waitFor();
    await picture('5-charge', 760);
  });
});
