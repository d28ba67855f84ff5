import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import {
  backEnd,
  chargeOf as charge,
  connected,
  moveClock,
  serverBeside,
  stage,
  takePicture,
} from './support.js';
import { batchOf } from '../support/bodies.js';
import { temporaryFolder } from '../support/folder.js';
import { runProgram } from '../node/cli/program.js';

const BYTES_MAX = 1_000_000;

describe.skipIf(CHROMIUM === undefined)('a world as one page', () => {
  const here = stage('--clock', 'manual');
  let posts = 0;
  const shop = serverBeside((_, response) => response.writeHead(posts++ % 2 === 0 ? 204 : 503).end());

  /** Saves the world of a key by the program, as a person does. */
  async function savePage(key: string): Promise<string> {
    const file = join(temporaryFolder(), 'failure.html');
    const { code, stdout } = await runProgram(['bundle', '--html', file, '--url', here.url(), '--key', key])
      .ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Open it in a browser')]);
    return file;
  }

  /** Opens a file, and notes each request, which files and what the page makes itself do not need. */
  async function openFile(
    file: string,
    window: object = {},
  ): Promise<{ page: Page; complaints: readonly string[]; requests: readonly string[] }> {
    const { page, complaints } = await here.visit('about:blank', window);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (!/^(?:blob|data):/.test(request.url())) requests.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    await connected(page);
    return { page, complaints, requests };
  }

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    'shows the failure and moves its clock by a double click alone, at %i in %s',
    async (width, colorScheme) => {
      const key = `sk_test_onefile${width}`;
      const send = (Reference: string, more: object = {}) =>
        backEnd(here.url(), '/charge/card', charge(Reference, more), key);
      await backEnd(
        here.url(),
        '/_sandbox/outcomes',
        { Operation: 'charge.create', Outcomes: [{ Fault: 'reset', Phase: 'after' }] },
        key,
      );
      await send('order-2001').catch(() => {});
      await send('order-2001');
      await send('order-2002', { Capture: false });
      const { page, complaints, requests } = await openFile(await savePage(key), {
        viewport: { width, height: 900 },
        colorScheme,
      });
      const finding = page.getByRole('link', { name: /order-2001 charged twice/ }).first();
      await finding.waitFor();
      await takePicture(page, `file-calls-${width}-${colorScheme}`);
      await finding.click();
      await page
        .getByRole('heading', { name: /order-2001/ })
        .first()
        .waitFor();
      await takePicture(page, `file-order-${width}-${colorScheme}`);
      await moveClock(page, '7d');
      await page.getByRole('link', { name: '1 authorisation expired' }).click();
      await page.getByRole('cell', { name: 'AUTHORISE_CANCELLED' }).waitFor();
      await takePicture(page, `file-moved-${width}-${colorScheme}`);
      expect(complaints).toEqual([]);
      expect(requests).toHaveLength(1);
    },
  );

  test('is below 1 MB with 500 calls, and has neither the key nor a card number as it was', async () => {
    const key = 'sk_test_onefile_large';
    for (let n = 0; n < 500; n++) await backEnd(here.url(), '/charge/card', charge(`order-${n}`), key);
    const file = await savePage(key);
    expect(statSync(file).size).toBeLessThan(BYTES_MAX);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
    const { page } = await openFile(file);
    await page.getByText('order-499').first().waitFor();
    const again = await runProgram(['bundle', '--html', file, '--url', here.url()]).ended;
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
  });

  test('opens with webhooks of charges and batches, delivered or failing, and offers no page of itself', async () => {
    const key = 'sk_test_onefile_hooks';
    const Webhook = { Url: `http://127.0.0.1:${shop()}/hooks` };
    for (const Reference of ['order-1', 'order-2'])
      await backEnd(here.url(), '/charge/card', charge(Reference, { Webhook }), key);
    const made = await backEnd(here.url(), '/payment_method/card', charge('x'), key);
    const row = `${String(made.body['PaymentMethodId'])},7,AUD,row-1`;
    await backEnd(here.url(), '/batch/transaction/payment_method', batchOf([row], { Webhook }), key);
    await backEnd(here.url(), '/_sandbox/clock/advance', { By: '1d' }, key);
    const { page, complaints } = await openFile(await savePage(key));
    await page.evaluate(() => (location.hash = '#/webhooks'));
    await page.getByText('batch.status.changed').first().waitFor();
    await page.evaluate(() => (location.hash = '#/files'));
    await page.getByText('Open a file…').waitFor();
    expect(await page.getByRole('button', { name: 'Download as page' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('says that it has no server where one would be needed', async () => {
    const { page, complaints, requests } = await openFile(await savePage('sk_test_onefile_alone'));
    expect(await page.getByRole('link', { name: 'Checkout' }).count()).toBe(0);
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'http://127.0.0.1:4010/_sandbox/errors#54';
      link.textContent = 'error 54';
      document.body.append(link);
    });
    await page.getByText('error 54').click();
    await page.getByText('This page is a file, so no server can show that one.').waitFor();
    expect([complaints, requests.length]).toEqual([[], 1]);
  });
});
