import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, describe, expect, test, vi } from 'vitest';

import type * as playmoney from '../../src/index.js';
import { linkedConsumer } from '../package/consumer.js';

/** As it was built: the build keeps the real timers. */
const { createSandbox, serve } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href
)) as typeof playmoney;

const CHARGE = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ Amount: 5, Token: 'tok_approve' }),
};

afterEach(() => void vi.useRealTimers());

describe('while vitest fakes timers, dates and ticks', () => {
  const fake = (): unknown =>
    vi.useFakeTimers({
      now: 0,
      // All that it can in a process of its own.
      toFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'setImmediate',
        'clearImmediate',
        'Date',
        'performance',
      ],
    });

  test('waits time out, delays end, and a real clock moves', async () => {
    using sandbox = createSandbox({ clock: { mode: 'scaled', rate: 1_000_000 } });
    const world = sandbox.world();
    fake();
    await expect(world.journal.await({ path: '/never' }, { timeout: '20ms' })).rejects.toMatchObject({
      code: 94,
    });
    await expect(world.deliveries.await('customer.created', { timeout: '20ms' })).rejects.toMatchObject({
      code: 94,
    });
    await world.outcomes.queue('charge.create', [{ delay: '5ms' }]);
    expect((await world.fetch('/charge/token', CHARGE)).status).toBe(201);
    // It runs on the timer of the host: the charge settles after some virtual days.
    await world.deliveries.await('transaction.status.changed', { timeout: '1ms' }).catch(() => {});
    const before = await world.clock.now();
    await world.journal.await({ path: '/never' }, { timeout: '5ms' }).catch(() => {});
    expect(Date.parse(await world.clock.now())).toBeGreaterThan(Date.parse(before));
  });

  test('a call is refused if microtasks are faked as well, because Node could not read its body', async () => {
    using sandbox = createSandbox();
    const world = sandbox.world();
    vi.useFakeTimers({ toFake: ['queueMicrotask'] });
    const advice = /replace queueMicrotask, .* Name what to fake, such as useFakeTimers\(\{ toFake: \['Date'/;
    await expect(world.fetch('/charge/token', CHARGE)).rejects.toThrow(advice);
    await expect(sandbox.fetch('/_sandbox/health')).rejects.toThrow(advice);
    await expect(world.clock.now()).rejects.toThrow(advice);
    vi.useRealTimers();
    expect((await world.fetch('/charge/token', CHARGE)).status).toBe(201);
  });

  test('a server answers, and closes', async () => {
    using sandbox = createSandbox();
    fake();
    const server = await serve(sandbox);
    const headers = { 'x-secretkey': 'sk_test_served' };
    const answers = Array.from({ length: 40 }, () => fetch(`${server.url}/charge`, { headers }));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    await server.close();
  });
});

describe('while node:test fakes timers and dates', () => {
  test('waits time out, delays end, and webhooks are sent', async () => {
    const consumer = linkedConsumer();
    consumer.write(
      'faked.test.js',
      `import assert from 'node:assert/strict';
       import { createServer } from 'node:http';
       import { test } from 'node:test';
       import { createSandbox, serve } from 'playmoney';

       test('real', async (t) => {
         t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 0 });
         const sandbox = createSandbox();
         const world = sandbox.world();
         const receiver = createServer((request, response) => response.end());
         await new Promise((done) => receiver.listen(0, '127.0.0.1', done));
         const Webhook = { Url: 'http://127.0.0.1:' + receiver.address().port };
         await world.outcomes.queue('charge.create', [{ delay: '5ms' }]);
         const body = JSON.stringify({ Amount: 5, Token: 'tok_approve', Webhook });
         const headers = { 'content-type': 'application/json' };
         assert.equal((await world.fetch('/charge/token', { method: 'POST', headers, body })).status, 201);
         await world.deliveries.await('transaction.status.changed');
         await assert.rejects(world.journal.await({ path: '/never' }, { timeout: '20ms' }), { code: 94 });
         const server = await serve(sandbox);
         assert.equal((await fetch(server.url + '/_sandbox/health')).status, 200);
         await server.close();
         receiver.close();
         sandbox.close();
       });`,
    );
    try {
      const { code, output } = await consumer.run(['--test', 'faked.test.js']);
      expect(output).toMatch(/pass 1\n/);
      expect(code).toBe(0);
    } finally {
      consumer.remove();
    }
  });
});
