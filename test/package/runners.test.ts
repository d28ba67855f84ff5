import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CHROMIUM } from '../browser/chromium.js';
import { blocksOf, type Consumer, installedConsumer, type Run, VITEST } from './consumer.js';

const ROOT = join(import.meta.dirname, '../..');
const PLAYMONEY = 'node_modules/playmoney/dist/cli.js';
const JEST = ['node_modules/jest/bin/jest.js', '--config', 'jest.config.json', '--rootDir', '.'];
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'playwright.config.cjs'];
const PLAIN = '--no-experimental-require-module';

let consumer: Consumer;
beforeAll(() => {
  consumer = installedConsumer(
    'jest@30',
    '@jest/globals@30',
    '@types/jest@30',
    '@playwright/test@1.65.1',
    'vitest@4.1.12',
  );
  consumer.write('jest.config.json', JSON.stringify({ testMatch: ['**/*.jest.cjs'] }));
  const use = { launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] } };
  consumer.write(
    'playwright.config.cjs',
    `module.exports = ${JSON.stringify({ testMatch: '*.spec.cjs', reporter: 'list', use })};`,
  );
});
afterAll(() => consumer.remove());

/** What every runner runs: the tests of a shop, one that fails, and one that takes too long. */
const SHOP = `
const headers = { 'content-type': 'application/json' };
const buy = (sandbox, Reference, more = {}) => sandbox.fetch('/charge/token', {
  method: 'POST', headers, body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference, ...more }),
});
const signed = createTest({ webhookSecret: 'whsec_shop' });
const inSdk = createTest({ dialect: 'sdk', clock: { mode: 'manual', start: '2030-01-01T00:00:00Z' } });
const shop = () => {
  test('sells', async ({ sandbox }) => {
    await buy(sandbox, 'order-1');
    await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 5 });
    await expect(sandbox).not.toHaveCharged({ Reference: 'order-2' });
    const [{ ChargeId }] = await sandbox.charges();
    console.log('sold ' + ChargeId + ' at ' + (await sandbox.clock.now()));
  });
  signed('is told', async ({ sandbox, receiver }) => {
    await buy(sandbox, 'order-2', { Webhook: { Url: receiver.url } });
    const { data } = await receiver.next('transaction.status.changed');
    if (data.reference !== 'order-2' || receiver.refused.length > 0) throw new Error('not told');
    await expect(sandbox).toHaveDelivered('transaction.status.changed', { data: { reference: 'order-2' } });
    await expect(sandbox).not.toHaveDelivered('batch.status.changed');
  });
  test('is swept', async () => {
    const report = await sweep(async ({ fetch }) => void (await buy({ fetch }, 'order-5')), { faults: ['limited'] });
    expect(report).toBeSafe();
    expect(await sweep(async ({ fetch }) => {
      await buy({ fetch }, 'order-6').catch(() => buy({ fetch }, 'order-6'));
    }, { faults: ['lost'] })).not.toBeSafe();
  });
  inSdk('has a world of its own', async ({ sandbox }) => {
    const answer = await fetch(sandbox.url + '/charge', { headers: { 'x-secretkey': sandbox.key } });
    console.log('own ' + JSON.stringify(await answer.json()) + ' at ' + (await sandbox.clock.now()));
  });
};`;
const FAILING = `
  test('fails', async ({ sandbox }) => {
    await buy(sandbox, 'order-3');
    await expect(sandbox).toHaveCharged({ Reference: 'nobody' });
  });`;

const SOLD = 'sold c3fe4d886137a3df9d4787a033765fc8 at 2026-01-01T00:00:00.000Z';
const OWN = /own \{"limit":.*"count":0,.*\} at 2030-01-01T00:00:00\.000Z/;

/** Runs a file in process, and under exec. */
async function bothWays(args: readonly string[]): Promise<[Run, Run]> {
  const within = await consumer.run([PLAIN, ...args]);
  return [within, await consumer.run([PLAYMONEY, 'exec', '--', process.execPath, PLAIN, ...args])];
}

describe.each([
  {
    runner: 'Jest',
    file: 'shop.jest.cjs',
    args: [...JEST, 'shop.jest.cjs'],
    head: `const { sweep } = require('playmoney');
           const { createTest, test } = require('playmoney/jest');`,
    tail: `describe('a shop', () => { shop(); FAILING });`,
    late: `  test('waits for ever', async ({ sandbox, receiver }) => { await buy(sandbox, 'order-4'); await receiver.next(); }, 200);
           test('has fake timers', async ({ sandbox }) => {
             jest.useFakeTimers();
             const waited = sandbox.journal.await({ path: '/never' }, { timeout: '20ms' });
             await expect(waited).rejects.toMatchObject({ code: 94 });
             jest.useRealTimers();
           });
           test.each([[1, 'a'], [2, 'b']])('has rows: %i %s', async (n, letter, { sandbox }) => {
             await buy(sandbox, letter + n);
             expect((await sandbox.charges()).map(({ Reference }) => Reference)).toEqual([n === 1 ? 'a1' : 'b2']);
           });`,
    passed: /Tests: +2 failed, 7 passed/,
  },
  {
    runner: 'node:test',
    file: 'shop.node.cjs',
    args: ['--test', 'shop.node.cjs'],
    head: `const { describe } = require('node:test');
           const { sweep } = require('playmoney');
           const { createTest, expect, test } = require('playmoney/node-test');`,
    tail: `describe('a shop', () => { shop(); FAILING });`,
    late: `  test('waits for ever', { timeout: 200 }, async ({ sandbox, receiver }) => { await buy(sandbox, 'order-4'); await receiver.next(); });`,
    passed: /# pass 4\n# fail 1\n# cancelled 1\n/,
  },
])('$runner', ({ file, args, head, tail, late, passed }) => {
  test('runs the same tests in process and under exec, with the same identifiers, clocks and webhooks', async () => {
    consumer.write(file, `${head}${SHOP}${tail.replace('FAILING', '')}`);
    for (const { code, output } of await bothWays(args)) {
      expect(output).toContain(SOLD);
      expect(output).toMatch(OWN);
      expect(code).toBe(0);
    }
  });

  test('shows the calls of a test that fails or takes too long, and keeps both whole', async () => {
    const bundles = join(consumer.folder, `bundles-${file}`);
    consumer.write(file, `${head}${SHOP}${tail.replace('FAILING', FAILING + late)}`);
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
  });
});

test('Jest with fake timers for all files stops nothing, although the package is loaded under them', async () => {
  const config = { testMatch: ['**/early.cjs'], fakeTimers: { enableGlobally: true } };
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
    const { sweep } = require('playmoney');
    ${SHOP}
    const paged = createTest({ gateway: 'https://api.example.com/v1' });
    const pay = async (page) => {
      await page.route('https://shop.test/**', (route) => route.fulfill({ contentType: 'text/html', body: ${JSON.stringify(PAGE)} }));
      await page.goto('https://shop.test/checkout');
      await page.getByRole('button').click();
    };
    test.describe('a shop', () => {
      shop();
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

  test('runs the same tests, and pages reach the world of their test, in process and under exec', async () => {
    consumer.write('shop.spec.cjs', SPEC.replace('FAILING', ''));
    for (const { code, output } of await bothWays(PLAYWRIGHT)) {
      expect(output).toContain(SOLD);
      expect(output).toMatch(OWN);
      expect(output).toContain('6 passed');
      expect(code).toBe(0);
    }
  });

  test('shows the calls of a test that fails, and keeps it whole', async () => {
    const bundles = join(consumer.folder, 'bundles-playwright');
    consumer.write('shop.spec.cjs', SPEC.replace('FAILING', FAILING));
    const { code, output } = await consumer.run([PLAIN, ...PLAYWRIGHT, '-g', 'fails'], {
      PLAYMONEY_BUNDLES: bundles,
    });
    expect(output).toContain('expected a charge like {"Reference": "nobody"}; this world has 1 charge');
    expect(output).toMatch(/POST {4}\/charge\/token {2}201 {2}order-3/);
    expect(readdirSync(bundles)).toHaveLength(1);
    expect(code).toBe(1);
  });
});

describe('the files of the guide', () => {
  const files = new Map(
    blocksOf('docs/guides/test-runners.md', 'js').map((text) => [/^\/\/ (\S+)/.exec(text)?.[1] ?? '', text]),
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

describe('typed strictly, with the declarations of the package checked too', () => {
  const MATCHERS = `
    await expect(sandbox).toHaveCharged({ Reference: 'a', Amount: 5 });
    await expect(sandbox).not.toHaveDelivered('batch.status.changed');
    expect({} as import('playmoney').SweepReport).not.toBeSafe();
    // @ts-expect-error there is no such event
    await expect(sandbox).toHaveDelivered('batch.changed');`;
  const FILES: [name: string, types: string[], text: string][] = [
    [
      'jest-globals',
      ['node'],
      `import { expect } from '@jest/globals';
       import { createTest, type Receiver, test } from 'playmoney/jest';
       test('typed', async ({ sandbox, receiver }) => {
         ${MATCHERS}
         const own: Receiver = receiver;
         (await own.next('customer.created', { timeout: '2s' })).data;
       });
       createTest({ dialect: 'sdk' }).only('typed', () => {}, 5000);
       test.each([[1, 'a']] as [number, string][])('%i', async (n, letter, { sandbox }) => [n.toFixed(), letter.trim(), sandbox.key]);
       test.each([{ a: 1 }])('%o', async (row, { sandbox }) => [row.a.toFixed(), sandbox.key]);
       // @ts-expect-error there is no such option
       createTest({ dialects: 'sdk' });`,
    ],
    [
      'jest-types',
      ['node', 'jest'],
      `import { test } from 'playmoney/jest';
       test('typed', async ({ sandbox }) => { ${MATCHERS} });`,
    ],
    [
      'node-test',
      ['node'],
      `import { createTest, expect, test } from 'playmoney/node-test';
       createTest({ seed: '2' }).skip('typed', { timeout: 5 }, async ({ sandbox, receiver, t }) => {
         ${MATCHERS}
         t.diagnostic(sandbox.key);
         await receiver.next();
       });
       test('typed', ({ sandbox }) => sandbox.state());`,
    ],
    [
      'playwright',
      ['node'],
      `import { createTest, expect, test } from 'playmoney/playwright';
       const own = createTest({ gateway: 'https://api.example.com', seed: '2' });
       own.describe('a', () => {
         own('b', async ({ page, sandbox, receiver, browserName }) => {
           await expect(page.getByRole('status')).toHaveText(browserName);
           ${MATCHERS}
           await receiver.next();
         });
       });
       test.use({ viewport: null });`,
    ],
  ];

  test.each(FILES)('%s', (name, types, text) => {
    for (const [module, moduleResolution, extension] of [
      ['nodenext', 'nodenext', 'ts'],
      ['nodenext', 'nodenext', 'cts'],
      ['node16', 'node16', 'cts'],
      ['esnext', 'bundler', 'ts'],
    ]) {
      consumer.write(`${name}.${extension}`, text);
      const compilerOptions = {
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        module,
        moduleResolution,
        strict: true,
        types,
        noEmit: true,
      };
      consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [`${name}.${extension}`] }));
      const tsc = join(ROOT, 'node_modules/.bin/tsc');
      expect(execFileSync(tsc, ['-p', 'tsconfig.json'], { cwd: consumer.folder, encoding: 'utf8' })).toBe('');
    }
  });
});
