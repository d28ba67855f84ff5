import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildWorker } from '../../integrations/cloudflare/build.mjs';
import { type Edge, startEdge } from './edge.js';
import { keyOf } from './plays.js';

/** What `npm run test:cloudflare` prints, and the page about Cloudflare says. */

/** How many charges a figure is the mean of. */
const CHARGES = 1_000;
const AT_A_TIME = 8;
const WORLD_SIZES = [100, 1_000, 5_000];
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

async function charge(key: string): Promise<void> {
  const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' });
  const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
  const answer = await edge.send(new Request(`${edge.url}/charge/token`, { method: 'POST', headers, body }));
  expect(answer.status, await answer.text()).toBe(201);
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
  const children = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(process.pid)], { encoding: 'utf8' });
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
});

test('a charge writes two rows, whatever the size of its world', async () => {
  const sizes = [];
  const key = keyOf('size');
  let size = 0;
  for (const wanted of WORLD_SIZES) {
    await charges(wanted - size, () => key);
    size = wanted + 100;
    const before = await edge.ask<{ rows: number; bytes: number }>(key, 'written');
    const begun = performance.now();
    const cpu = processorMs();
    for (let n = 0; n < 100; n++) await charge(key);
    const cpuMs = (processorMs() - cpu) / 100;
    const ms = (performance.now() - begun) / 100;
    const after = await edge.ask<{ rows: number; bytes: number }>(key, 'written');
    const rows = (after.rows - before.rows) / 100;
    sizes.push({ charges: wanted, rows, kB: Math.round((after.bytes - before.bytes) / 100_000), cpuMs, ms });
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
});
