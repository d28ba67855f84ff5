import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Started, startProgram } from '../node/cli/program.js';
import { copyOfCheckout } from './checkout.js';

/** A program that ends sooner has compiled too little to keep. */
const WORTH_KEEPING_MS = 1000;
const CHARGE = JSON.stringify({
  Amount: '20.00',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '10/30', Ccv: '123' },
});
const HEADERS = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_a' };

let folder: string;
const chunks = (ending: RegExp): string[] =>
  readdirSync(join(folder, 'dist/chunks'))
    .filter((name) => ending.test(name))
    .map((name) => join(folder, 'dist/chunks', name));
const build = (...args: string[]): unknown =>
  execFileSync(process.execPath, ['esbuild.config.mjs', ...args], { cwd: folder });
const caches = (): string[] => chunks(/\.cjs\./);

beforeAll(() => {
  folder = copyOfCheckout();
  build();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (): Promise<Started> =>
  startProgram(['--port', '0', '--quiet', '--clock', 'manual'], {}, join(folder, 'dist/cli.js'));

/** What the program answers, also of modules that it loads late; it ends when it has run for at least so long. */
async function played(program: Started, ms = 0): Promise<string[]> {
  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(program.url + path, { headers: HEADERS, ...init });
    return `${response.status} ${await response.text()}`;
  };
  const began = performance.now();
  const answers = [
    await ask('/charge/card', { method: 'POST', body: CHARGE }),
    await ask('/charge/card', { method: 'POST', body: '{"Amount":0}' }),
    await ask('/charge?Reference=none'),
    await ask('/payment_link/none'),
    await ask('/_sandbox/scenario', { method: 'PUT', body: '{"Name":"every-decline"}' }),
    await ask('/charge/card', { method: 'POST', body: CHARGE }),
  ];
  while (performance.now() - began < ms) await ask('/_sandbox/clock');
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  return answers;
}

test('A start leaves the compiled code behind, the next one takes it, and both answer the same.', async () => {
  const first = await played(await start(), WORTH_KEEPING_MS);
  const [cache = '', ...more] = caches();
  expect(more).toEqual([]);
  expect(cache).toContain(`.cjs.${process.version}-${process.arch}`);
  const [script = ''] = chunks(/\.cjs$/);
  const { cachedDataRejected } = new Script(readFileSync(script, 'utf8'), {
    cachedData: readFileSync(cache),
  });
  expect(cachedDataRejected).toBe(false);
  const second = await played(await start());
  expect(second).toEqual(first);
  expect(second.map((answer) => answer.slice(0, 3))).toEqual(['200', '400', '200', '404', '200', '200']);
});

test('What cannot be used is left aside, and made anew.', async () => {
  const [cache = ''] = caches();
  truncateSync(cache, 1000);
  const [charged = ''] = await played(await start(), WORTH_KEEPING_MS);
  expect(charged).toMatch(/^200 /);
  expect(readFileSync(cache).length).toBeGreaterThan(100_000);
});

test('A build keeps what fits it; that of the package has modules alone.', () => {
  build();
  expect(caches()).toHaveLength(1);
  build('--published');
  expect(chunks(/\.cjs/)).toEqual([]);
});
