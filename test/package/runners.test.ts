import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { CHROMIUM } from '../browser/chromium.js';
import { blocksOf, forFile, installedConsumer, VITEST } from './consumer.js';

/** The fixtures of other runners than vitest. `npm run test:install` has what works with each of them. */

const PLAYMONEY = 'node_modules/playmoney/dist/cli.js';
const JEST = ['node_modules/jest/bin/jest.js', '--config', 'jest.config.json', '--rootDir', '.'];
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'playwright.config.cjs'];
const PLAIN = '--no-experimental-require-module';

const consumer = forFile(
  installedConsumer('jest@30.5.2', '@jest/globals@30', '@playwright/test@1.65.1', 'vitest@4.1.12'),
);
consumer.write('jest.config.json', JSON.stringify({ testMatch: ['**/*.jest.cjs'] }));
const use = { launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] } };
consumer.write(
  'playwright.config.cjs',
  `module.exports = ${JSON.stringify({ testMatch: '*.spec.*', reporter: 'list', use })};`,
);

/** A test that fails, after which its calls are shown. */
const FAILING = `
  const buy = (sandbox, Reference) => sandbox.fetch('/charge/token', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference }),
  });
  test('fails', async ({ sandbox }) => {
    await buy(sandbox, 'order-3');
    await expect(sandbox).toHaveCharged({ Reference: 'nobody' });
  });`;

test.each([
  [
    'Jest',
    [...JEST, 'shop.jest.cjs'],
    `const { test } = require('playmoney/jest');
     describe('a shop', () => {
       ${FAILING}
       test('waits for ever', async ({ sandbox, receiver }) => { await buy(sandbox, 'order-4'); await receiver.next(); }, 200);
       test('has fake timers', async ({ sandbox }) => {
         jest.useFakeTimers();
         const waited = sandbox.journal.await({ path: '/never' }, { timeout: '20ms' });
         await expect(waited).rejects.toMatchObject({ code: 94 });
         jest.useRealTimers();
       });
       test.each([[1, 'a'], [2, 'b']])('has rows: %i %s', async (n, letter, { sandbox }) => {
         await buy(sandbox, letter + n);
         expect((await sandbox.charges()).map(({ Reference }) => Reference)).toEqual([n === 1 ? 'a1' : 'b2']);
       });
     });`,
    /Tests: +2 failed, 3 passed/,
  ],
  [
    'node:test',
    ['--test', 'shop.node.cjs'],
    `const { describe } = require('node:test');
     const { expect, test } = require('playmoney/node-test');
     describe('a shop', () => {
       ${FAILING}
       test('waits for ever', { timeout: 200 }, async ({ sandbox, receiver }) => { await buy(sandbox, 'order-4'); await receiver.next(); });
     });`,
    /# pass 0\n# fail 1\n# cancelled 1\n/,
  ],
])(
  '%s shows the calls of a test that fails or takes too long, and keeps both whole',
  async (_, args, text, passed) => {
    const file = args.at(-1) ?? '';
    const bundles = join(consumer.folder, `bundles-${file}`);
    consumer.write(file, text);
    const { code, output } = await consumer.run([PLAIN, ...args], { PLAYMONEY_BUNDLES: bundles });
    expect(output).toMatch(passed);
    expect(output).toContain('expected a charge like {"Reference": "nobody"}; this world has 1 charge');
    expect(output).toMatch(
      /POST {4}\/charge\/token {2}201 {2}order-3[^]*POST {4}\/charge\/token {2}201 {2}order-4/,
    );
    expect(code).toBe(1);
    const kept = readdirSync(bundles);
    expect(kept.toSorted()).toEqual([
      expect.stringMatching(/^a_shop_fails_[\da-f]{16}\.json$/),
      expect.stringMatching(/^a_shop_waits_for_ever_[\da-f]{16}\.json$/),
    ]);
    for (const name of kept) expect(output).toContain(`playmoney open ${join(bundles, name)}`);
  },
);

test('Jest with fake timers for all files stops nothing, although the package is loaded under them', async () => {
  const config = { testMatch: ['**/early.cjs'], testTimeout: 60_000, fakeTimers: { enableGlobally: true } };
  consumer.write('early.config.json', JSON.stringify(config));
  consumer.write(
    'early.cjs',
    `const { createSandbox, serve } = require('playmoney');
     const { test } = require('playmoney/jest');
     test('a wait, a webhook and a port', async ({ sandbox, receiver }) => {
       expect(setTimeout.clock).toBeDefined();
       const waited = sandbox.journal.await({ path: '/never' }, { timeout: '20ms' });
       await expect(waited).rejects.toMatchObject({ code: 94 });
       const body = JSON.stringify({ Amount: 5, Token: 'tok_approve', Webhook: { Url: receiver.url } });
       await sandbox.fetch('/charge/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
       await receiver.next('transaction.status.changed');
       const server = await serve(createSandbox());
       expect((await fetch(server.url + '/_sandbox/health')).status).toBe(200);
       await server.close();
     });`,
  );
  const [jest = ''] = JEST;
  const { code, output } = await consumer.run([PLAIN, jest, '--config', 'early.config.json']);
  expect(output).toMatch(/Tests: +1 passed/);
  expect(code).toBe(0);
});

describe.skipIf(CHROMIUM === undefined)('Playwright', () => {
  const PAGE = `<!doctype html><button>Pay</button><p role=status></p><script>
    const call = (path, more, body) => fetch('https://api.example.com/v1' + path, {
      method: 'POST', headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(body) });
    document.querySelector('button').onclick = async () => {
      const status = document.querySelector('p');
      try {
        const card = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' };
        const token = await call('/token/card', { 'x-publickey': 'pk_test_of_the_page', ProviderId: '00000000000000000000000000000001' }, { PaymentInformation: card });
        const { TokenId } = await token.json();
        const { status: code } = await call('/charge/token', { 'x-secretkey': 'sk_test_of_the_page' }, { Amount: 5, Token: TokenId, Reference: 'page' });
        status.textContent = String(code);
      } catch (error) { status.textContent = error.message; }
    };</script>`;
  const SPEC = `const { createTest, expect, test } = require('playmoney/playwright');
    const paged = createTest({ gateway: 'https://api.example.com/v1' });
    const pay = async (page) => {
      await page.route('https://shop.test/**', (route) => route.fulfill({ contentType: 'text/html', body: ${JSON.stringify(PAGE)} }));
      await page.goto('https://shop.test/checkout');
      await page.getByRole('button').click();
    };
    test.describe('a shop', () => {
      paged('is called by its page, whose keys are others', async ({ page, sandbox }) => {
        await pay(page);
        await expect(page.getByRole('status')).toHaveText('201');
        await expect(sandbox).toHaveCharged({ Reference: 'page', Amount: 5 });
      });
      paged('declines, and loses answers', async ({ page, sandbox }) => {
        await sandbox.outcomes.queue('charge.create', ['insufficient_funds', { fault: 'reset', phase: 'after' }]);
        await pay(page);
        await expect(page.getByRole('status')).toHaveText('400');
        await page.getByRole('button').click();
        await expect(page.getByRole('status')).toHaveText('Failed to fetch');
        await expect(sandbox).toHaveCharged({ Reference: 'page' });
      });
      FAILING
    });`;

  test('pages reach the world of their test, in process and under exec', async () => {
    consumer.write('shop.spec.cjs', SPEC.replace('FAILING', ''));
    const run = [PLAIN, ...PLAYWRIGHT, 'shop.spec.cjs'];
    for (const args of [run, [PLAYMONEY, 'exec', '--', process.execPath, ...run]]) {
      const { code, output } = await consumer.run(args);
      expect(output).toContain('2 passed');
      expect(code).toBe(0);
    }
  });

  test('shows the calls of a test that fails, and keeps it whole', async () => {
    const bundles = join(consumer.folder, 'bundles-playwright');
    consumer.write('shop.spec.cjs', SPEC.replace('FAILING', FAILING));
    const { code, output } = await consumer.run([PLAIN, ...PLAYWRIGHT, 'shop.spec.cjs', '-g', 'fails'], {
      PLAYMONEY_BUNDLES: bundles,
    });
    expect(output).toContain('expected a charge like {"Reference": "nobody"}; this world has 1 charge');
    expect(output).toMatch(/POST {4}\/charge\/token {2}201 {2}order-3/);
    expect(readdirSync(bundles)).toHaveLength(1);
    expect(code).toBe(1);
  });
});

test.each([
  ['Jest', 'languages.jest.cjs', [...JEST, 'languages.jest.cjs'], /^/],
  ['Playwright', 'languages.spec.js', [...PLAYWRIGHT, 'languages.spec.js'], /import \{.*'@playwright\/test'/],
])('The snippet of the languages charges a token with %s', async (_, name, args, head) => {
  const [charge = ''] = blocksOf('docs/guides/languages.md', 'js');
  consumer.write(name, `${head.exec(charge)?.[0]};\n${charge}`);
  const { output } = await consumer.run([PLAYMONEY, 'exec', '--', process.execPath, ...args]);
  expect(output).toContain('playmoney: 1 request, no warnings.');
});

describe('the files of the guide', () => {
  const files = new Map(
    blocksOf('docs/guides/test-runners.md', 'js').flatMap((text) => {
      const name = /^\/\/ (\S+)/.exec(text)?.[1];
      return name === undefined ? [] : [[name, text] as const];
    }),
  );

  test.each([
    [
      'charge.test.cjs',
      [...JEST, 'charge.test.cjs', '--testMatch', '**/charge.test.cjs'],
      /Tests: +3 passed/,
    ],
    ['charge.test.mjs', ['--test', 'charge.test.mjs'], /# pass 1\n/],
    ['webhook.test.js', [VITEST, 'run', 'webhook.test.js'], /Tests {2}1 passed/],
    ['checkout.spec.cjs', [...PLAYWRIGHT, 'checkout.spec.cjs'], /1 passed/],
  ])('%s passes', async (name, args, passed) => {
    if (name === 'checkout.spec.cjs' && CHROMIUM === undefined) return;
    consumer.write(name, files.get(name) ?? '');
    const { code, output } = await consumer.run(args);
    expect(output).toMatch(passed);
    expect(code).toBe(0);
    files.delete(name);
  });

  test('are all of them', () => {
    expect(
      [...files.keys()].filter((name) => CHROMIUM !== undefined || name !== 'checkout.spec.cjs'),
    ).toEqual([]);
  });
});
