import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';

import { freePort } from '../support/socket.js';
import { CHROMIUM } from './chromium.js';
import { backEnd, stage } from './support.js';

/** The one block of a language on a page, of those that are not test files. */
function blockOf(page: string, language: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const blocks = Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  ).filter((block) => !/^\/\/ \S+\.test\.js/.test(block));
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? '';
}

/** The shop of a page: its document, its script, and a back end that notes the tokens that it receives. */
function shopOf(name: string, sandbox: string, paid: string[], after = ''): Promise<Server> {
  const html = blockOf(name, 'html').replaceAll('http://127.0.0.1:4010', sandbox);
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${html}`],
    '/shop.js': ['text/javascript', `${blockOf(name, 'js')}\n${after}`],
  };
  const server = createServer((request, response) => {
    if (request.url === '/pay') {
      request.on('data', (piece: Buffer) => paid.push(piece.toString()));
      request.on('end', () => response.writeHead(204).end());
      return;
    }
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(text === '' ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel(/expir/i).fill('10/30');
  await page.getByLabel(/code|cvc|ccv/i).fill('123');
}

describe.skipIf(CHROMIUM === undefined)('the shop', () => {
  const { url, visit } = stage('--clock', 'manual');
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const open = async (name: string, paid: string[], after?: string) => {
    const server = await shopOf(name, url(), paid, after);
    servers.push(server);
    return visit(`http://localhost:${(server.address() as AddressInfo).port}/`);
  };
  const charge = (Amount: string, Token: string) =>
    backEnd(url(), '/charge/token', { Amount, Token }, 'sk_test_shop');

  test('of docs/guides/front-end.md takes a card in the form and hands its token to the back end, which charges it; and makes one without the form', async () => {
    const paid: string[] = [];
    const { page, complaints } = await open('guides/front-end.md', paid, 'window.made = TokenId;');
    await page.waitForFunction(() => 'made' in window);
    const made = await page.evaluate(() => (window as unknown as { made: string }).made);

    await typeCard(page, '4242424242424242');
    const handedOver = page.waitForResponse('**/pay');
    await page.getByRole('button', { name: 'Pay 15.50' }).click();
    await handedOver;

    for (const token of [made, ...paid]) {
      const charged = await charge('15.50', token);
      expect(charged).toMatchObject({ status: 201, body: { Amount: 15.5, Status: 'SUCCESS' } });
    }
    expect(paid).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('of docs/guides/page-script.md shows a failure; it hands the token to the back end once the payer has passed 3-D Secure', async () => {
    const paid: string[] = [];
    const { page, complaints } = await open('guides/page-script.md', paid);
    await typeCard(page, '4000000000001133');
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('status').filter({ hasText: '3-D Secure failed' }).waitFor();
    expect(paid).toEqual([]);

    await page.getByRole('button', { name: 'Place order' }).click();
    const handedOver = page.waitForResponse('**/pay');
    await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).click();
    await handedOver;
    expect(paid).toHaveLength(1);
    expect(await charge('20', paid[0] ?? '')).toMatchObject({
      status: 201,
      body: { Amount: 20, Status: 'SUCCESS', ThreeDsVerified: true },
    });
    expect(complaints).toEqual([]);
  });

  test('of docs/tutorials/checkout-offline.md is paid, declined, and waits for the bank until the clock moves', async () => {
    const port = await freePort();
    const shop = spawn(
      process.execPath,
      ['--input-type=module', '-e', blockOf('tutorials/checkout-offline.md', 'js')],
      {
        env: { ...process.env, PLAYMONEY_URL: url(), PLAYMONEY_KEY: 'sk_test_tutorial', PORT: String(port) },
      },
    );
    try {
      await once(shop.stdout, 'data');
      const { page, complaints } = await visit(`http://localhost:${port}/`);
      const payWith = async (number: string) => {
        await typeCard(page, number);
        await page.getByRole('button', { name: /^Pay/ }).click();
      };
      const shows = (hasText: string) => page.getByRole('status').filter({ hasText }).waitFor();

      await payWith('4242424242424242');
      await shows('Paid: SUCCESS');
      await payWith('4000000000009995');
      await shows('Not paid: Insufficient Funds');
      await payWith('4000000000001133');
      await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).click();
      await shows('Paid: SUCCESS');
      await payWith('4000000000001133');
      await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).waitFor();
      await backEnd(url(), '/_sandbox/clock/advance', { By: '10m' }, 'sk_test_tutorial');
      await shows('Not paid: ');
      expect(complaints).toEqual([]);
    } finally {
      shop.kill();
    }
  });
});
