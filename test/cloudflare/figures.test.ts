import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildWorker } from '../../integrations/cloudflare/build.mjs';
import { type Edge, startEdge } from './edge.js';
import type { Written } from './evictable.js';
import { keyOf } from '../runtimes/plays.js';

/** What `npm run test:cloudflare` prints, and the page about Cloudflare says. */

/** How many charges a figure is the mean of. */
const CHARGES = 1_000;
const AT_A_TIME = 8;
const WORLD_SIZES = [100, 1_000, 5_000];
const MEASURED = 50;
/** The unit of times in /proc. */
const TICK_MS = 10;

const figures: Record<string, unknown> = {};

let edge: Edge;
beforeAll(async () => {
  const begun = performance.now();
  edge = await startEdge();
  figures['readyMs'] = Math.round(performance.now() - begun);
});
afterAll(async () => {
  const { FIGURES } = process.env;
  if (FIGURES === undefined) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  else writeFileSync(FIGURES, JSON.stringify(figures));
  await edge.end();
});

async function post(key: string, path: string, sent: unknown): Promise<Record<string, unknown>> {
  const body = JSON.stringify(sent);
  const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
  const answer = await edge.send(new Request(edge.url + path, { method: 'POST', headers, body }));
  const text = await answer.text();
  expect([200, 201], text).toContain(answer.status);
  return JSON.parse(text) as Record<string, unknown>;
}

const charge = (key: string) =>
  post(key, '/charge/token', { Amount: 20, Token: 'tok_approve', Reference: 'order-1' });

/** A world with so many charges, made by one batch. */
async function worldOf(count: number): Promise<string> {
  const key = keyOf(`of ${count}`);
  await post(key, '/_sandbox/reset', { Clock: { Mode: 'Manual' } });
  const PaymentInformation = { CardNumber: '4111111111111111', ExpiryDate: '10/30' };
  const ProviderId = '00000000000000000000000000000001';
  const { PaymentMethodId } = await post(key, '/payment_method/card', { ProviderId, PaymentInformation });
  const rows = Array.from({ length: count }, (_, n) => `${String(PaymentMethodId)},5,AUD,row-${n}`);
  const Batch = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
  await post(key, '/batch/transaction/payment_method', { Count: count, Description: 'many', Batch });
  await post(key, '/_sandbox/clock/advance', { By: '1d' });
  return key;
}

async function charges(count: number, keyOfTurn: (n: number) => string): Promise<void> {
  const turns = Array.from({ length: count }, (_, n) => n).values();
  const one = async (): Promise<void> => {
    for (const n of turns) await charge(keyOfTurn(n));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
}

/** The processor time of the runtimes that this process has started. */
function processorMs(): number {
  const children = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  const pids = [...children.matchAll(/(\d+) workerd/g)].map(([, pid = '']) => pid);
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
    return Number(fields[13]) + Number(fields[14]);
  });
  return TICK_MS * ticks.reduce((sum, one) => sum + one, 0);
}

test('the size of the Worker is within the limit of the free plan', async () => {
  const text = readFileSync(await buildWorker());
  figures['gzippedKb'] = Math.round(gzipSync(text, { level: 9 }).length / 1000);
  expect(figures['gzippedKb']).toBeLessThan(3_000);
});

test('the first charge after the start, and the first of another world', async () => {
  const times = [];
  for (const name of ['first', 'second', 'third']) {
    const begun = performance.now();
    await charge(keyOf(name));
    times.push(Math.round(performance.now() - begun));
  }
  [figures['firstChargeMs'], , figures['newWorldMs']] = times;
  expect(Math.min(...times)).toBeGreaterThan(0);
});

test('a charge writes two rows, whatever the size of its world', async () => {
  const sizes = [];
  for (const size of WORLD_SIZES) {
    const key = await worldOf(size);
    const before = await edge.ask<Written>(key, 'written');
    const [begun, cpu] = [performance.now(), processorMs()];
    for (let n = 0; n < MEASURED; n++) await charge(key);
    const [ms, cpuMs] = [performance.now() - begun, processorMs() - cpu].map((all) => all / MEASURED);
    const after = await edge.ask<Written>(key, 'written');
    const rows = (after.rows - before.rows) / MEASURED;
    sizes.push({ size, rows, kB: Math.round((after.bytes - before.bytes) / MEASURED / 1000), cpuMs, ms });
  }
  figures['bySize'] = sizes;
  expect(sizes[0]?.rows).toBeLessThan(2.5);
});

test('charges a second, each in one of 100 worlds', async () => {
  await charges(100, (n) => keyOf(`world-${n % 100}`));
  const begun = performance.now();
  const cpu = processorMs();
  await charges(CHARGES, (n) => keyOf(`world-${n % 100}`));
  figures['cpuMsPerCharge'] = (processorMs() - cpu) / CHARGES;
  figures['chargesPerSecond'] = Math.round(CHARGES / ((performance.now() - begun) / 1000));
  expect(figures['cpuMsPerCharge']).toBeGreaterThan(0);
});
