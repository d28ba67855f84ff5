import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSandbox, type Listening, type Sandbox, serve } from '../../src/index.js';
import { blocksOf, forFile, linkedConsumer, readmeTestFile, VITEST } from './consumer.js';

const PAGE = 'docs/guides/test-runners.md';
/** Those without a runner. */
const programs = blocksOf(PAGE, 'js').filter((program) => program.includes("from 'playmoney';"));
const promised = blocksOf(PAGE, 'text');

const consumer = forFile(linkedConsumer());
let sandbox: Sandbox;
let server: Listening;

beforeAll(async () => {
  sandbox = createSandbox({ clock: 'manual' });
  server = await serve(sandbox);
});
afterAll(async () => {
  await server.close(0);
  sandbox.close();
});

describe('docs/guides/test-runners.md', () => {
  test('has what each program prints below it', () => {
    expect(programs.length).toBeGreaterThan(3);
    expect(promised).toHaveLength(programs.length);
  });

  test.each(programs.map((program, n) => [n + 1, program] as const))(
    'program %i prints it',
    async (n, program) => {
      consumer.write(`program-${n}.mjs`, program.replaceAll('http://127.0.0.1:4010', server.url));
      expect(await consumer.run([`program-${n}.mjs`])).toEqual({ code: 0, output: promised[n - 1] });
    },
  );
});

test('The test file of the README passes on a server, once and again, in worlds that are there to be looked at', async () => {
  consumer.write('checkout.test.js', readmeTestFile());
  const environment = { PLAYMONEY_URL: server.url, PLAYMONEY_KEY: 'sk_test_run7' };
  for (const run of [1, 2]) {
    const { code, output } = await consumer.run([VITEST, 'run', 'checkout.test.js'], environment);
    expect([run, code, output]).toEqual([run, 0, expect.stringMatching(/Tests {2}1 passed/)]);
  }
  const listed = (await (await sandbox.fetch('/_sandbox/worlds')).json()) as {
    Worlds: { Counts: { Charges: number } }[];
  };
  expect(listed.Worlds.filter(({ Counts }) => Counts.Charges > 0)).toHaveLength(1);
});

describe('docs/tutorials/first-charge.md', () => {
  const [shop = '', tests = ''] = blocksOf('docs/tutorials/first-charge.md', 'js');
  const [line = ''] = blocksOf('docs/tutorials/first-charge.md', 'text');

  test('has tests that pass', async () => {
    consumer.write('shop.js', shop);
    consumer.write('shop.test.js', tests);
    const { code, output } = await consumer.run([VITEST, 'run', 'shop.test.js']);
    expect(output).toMatch(/Tests {2}3 passed/);
    expect(code).toBe(0);
  });

  test('shows what a failing test prints', async () => {
    consumer.write('shop.test.js', tests.replace('isPaid: false', 'isPaid: true'));
    const { output } = await consumer.run([VITEST, 'run', 'shop.test.js']);
    expect(output).toContain(line.trim());
  });
});

describe('a test that fails', () => {
  test('prints its calls, and no key', async () => {
    consumer.write(
      'fails.test.js',
      `import { test } from 'playmoney/vitest';
       import { expect } from 'vitest';
       test('it fails', async ({ sandbox }) => {
         await sandbox.fetch('/charge/card', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({
           Amount: 5, Reference: 'order-9', ProviderId: '00000000000000000000000000000001',
           PaymentInformation: { CardNumber: '4000000000009995', ExpiryDate: '10/30', Ccv: '123' },
         }) });
         await expect(sandbox).toHaveCharged({ Reference: 'order-9', Amount: '5.00' });
       });
       test('it calls nothing', ({ sandbox }) => { expect(sandbox.key).toBe(1); });`,
    );
    const { code, output } = await consumer.run([VITEST, 'run', 'fails.test.js']);
    expect(code).toBe(1);
    expect(output).toContain('it fails: 1 call reached the sandbox:');
    expect(output).toMatch(
      / {2}00:00:00\.000 {2}POST {4}\/charge\/card {2}400 {2}order-9 {2}card:\S+ {2}Insufficient Funds: /,
    );
    expect(output).toMatch(/expected a charge like .*"Reference": "order-9".*; this world has 1 charge/);
    expect(output).toMatch(
      /\(order-9, 5 AUD, FAILED\): Status is "FAILED", which matches only if a Status is expected/,
    );
    expect(output).toContain('it calls nothing: no call reached the sandbox');
    expect(output.slice(0, output.indexOf('Failed Tests'))).not.toContain('820a65fe5639a84e');
  });
});
