import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from './chromium.js';
import { backEnd, stage } from './support.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/guides/front-end.md'), 'utf8');

/** The one block of a language on the page. */
function blockOf(language: string): string {
  const [, block = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE) ?? [];
  return block;
}

/** The shop of the page: its document, its script, and a back end that notes the tokens that it is handed. */
function shopOf(sandbox: string, paid: string[]): Promise<Server> {
  const html = blockOf('html').replaceAll('http://127.0.0.1:4010', sandbox);
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${html}`],
    '/shop.js': ['text/javascript', `${blockOf('js')}\nwindow.made = TokenId;`],
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

describe.skipIf(CHROMIUM === undefined)('the shop of docs/guides/front-end.md', () => {
  const { url, visit } = stage('--clock', 'manual');
  const paid: string[] = [];
  let server: Server;
  beforeAll(async () => {
    server = await shopOf(url(), paid);
  });
  afterAll(() => {
    server.close();
  });

  test('takes a card in the form and hands its token to the back end, which charges it; and makes one without the form', async () => {
    const { page, complaints } = await visit(`http://localhost:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => 'made' in window);
    const made = await page.evaluate(() => (window as unknown as { made: string }).made);

    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel(/expir/i).fill('10/30');
    await page.getByLabel(/code|cvc|ccv/i).fill('123');
    const handedOver = page.waitForResponse('**/pay');
    await page.getByRole('button', { name: 'Pay 15.50' }).click();
    await handedOver;

    for (const token of [made, ...paid]) {
      const charged = await backEnd(
        url(),
        '/charge/token',
        { Amount: '15.50', Token: token },
        'sk_test_shop',
      );
      expect(charged).toMatchObject({ status: 201, body: { Amount: 15.5, Status: 'SUCCESS' } });
    }
    expect(paid).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
