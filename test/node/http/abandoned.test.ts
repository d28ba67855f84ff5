import { setImmediate } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { createInnerSandbox, type InnerSandbox } from '../../../src/app/sandbox.js';
import { temporaryFolder } from '../../support/folder.js';
import { sandboxServed } from '../../support/serving.js';
import { scenarioOf } from '../../scenarios/support.js';
import { chargeText, JSON_KEY, openSession } from './secure-support.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk } from './support.js';

/** Calls that wait for long, and whose clients leave or whose world ends. */

/** Less than each of the waits. */
const LIMIT_MS = 30_000;
const WORLD = 'sk_test_a';
const folder = temporaryFolder();

/** What makes a charge wait: headers of the call, or a rule. */
const WAITS: readonly { what: string; headers: Record<string, string>; rule: string | null }[] = [
  { what: 'an outcome with a delay', headers: { 'x-sandbox-outcome': 'approve, delay=60s' }, rule: null },
  { what: 'a decline with a delay', headers: { 'x-sandbox-outcome': 'do_not_honor, delay=60s' }, rule: null },
  {
    what: 'a provider that is too slow',
    headers: { 'x-sandbox-outcome': 'gateway_timeout, delay=60s' },
    rule: null,
  },
  { what: 'a delay before the operation', headers: {}, rule: '{ delay: 60s }' },
  { what: 'a delay after the operation', headers: {}, rule: '{ delay: 60s, phase: after }' },
  { what: 'a delay before a fault', headers: {}, rule: '{ delay: 60s, fault: malformed }' },
  { what: 'the fault hang', headers: { 'x-sandbox-fault': 'hang' }, rule: null },
  {
    what: 'the fault hang after the operation',
    headers: { 'x-sandbox-fault': 'hang; phase=after' },
    rule: null,
  },
];

async function scenarioWith(rule: string | null) {
  if (rule === null) return {};
  const rules = `rules:\n  - when: { operation: charge.create }\n    then: ${rule}`;
  return { scenario: await scenarioOf(`name: test\n${rules}`) };
}

/** Waits for what other turns of the event loop do. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

const waiting = ({ worlds }: InnerSandbox): number => worlds.find(WORLD)?.waits.size ?? 0;

describe.each(WAITS)('$what', { timeout: LIMIT_MS }, ({ headers, rule }) => {
  async function open(): Promise<InnerSandbox> {
    const sandbox = createInnerSandbox(NODE_HOST, {
      clock: { mode: 'manual' },
      ...(await scenarioWith(rule)),
    });
    onTestFinished(() => sandbox.close());
    return sandbox;
  }

  function charge(sandbox: InnerSandbox, signal: AbortSignal | null = null): Promise<Response> {
    const init = { method: 'POST', headers: { ...JSON_KEY, ...headers }, body: chargeText(), signal };
    return sandbox.fetch(new Request('http://localhost/charge/card', init));
  }

  test.each(['leaves', 'is reset'])(
    'does not keep its place among the concurrent requests when its client %s',
    async (how) => {
      const server = await sandboxServed(await scenarioWith(rule), { requestsMax: 1 });
      const wire = await openWire(server.port);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      wire.send(requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, ...lines], chargeText()));
      await until(() => waiting(server.sandbox) === 1);
      const search = requestText('GET /charge', [HOST, KEY, CLOSE]);
      expect(await talk(server.port, search)).toMatch(/^HTTP\/1\.1 503 /);
      if (how === 'leaves') wire.socket.end();
      else wire.socket.resetAndDestroy();
      await wire.closed();
      // Long before its time has passed, or the test would time out.
      while (!(await talk(server.port, search)).startsWith('HTTP/1.1 200 '));
      expect(waiting(server.sandbox)).toBe(0);
    },
  );

  test('does not keep its place when its client cancels its stream of HTTP/2', async () => {
    const https = { dir: folder };
    const server = await sandboxServed(await scenarioWith(rule), { requestsMax: 1, https });
    const session = await openSession(server.url, server.authority?.certificate ?? '');
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ':path': '/charge/card',
      ':method': 'POST',
      ...JSON_KEY,
      ...headers,
    });
    stream.on('error', () => {}).end(chargeText());
    await until(() => waiting(server.sandbox) === 1);
    stream.close(8);
    await until(() => waiting(server.sandbox) === 0);
    const search = (): Promise<number> =>
      new Promise((resolve) => {
        const asked = session.request({ ':path': '/charge', ...JSON_KEY });
        asked.on('response', ({ ':status': status = 0 }) => resolve(status));
        asked.resume();
      });
    while ((await search()) !== 200);
    expect(waiting(server.sandbox)).toBe(0);
  });

  test('is refused when its world is reset', async () => {
    const sandbox = await open();
    const answering = charge(sandbox);
    await until(() => waiting(sandbox) === 1);
    const reset = new Request('http://localhost/_sandbox/reset', { method: 'POST', headers: JSON_KEY });
    expect((await sandbox.fetch(reset)).status).toBe(200);
    const answer = await answering;
    expect([answer.status, await answer.json()]).toMatchObject([503, { Code: 37, IsRetryable: true }]);
    const world = sandbox.worlds.open(WORLD);
    expect([world.charges.size, world.journal.nextId - world.journal.oldestId]).toEqual([0, 0]);
  });

  test('is refused when a snapshot of its world is restored', async () => {
    const sandbox = await open();
    const control = (method: string, path: string): Promise<Response> =>
      sandbox.fetch(
        new Request(`http://localhost/_sandbox/snapshots/${path}`, { method, headers: JSON_KEY }),
      );
    await control('PUT', 'a');
    const answering = charge(sandbox);
    await until(() => waiting(sandbox) === 1);
    expect((await control('POST', 'a/restore')).status).toBe(200);
    expect((await answering).status).toBe(503);
    expect(sandbox.worlds.open(WORLD).charges.size).toBe(0);
  });
});

describe('a call whose client leaves while it waits', { timeout: LIMIT_MS }, () => {
  test.each([
    ['a delay before the operation', '{ delay: 60s }', 1],
    ['a delay after the operation', '{ delay: 60s, phase: after }', 1],
    ['a delay before a fault, which has no effect', '{ delay: 60s, fault: malformed }', 0],
    ['a delay before a decline, which is stored', '{ delay: 60s, outcome: do_not_honor }', 1],
  ])('is carried out at once: %s', async (_, rule, charges) => {
    const { sandbox, port } = await sandboxServed(await scenarioWith(rule));
    const wire = await openWire(port);
    wire.send(requestText('POST /charge/card', [HOST, KEY, JSON_TYPE], chargeText()));
    await until(() => waiting(sandbox) === 1);
    wire.socket.resetAndDestroy();
    const world = sandbox.worlds.open(WORLD);
    await until(() => world.journal.nextId > world.journal.oldestId);
    expect(world.charges.size).toBe(charges);
    const [entry] = world.journal.entries(world.journal.oldestId);
    // Nothing was sent.
    expect([entry?.status, entry?.operation, entry?.answer]).toEqual([0, 'charge.create', null]);
  });
});

test('a dribbling answer breaks off when its world is reset', async () => {
  const { sandbox, port } = await sandboxServed();
  const wire = await openWire(port);
  wire.send(requestText('GET /charge', [HOST, KEY, 'x-sandbox-fault: dribble; phase=after']));
  await wire.until('{"');
  sandbox.worlds.reset(WORLD);
  expect(await wire.closed()).not.toContain('"Charges":[]}');
});
