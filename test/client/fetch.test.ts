import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, test } from 'vitest';

import { createSandbox, type Sandbox, serve } from '../../src/index.js';
import { buildIfMissing } from '../node/cli/program.js';
import { charging, JSON_TYPE } from './support.js';

const KEY = { 'x-secretkey': 'sk_test_within' };

/** What a program sees of a lost answer. */
interface Loss {
  readonly name: string;
  readonly message: string;
  readonly code: unknown;
  readonly isTypeError: boolean;
}

async function lossOf(answering: Promise<Response>): Promise<Loss> {
  const error: unknown = await answering
    .then((answer) => answer.text())
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  const { name, message, cause } = error as Error;
  const { code } = cause as { code?: unknown };
  return { name, message, code, isTypeError: error instanceof TypeError };
}

describe('fetch within the process', () => {
  test('is a function by itself', async () => {
    using sandbox = createSandbox();
    const { fetch: fetchWithin } = sandbox;
    expect((await fetchWithin('/_sandbox/health')).status).toBe(200);
  });

  test.each<[what: string, call: (sandbox: Sandbox) => Promise<Response>]>([
    ['a path', (sandbox) => sandbox.fetch('/charge', { headers: KEY })],
    ['an address', (sandbox) => sandbox.fetch('http://localhost:1234/charge', { headers: new Headers(KEY) })],
    [
      'a URL',
      (sandbox) => sandbox.fetch(new URL('http://127.0.0.1/charge'), { headers: Object.entries(KEY) }),
    ],
    ['a Request', (sandbox) => sandbox.fetch(new Request('http://localhost/charge', { headers: KEY }))],
    [
      'a Request and more',
      (sandbox) =>
        sandbox.fetch(new Request('http://localhost/charge'), { headers: KEY, redirect: 'manual' }),
    ],
  ])('takes %s', async (_what, call) => {
    using sandbox = createSandbox();
    const answer = await call(sandbox);
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, ((await answer.json()) as { Count: number }).Count]).toEqual([200, 0]);
  });

  test('reads bodies that are texts, bytes, streams and forms of the platform alike', async () => {
    using sandbox = createSandbox();
    const text = JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference: 'zoë' });
    const headers = { ...KEY, ...JSON_TYPE };
    const bodies: RequestInit[] = [
      { body: text },
      { body: new TextEncoder().encode(text) },
      { body: new Blob([text]) },
      { body: new Blob([text]).stream(), duplex: 'half' } as RequestInit,
    ];
    for (const body of bodies) {
      const answer = await sandbox.fetch('/charge/token', { method: 'POST', headers, ...body });
      expect(((await answer.json()) as { Reference: string }).Reference).toBe('zoë');
    }
    const bare = await sandbox.fetch('/charge/token', { method: 'POST', headers: KEY, body: text });
    expect([bare.status, ((await bare.json()) as { Message: string }).Message]).toEqual([
      415,
      expect.stringContaining('text/plain'),
    ]);
  });

  test('takes batches, whose bodies are read as they come', async () => {
    using sandbox = createSandbox({ clock: 'manual' });
    const Batch = 'PaymentMethodId,Amount,Currency,Reference\nnobody,12.50,AUD,flat-1';
    const answer = await sandbox.fetch('/batch/transaction/payment_method', {
      method: 'POST',
      headers: { ...KEY, ...JSON_TYPE },
      body: JSON.stringify({ Count: 1, Description: 'rent', Batch }),
    });
    expect(answer.status).toBe(201);
  });

  test('rejects invalid requests as the platform’s fetch does', async () => {
    using sandbox = createSandbox();
    await expect(sandbox.fetch('/charge', { method: 'GET', body: 'text' })).rejects.toThrow(TypeError);
    await expect(sandbox.fetch('charge')).rejects.toThrow(TypeError);
    await expect(sandbox.fetch('/charge', { headers: { 'bad name': '1' } })).rejects.toThrow(TypeError);
  });

  test.each(['reset', 'empty', 'truncate; phase=after'])(
    'loses an answer by %s as fetch does over a socket',
    async (fault) => {
      const sandbox = createSandbox();
      const server = await serve(sandbox);
      const init = { headers: { ...KEY, 'x-sandbox-fault': fault } };
      const within = await lossOf(sandbox.fetch('/charge', init));
      expect(within).toEqual(await lossOf(fetch(`${server.url}/charge`, init)));
      expect(within).toMatchObject({ name: 'TypeError', isTypeError: true });
      await server.close(0);
      sandbox.close();
    },
  );

  test.each<[how: string, call: (sandbox: Sandbox, signal: AbortSignal) => Promise<Response>]>([
    ['in the options', (sandbox, signal) => sandbox.fetch('/charge', { headers: hanging, signal })],
    [
      'of a Request',
      (sandbox, signal) =>
        sandbox.fetch(new Request('http://localhost/charge', { headers: hanging, signal })),
    ],
  ])('rejects when the signal %s is aborted, also before', async (_how, call) => {
    const sandbox = createSandbox();
    const given = new AbortController();
    const answering = call(sandbox, given.signal);
    given.abort();
    await expect(answering).rejects.toMatchObject({ name: 'AbortError' });
    await expect(call(sandbox, AbortSignal.abort(new Error('no more')))).rejects.toThrow('no more');
    await expect(call(sandbox, AbortSignal.timeout(1))).rejects.toMatchObject({ name: 'TimeoutError' });
    sandbox.close();
  });

  test('breaks off a body that dribbles when the signal is aborted', async () => {
    using sandbox = createSandbox();
    const given = new AbortController();
    const headers = { ...KEY, 'x-sandbox-fault': 'dribble; phase=after' };
    const answer = await sandbox.fetch('/charge', { headers, signal: given.signal });
    given.abort();
    await expect(answer.text()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

const hanging = { ...KEY, 'x-sandbox-fault': 'hang' };

describe('a sandbox', () => {
  test.each([
    'lost-answer',
    { name: 'mine', seed: 'own', clock: 'manual', startTime: '2030-05-01T00:00:00Z' } as const,
  ])('plays the scenario %o from its first world on', async (scenario) => {
    using sandbox = createSandbox({ scenario });
    const state = await sandbox.world().state();
    expect(state.scenario).toBe(typeof scenario === 'string' ? scenario : 'mine');
    if (typeof scenario !== 'string') {
      expect([state.seed, state.clock.now]).toEqual(['own', '2030-05-01T00:00:00.000Z']);
    }
  });

  test('begins with the seed data of its scenario, also behind a port', async () => {
    using sandbox = createSandbox({ scenario: { name: 'people', seedData: { fake: '3 customers' } } });
    const server = await serve(sandbox);
    const answer = await fetch(`${server.url}/customer`, { headers: KEY });
    expect(((await answer.json()) as { Count: number }).Count).toBe(3);
    await server.close(0);
  });

  test('says at the first call which scenario it cannot play, and why', async () => {
    await expect(createSandbox({ scenario: 'no-such' }).fetch('/charge')).rejects.toThrow(
      /There is no scenario "no-such"\. Scenarios: .*lost-answer/,
    );
    const bad = createSandbox({ scenario: { name: 'bad', rules: [{ then: { outcome: 'nonsense' } }] } });
    await expect(bad.fetch('/charge')).rejects.toThrow(/the scenario bad: rules\.0\.then\.outcome: /);
    await expect(serve(bad)).rejects.toThrow('the scenario bad');
  });

  test.each([
    ['an instant', '2027-03-01T00:00:00Z'],
    ['a date', new Date('2027-03-01T00:00:00Z')],
    ['milliseconds', Date.UTC(2027, 2, 1)],
  ])('begins its clock at %s', async (_what, start) => {
    using sandbox = createSandbox({ clock: { mode: 'manual', start } });
    expect(await sandbox.world().clock.now()).toBe('2027-03-01T00:00:00.000Z');
  });

  test('refuses a clock that begins nowhere', () => {
    expect(() => createSandbox({ clock: { start: 'tomorrow' } })).toThrow(TypeError);
  });

  test.each([
    ['x60', 'the clock mode must be one of real, manual, scaled, not "x60"'],
    [{ mode: 'manul' }, 'the clock mode must be one of real, manual, scaled, not "manul"'],
    [{ rate: 60 }, 'clock.rate needs the mode scaled, not real'],
    [{ mode: 'scaled', rate: 0 }, 'clock.rate must be a number from 0.001 to 1000000, not 0'],
  ])('whose clock is %j is not made', (clock, reason) => {
    expect(() => createSandbox({ clock: clock as 'real' })).toThrow(
      new TypeError(`Failed to create a sandbox: ${reason}.`),
    );
  });

  test('closes at the end of its block, and so does its port', async () => {
    let url = '';
    {
      const sandbox = createSandbox();
      const server = await serve(sandbox);
      ({ url } = server);
      expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
      await server[Symbol.asyncDispose]();
      sandbox[Symbol.dispose]();
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('shows nothing of its inside', () => {
    expect(Object.keys(createSandbox())).toEqual(['fetch']);
  });

  test('is served only when it is one', async () => {
    const other: Sandbox = { ...createSandbox() };
    await expect(serve(other)).rejects.toThrow('was not created by createSandbox');
  });

  test('shares nothing with another one, and a world nothing with another key', async () => {
    const [one, two] = [createSandbox(), createSandbox()];
    await one.world('sk_test_a').fetch('/charge/token', charging('mine'));
    const counts = await Promise.all(
      [one.world('sk_test_a'), one.world('sk_test_b'), two.world('sk_test_a')].map(
        async (world) => (await world.charges()).length,
      ),
    );
    expect(counts).toEqual([1, 0, 0]);
  });
});

describe('a program that waits', () => {
  const INDEX = new URL('../../dist/index.js', import.meta.url).href;
  /** Closes what is waited for once nothing else can hold the program: a timer that holds nothing does it. */
  const programOf = (wait: string): string => `
    const { createSandbox } = await import(${JSON.stringify(INDEX)});
    const sandbox = createSandbox({ clock: 'manual', deliver: () => new Promise(() => {}) });
    const world = sandbox.world();
    const body = { Amount: 5, Token: 'tok_approve', Webhook: { Url: 'http://127.0.0.1:9/hook' } };
    const headers = { 'content-type': 'application/json' };
    await world.fetch('/charge/token', { method: 'POST', headers, body: JSON.stringify(body) });
    const waiting = ${wait};
    setTimeout(() => sandbox.close(), 100).unref();
    console.log(await waiting.catch(({ message }) => message));`;
  beforeAll(buildIfMissing);

  test.each([
    ['a call', `world.journal.await({ reference: 'never' }, { timeout: '60s' })`],
    ['a delivery', `world.deliveries.await('batch.status.changed', { timeout: '60s' })`],
    ['deliveries to end', `world.settle({ timeout: '60s' })`],
    ['an advance', `world.clock.advance('1h')`],
  ])('for %s is not ended meanwhile, though nothing else keeps it alive', async (_, wait) => {
    const args = ['--input-type=module', '-e', programOf(wait)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toContain('was reset');
  });
});
