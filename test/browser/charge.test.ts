import { statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { checkIn } from '../pages/dashboard/look.js';
import type { Client } from '../support/sandbox.js';
import { CHROMIUM } from './chromium.js';
import { withPalette } from './picture.js';
import {
  buttonOf,
  clientOf,
  expectNoSidewaysScroll,
  faultsOf,
  lookAt,
  serverBeside,
  stage,
  takePicture,
  WINDOWS,
} from './support.js';

const PICTURE_BYTES_MAX = 200_000;
/** Wide enough for the page, and narrow enough that its text can be read in the README, where a picture is about 830 px wide. */
const README_WIDTH = 960;

describe.skipIf(CHROMIUM === undefined)('the page of a charge', () => {
  const here = stage('--clock', 'manual', '--start-time', '2026-01-01T00:00:00Z');
  const shop = serverBeside((_, response) => response.writeHead(503).end('down for repair'));
  async function hotel(
    key: string,
    window: Parameters<typeof here.visit>[1] = {},
  ): Promise<{ api: Client; page: Page; id: string }> {
    const api = clientOf(here, key);
    const id = await checkIn(api, `http://127.0.0.1:${shop()}/hooks/pay`);
    const { page } = await lookAt(here, key, `#/charges/${id}`, window);
    await page.getByText('every third').first().waitFor();
    return { api, page, id };
  }

  test.each(WINDOWS)('is clean and fits into %i px, %s', async (width, colorScheme) => {
    const deviceScaleFactor = Number(process.env['SCALE'] ?? 1);
    const { page } = await hotel(`sk_test_${width}_${colorScheme}`, {
      viewport: { width, height: 900 },
      colorScheme,
      deviceScaleFactor,
    });
    await page.getByText('is tried again').waitFor();
    await takePicture(page, `charge-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await page.context().close();
  });

  test('looks as the documentation shows it', async () => {
    const { page } = await hotel('sk_test_hotel', {
      viewport: { width: README_WIDTH, height: 645 },
      deviceScaleFactor: 2,
    });
    await page.getByText('is tried again').waitFor();
    await page.getByText('Rule of the scenario').waitFor();
    expect(await page.title()).toBe('hotel-77, Authorised · playmoney');
    if (process.env['SCREENSHOTS']) {
      const path = fileURLToPath(new URL('../../docs/pictures/charge.png', import.meta.url));
      writeFileSync(path, withPalette(await page.screenshot()));
      expect(statSync(path).size).toBeLessThan(PICTURE_BYTES_MAX);
    }
  });

  test('captures a part by the keyboard alone, and says what happened then', async () => {
    const { api, page, id } = await hotel('sk_test_capture');
    await buttonOf(page, /^Capture…/).press('Enter');
    await page.getByLabel('Amount').fill('120.50');
    await page.keyboard.press('Enter');
    await page.getByText('captured AUD 120.50').waitFor();
    expect(await api.read(`/charge/${id}`)).toMatchObject({ Status: 'SUCCESS', Amount: 120.5 });
    await buttonOf(page, /^Refund…/).waitFor();
  });

  test('runs the clock to the next attempt of its webhook', async () => {
    const { api, page } = await hotel('sk_test_clock');
    const before = (await api.read('/_sandbox/world')) as { Clock: { Now: string } };
    await page.getByRole('button', { name: 'Run to here' }).first().press('Enter');
    await page
      .getByText(/^Moved /)
      .first()
      .waitFor();
    const after = (await api.read('/_sandbox/world')) as { Clock: { Now: string } };
    expect(Date.parse(after.Clock.Now)).toBeGreaterThan(Date.parse(before.Clock.Now));
  });

  test('makes a rule of a call, which can be used at once', async () => {
    const { api, page } = await hotel('sk_test_rule');
    await buttonOf(page, 'Make this a rule').press('Enter');
    expect(await page.getByLabel('Text of the scenario').inputValue()).toContain(
      'outcome: provider_unavailable',
    );
    await buttonOf(page, 'Check and use').click();
    await page.getByText('is valid and in use').waitFor();
    expect(await api.read('/_sandbox/scenario')).toMatchObject({ Rules: [{ Rule: 'capture', Matched: 0 }] });
  });

  test('opens the webhook that failed, with what the shop answered', async () => {
    const { page } = await hotel('sk_test_hook');
    await page.getByRole('button', { name: '/hooks/pay' }).first().click();
    const answer = page.getByLabel('answer to attempt 1', { exact: true });
    expect(await answer.textContent()).toBe('down for repair');
  });
});
