import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { END_MS_MAX, startProgram } from '../node/cli/program.js';
import { forFile, linkedConsumer } from './consumer.js';

const consumer = forFile(linkedConsumer());
const got: string[] = [];
const prompt = createServer((request, response) => {
  got.push(request.url ?? '');
  request.resume().on('end', () => response.writeHead(204).end());
});
const silent = createServer((request) => request.resume());

beforeAll(async () => {
  for (const receiver of [prompt, silent]) await once(receiver.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const receiver of [prompt, silent]) receiver.close().closeAllConnections();
});

const hook = (receiver: Server, path: string): string =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${path}`;

const charge = (url: string): string =>
  JSON.stringify({ Amount: 5, Token: 'tok_approve', Webhook: { Url: url } });

/** A program that charges, and says how long its process stays after its last line, and how many threads it made. */
const programOf = (url: string, rest: string): string => `
  import { once } from 'node:events';
  import { createSandbox } from 'playmoney';

  const threads = [];
  process.on('worker', (worker) => threads.push(worker));
  const sandbox = createSandbox({ clock: 'manual' });
  const world = sandbox.world();
  const charge = () => world.fetch('/charge/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '${charge(url)}',
  });
  ${rest}
  const over = performance.now();
  process.on('exit', (code) => {
    const isSoon = performance.now() - over < ${END_MS_MAX};
    console.log(threads.length, 'threads, ended', isSoon ? 'soon' : 'late', 'with', code);
  });`;

const SETTLED = `
  await charge();
  await world.settle();
  console.log((await world.deliveries.list()).map(({ status }) => status).join());`;

describe('a program with a sandbox of its own', () => {
  test('gets its deliveries on one more thread, and ends though it is left open', async () => {
    consumer.write('open.mjs', programOf(hook(prompt, 'open'), SETTLED + SETTLED));
    expect(await consumer.run(['open.mjs'])).toEqual({
      code: 0,
      output: 'delivered\ndelivered,delivered\n1 threads, ended soon with 0\n',
    });
    expect(got).toEqual(['/open', '/open']);
  });

  test('makes no thread before its first delivery', async () => {
    const looks = 'await world.fetch("/charge"); await world.settle();';
    consumer.write('none.mjs', programOf(hook(prompt, 'none'), looks));
    expect((await consumer.run(['none.mjs'])).output).toBe('0 threads, ended soon with 0\n');
  });

  test('ends the thread by closing, even if a receiver is silent', async () => {
    const closed = `
      await charge();
      const settling = world.settle();
      while (threads.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await once(threads[0], 'online');
      sandbox.close();
      // Nothing else waits for the thread.
      const waiting = setInterval(() => {}, 1_000);
      await settling.catch(() => {});
      console.log('exit', ...(await once(threads[0], 'exit')));
      clearInterval(waiting);`;
    consumer.write('closed.mjs', programOf(hook(silent, 'closed'), closed));
    expect(await consumer.run(['closed.mjs'])).toEqual({
      code: 0,
      output: 'exit 0\n1 threads, ended soon with 0\n',
    });
  });

  test('delivers where threads are forbidden', async () => {
    const [major = 0] = process.versions.node.split('.').map(Number);
    const permission = major < 23 ? '--experimental-permission' : '--permission';
    // Without it, newer versions forbid the network as well.
    const options = [
      permission,
      '--allow-fs-read=*',
      ...(major >= 25 ? ['--allow-net'] : []),
      '--no-warnings',
    ];
    got.length = 0;
    consumer.write('forbidden.mjs', programOf(hook(prompt, 'forbidden'), SETTLED));
    expect(await consumer.run([...options, 'forbidden.mjs'])).toEqual({
      code: 0,
      output: 'delivered\n0 threads, ended soon with 0\n',
    });
    expect(got).toEqual(['/forbidden']);
  });
});

test('a server stops in time while a receiver is silent', async () => {
  const { url, child, ended } = await startProgram(['--port', '0', '--quiet']);
  const headers = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_a' };
  const arrived = once(silent, 'request');
  await fetch(`${url}/charge/token`, { method: 'POST', headers, body: charge(hook(silent, 'stopped')) });
  await arrived;
  const began = performance.now();
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(performance.now() - began).toBeLessThan(END_MS_MAX);
});
