import { describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../src/node/machine/host.js';
import { serveHttp } from '../../src/node/http/serve.js';
import { createInnerSandbox, type InnerSandboxOptions } from '../../src/app/sandbox.js';
import { testSandbox } from '../support/sandbox.js';
import { cardOf, storing } from '../support/bodies.js';
import { type Fetch, playTrace, record, type Recorded, TRACE_MIN } from '../support/trace.js';

const KEY = 'sk_test_traced';
const LOCAL = 'http://localhost';

/** Plays the trace; `between` runs before each request, with its number. */
async function play(
  fetch: Fetch,
  base = LOCAL,
  between?: (n: number) => Promise<unknown>,
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  await playTrace(async (call) => {
    if (between) await between(recorded.length);
    const answer = await record(fetch, base, KEY, call);
    recorded.push(answer);
    return answer;
  });
  return recorded;
}

const playInProcess = (options: InnerSandboxOptions = {}) =>
  play(testSandbox({ seed: '42', ...options }).fetch);

async function playOverHttp(): Promise<Recorded[]> {
  const sandbox = createInnerSandbox(NODE_HOST, { seed: '42', clock: { mode: 'manual' } });
  const server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
  try {
    return await play((request) => fetch(request), server.url);
  } finally {
    await server.close(0);
  }
}

/** The nineteen operations of the specification, as patterns of "METHOD path". */
const OPERATIONS = [
  /^POST \/charge\/card$/,
  /^POST \/charge\/token$/,
  /^POST \/charge\/customer$/,
  /^POST \/charge\/payment_method$/,
  /^POST \/charge\/\w{32}$/,
  /^DELETE \/charge\/\w{32}\/void$/,
  /^DELETE \/refund\/\w{32}/,
  /^GET \/charge\?/,
  /^POST \/customer\/token$/,
  /^POST \/customer\/card$/,
  /^GET \/customer\?/,
  /^POST \/payment_method\/card$/,
  /^POST \/payment_method\/vault$/,
  /^POST \/vault$/,
  /^GET \/vault\/\w{32}$/,
  /^DELETE \/vault\/\w{32}$/,
  /^POST \/batch\/transaction\/payment_method$/,
  /^GET \/batch\/\w{32}\/status$/,
  /^GET \/batch\/\w{32}$/,
];

/** Those beyond the specification. */
const FURTHER = [
  /^GET \/charge\/\w{32}$/,
  /^POST \/charge\/\w{32}\/capture$/,
  /^DELETE \/charge\/\w{32}/,
  /^PUT \/customer\/\w{32}$/,
  /^DELETE \/customer\/\w{32}$/,
  /^GET \/customer\/\w{32}\/payment_method$/,
  /^POST \/customer\/\w{32}\/payment_method\/card$/,
  /^POST \/customer\/\w{32}\/payment_method\/token$/,
  /^GET \/payment_method\?/,
  /^POST \/payment_method\/token$/,
  /^PUT \/payment_method\/\w{32}$/,
  /^DELETE \/payment_method\/\w{32}$/,
  /^GET \/batch\?/,
  /^POST \/subscription\/payment_method$/,
  /^PUT \/subscription\/\w{32}$/,
  /^PUT \/subscription\/\w{32}\/status$/,
  /^GET \/subscription\/\w{32}$/,
  /^GET \/subscription\?/,
  /^DELETE \/subscription\/\w{32}$/,
  /^POST \/payment_link$/,
  /^GET \/payment_link\/\w{32}$/,
  /^GET \/payment_link\?/,
  /^POST \/transfer$/,
  /^GET \/transfer\/\w{32}$/,
  /^GET \/transfer\?/,
  /^GET \/settlements\?/,
  /^GET \/version$/,
];

const idsIn = (trace: readonly Recorded[]): Set<string> =>
  new Set(
    trace.flatMap(({ text, headers }) => (text + headers['x-request-id']).match(/[0-9a-f]{32}/g) ?? []),
  );

describe('the trace', () => {
  test('holds all nineteen operations and those beyond them, each with success, and the ways to fail', async () => {
    const trace = await playInProcess();
    expect(trace.length).toBeGreaterThanOrEqual(TRACE_MIN);
    for (const operation of [...OPERATIONS, ...FURTHER])
      expect(trace.some(({ call, status }) => operation.test(call) && status > 0 && status < 400)).toBe(true);
    const statuses = new Set(trace.map(({ status }) => status));
    expect([...statuses].sort((a, b) => a - b)).toEqual([0, 200, 201, 400, 404, 405, 409]);
  });
});

describe('the same seed and requests', () => {
  test('give the same bytes in process', async () => {
    expect(await playInProcess()).toEqual(await playInProcess());
  });

  test('give the same bytes of two servers over HTTP', async () => {
    const [first, second] = await Promise.all([playOverHttp(), playOverHttp()]);
    expect(first).toEqual(second);
  });

  test('give the same bytes over HTTP as in process', async () => {
    expect(await playOverHttp()).toEqual(await playInProcess());
  });

  test('give the same bytes whatever the wall clock shows', async () => {
    const sandbox = testSandbox({ seed: '42' });
    const late = await play(sandbox.fetch, LOCAL, async (n) => {
      sandbox.host.wall += n * 86_400_000;
    });
    expect(late).toEqual(await playInProcess());
  });

  test('give the same bytes again after a reset', async () => {
    const sandbox = testSandbox({ seed: '42' });
    const before = await play(sandbox.fetch);
    await record(sandbox.fetch, LOCAL, KEY, { method: 'POST', path: '/_sandbox/reset', body: {} });
    expect(await play(sandbox.fetch)).toEqual(before);
  });

  test.each<[order: string, keys: (n: number) => string[]]>([
    ['all before the first request', (n) => (n === 0 ? Array.from({ length: 9 }, (_, i) => `o${i}`) : [])],
    ['one before each request', (n) => [`o${n % 3}`]],
    ['in the opposite order, three at a time', (n) => (n % 7 === 0 ? ['o2', 'o1', 'o0'] : [])],
  ])('give the same bytes when other worlds are used %s', async (_, keys) => {
    const sandbox = testSandbox({ seed: '42' });
    const disturbed = await play(sandbox.fetch, LOCAL, async (n) => {
      for (const key of keys(n)) await disturb(sandbox.fetch, `sk_test_${key}`);
    });
    expect(disturbed).toEqual(await playInProcess());
  });

  test('give the same bytes when another world plays the same trace at the same time', async () => {
    const { fetch } = testSandbox({ seed: '42' });
    const other: Recorded[] = [];
    const [trace] = await Promise.all([
      play(fetch),
      playTrace(async (call) => {
        const answer = await record(fetch, LOCAL, 'sk_test_other', call);
        other.push(answer);
        return answer;
      }),
    ]);
    expect(trace).toEqual(await playInProcess());
    expect(other.map(({ status }) => status)).toEqual(trace.map(({ status }) => status));
  });
});

/** Uses another world: counts, draws, time and a refusal. */
async function disturb(fetch: Fetch, key: string): Promise<void> {
  const body = {
    Amount: 5,
    ProviderId: '00000000000000000000000000000004',
    PaymentInformation: cardOf('4000000000002222'),
  };
  await record(fetch, LOCAL, key, { method: 'POST', path: '/charge/card', body });
  const vault = storing({ VaultCard: true, VaultExpireSeconds: 1 });
  await record(fetch, LOCAL, key, { method: 'POST', path: '/payment_method/card', body: vault });
  await record(fetch, LOCAL, key, { method: 'POST', path: '/_sandbox/clock/advance', body: { By: '1s' } });
  await record(fetch, LOCAL, key, { method: 'GET', path: '/nowhere' });
}

describe('another seed', () => {
  test('gives other identifiers, and the same answers apart from them', async () => {
    const [first, second] = [await playInProcess(), await playInProcess({ seed: '43' })];
    const shared = idsIn(second);
    const ours = [...idsIn(first)].filter((id) => !id.startsWith('00000000'));
    expect(ours.length).toBeGreaterThan(TRACE_MIN);
    expect(ours.filter((id) => shared.has(id))).toEqual([]);
    expect(second.map(({ status }) => status)).toEqual(first.map(({ status }) => status));
  });

  test('can be given to a reset, and is then as if it had been there from the start', async () => {
    const sandbox = testSandbox({ seed: '1' });
    await play(sandbox.fetch);
    await record(sandbox.fetch, LOCAL, KEY, {
      method: 'POST',
      path: '/_sandbox/reset',
      body: { Seed: '42' },
    });
    expect(await play(sandbox.fetch)).toEqual(await playInProcess());
  });

  test('is not another key: two keys have other identifiers under one seed', async () => {
    const { fetch } = testSandbox({ seed: '42' });
    const call = { method: 'POST', path: '/vault', body: { CardNumber: '4111111111111111' } } as const;
    const [a, b] = [
      await record(fetch, LOCAL, 'sk_test_a', call),
      await record(fetch, LOCAL, 'sk_test_b', call),
    ];
    expect(a.text).not.toBe(b.text);
    expect(a.headers['x-sandbox-world']).not.toBe(b.headers['x-sandbox-world']);
  });
});
