import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { buildIfMissing, type Ended, runProgram } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const fileOf = (name: string): string => join(folder, name);
const NODE = `"${process.execPath}"`;

const FILES = {
  // Its Reference is that of its process. SAVES says whether it saves that before the charge or after it.
  'shop.mjs': `
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key, PLAYMONEY_DISK: disk, SAVES } = process.env;
    const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
    const file = disk + '/order.json';
    const save = (order) => writeFileSync(file, JSON.stringify(order));
    const saved = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
    const order = saved ?? { reference: 'order-' + process.pid, amount: 20, currency: 'AUD', paid: false };
    if (SAVES === 'before') save(order);
    const isCharged = async () => {
      const answer = await fetch(url + '/charge?Reference=' + order.reference, { headers });
      return (await answer.json()).Charges.some(({ Status }) => Status === 'SUCCESS');
    };
    const charge = async () => {
      const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: order.reference });
      return (await fetch(url + '/charge/token', { method: 'POST', headers, body })).ok;
    };
    if (!order.paid) order.paid = (saved !== null && (await isCharged())) || (await charge());
    save(order);`,
  // A driver with one worker, which it restarts itself, or else waits until somebody has paid its order.
  'driver.mjs': `
    import { spawnSync } from 'node:child_process';
    import { readFileSync, writeFileSync } from 'node:fs';
    const { signal } = spawnSync(process.execPath, [process.argv[2]], { stdio: 'inherit' });
    writeFileSync(process.env.PLAYMONEY_DISK + '/driver', String(signal));
    if (signal !== null && process.argv[3] === 'restarts') spawnSync(process.execPath, [process.argv[2]]);
    // The file may be half-written.
    const isPaid = () => readFileSync(process.env.PLAYMONEY_DISK + '/order.json', 'utf8').includes('"paid":true}');
    while (process.argv[3] === 'waits' && !isPaid()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`,
  'settle.mjs': `
    import { readFileSync, writeFileSync } from 'node:fs';
    const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key, PLAYMONEY_DISK: disk } = process.env;
    const order = JSON.parse(readFileSync(disk + '/order.json', 'utf8'));
    const headers = { 'x-secretkey': key };
    const { Charges } = await (await fetch(url + '/charge?Reference=' + order.reference, { headers })).json();
    order.paid = Charges.some(({ Status }) => Status === 'SUCCESS');
    writeFileSync(disk + '/order.json', JSON.stringify(order));`,
};

beforeAll(() => {
  buildIfMissing();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(fileOf(name), text);
});

async function sweep(saves: 'before' | 'after', ...args: string[]): Promise<Ended> {
  const { PATH = '' } = process.env;
  const orders = 'cat "$PLAYMONEY_DISK/order.json"';
  return runProgram(['sweep', '--timeout', '3m', '--orders', orders, ...args], { PATH, SAVES: saves }).ended;
}

const AFTER = ['--crash', '--fault', 'crash after'];
const SHOP = ['--', process.execPath, fileOf('shop.mjs')];
const RECOVER = ['--recover', `${NODE} "${fileOf('settle.mjs')}"`];

describe('playmoney sweep --crash', () => {
  test('ends the command at each call, and finds the Reference that is saved after the charge', async () => {
    const { code, stdout } = await sweep(
      'after',
      '--crash',
      '--fault',
      'lost',
      '--concurrency',
      '3',
      ...SHOP,
    );
    expect(stdout).toMatch(/^sweep: NOT SAFE\. 1 point, 3 runs: 1 charged twice,/m);
    expect(stdout).toContain('CHARGED TWICE at charge.create: crash after\n');
    expect(stdout).toContain(
      '     When the program waits for an answer, end it with SIGKILL, and start it again.\n',
    );
    expect(code).toBe(1);
  });

  test('finds nothing where it is saved before', async () => {
    const { code, stdout, stderr } = await sweep('before', ...AFTER, ...SHOP);
    expect(stdout).toMatch(/^sweep: safe\. No webhook was seen\. 1 point, /m);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('has no orders where the crash came before anything was saved', async () => {
    const lost = await sweep('after', ...AFTER, '--restart', '', ...SHOP);
    expect(lost.stdout).toContain('1 run: 1 paid, not delivered\n');
    expect(lost.stdout).toContain(
      'the command "cat \\"$PLAYMONEY_DISK/order.json\\"" ended with exit code 1',
    );
    expect(lost.code).toBe(1);
    const unpaid = await sweep('after', '--crash', '--fault', 'crash before', '--restart', '', ...SHOP);
    expect(unpaid.stdout).toMatch(/^sweep: safe\..* 1 point, 1 run: /m);
    expect(unpaid.code).toBe(0);
  });

  test('starts what --restart names, or nothing, and a recovery that crashes runs again', async () => {
    // Nobody looks again.
    const abandoned = await sweep('before', ...AFTER, '--restart', '', ...SHOP);
    expect(abandoned.stdout).toContain('1 run: 1 paid, not delivered\n');
    const settled = await sweep('before', ...AFTER, '--restart', RECOVER[1] ?? '', ...SHOP);
    expect(settled.stdout).toMatch(/1 run: 1 (?:recovered|failed and said so)\n/);
    const recovered = await sweep('before', '--fault', 'crash before', '--restart', '', ...RECOVER, ...SHOP);
    expect(recovered.stdout).toMatch(/^sweep: safe\. No webhook was seen\. 2 points, 2 runs: /m);
    expect(recovered.code).toBe(0);
  });
});

describe.skipIf(process.platform !== 'linux')('--crash-of caller', () => {
  const driver = (...args: string[]): string[] => [
    '--crash-of',
    'caller',
    '--',
    process.execPath,
    fileOf('driver.mjs'),
    fileOf('shop.mjs'),
    ...args,
  ];

  test('ends only the process that made the call', async () => {
    const seen = fileOf('seen');
    const reports = ['--recover', `cat "$PLAYMONEY_DISK/driver" >>"${seen}"`];
    const { stdout } = await sweep('after', ...AFTER, ...reports, ...driver('restarts'));
    expect(stdout).toContain('1 run: 1 charged twice\n');
    expect(readFileSync(seen, 'utf8')).toMatch(/^(?:null)+SIGKILL$/);
  });

  test('starts --restart beside the rest of the command', async () => {
    const restart = ['--restart', `${NODE} "${fileOf('shop.mjs')}" && sleep 300`];
    const { code, stdout } = await sweep('before', ...AFTER, ...restart, ...driver('waits'));
    expect(stdout).toMatch(/^sweep: safe\. No webhook was seen\. 1 point, /m);
    expect(code).toBe(0);
  });
});

test('Each run has a disk of its own, with or without crashes.', async () => {
  const seen = fileOf('disks');
  const look = `ls -d "$PLAYMONEY_DISK" "$PLAYMONEY_DISK"/* >>"${seen}"; exec ${NODE} "${fileOf('shop.mjs')}"`;
  const faults = ['--fault', 'refused', '--fault', 'lost', '--concurrency', '2'];
  const { stdout } = await sweep('after', ...faults, '--', 'sh', '-c', look);
  expect(stdout).toContain('1 point, 2 runs: ');
  const disks = readFileSync(seen, 'utf8').trim().split('\n');
  expect(disks.length).toBeGreaterThan(2);
  expect(new Set(disks).size).toBe(disks.length);
  expect(disks.filter((disk) => existsSync(disk))).toEqual([]);
});

test.each([
  [['--crash-of', 'x'], /^playmoney: --crash-of must be group or caller/],
  [['--crash-of', 'caller'], 'playmoney: --crash-of has no effect without --crash\n'],
  [['--restart', 'true'], 'playmoney: --restart has no effect without --crash\n'],
  [['--concurrency', '0'], /^playmoney: --concurrency must be a whole number from 1 to 64/],
])('Wrong use is refused: %j', async (args, message) => {
  const { code, stderr } = await sweep('after', ...args, ...SHOP);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
