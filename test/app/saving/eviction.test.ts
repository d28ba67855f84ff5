import { describe, expect, test } from 'vitest';

import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import {
  client,
  good,
  type TestHost,
  testHost,
  type TestSandbox,
  testSandbox,
} from '../../support/sandbox.js';
import { playTrace, record, type Recorded } from '../../support/trace.js';
import { MemoryStore } from './memory-store.js';

const BASE = 'http://localhost';
const KEY = 'sk_test_traced';

/** The long trace, in a sandbox that holds one world; `between` runs after each call. */
async function traceWith(
  between: ((call: (key: string) => Promise<unknown>) => Promise<void>) | null,
  store = new MemoryStore(),
) {
  const sandbox = testSandbox({ seed: '42', worldsMax: 1 });
  if (between !== null) await WorldKeeper.open(sandbox.worlds, store);
  const trace: Recorded[] = [];
  await playTrace(async (call) => {
    const answer = await record(sandbox.fetch, BASE, KEY, call);
    trace.push(answer);
    await between?.((key) => record(sandbox.fetch, BASE, key, { method: 'GET', path: '/version' }));
    return answer;
  });
  sandbox.close();
  return trace;
}

describe('a world that left memory', () => {
  test('answers each call of the long trace with the same bytes as one that never did', async () => {
    const whole = await traceWith(null);
    // Two other worlds push the first out of memory.
    const store = new MemoryStore();
    const evicted = await traceWith(async (call) => {
      await call('sk_test_b');
      await call('sk_test_c');
    }, store);
    expect(store.loadsOf(KEY)).toBeGreaterThan(0.9 * whole.length);
    for (const [n, answer] of whole.entries()) expect(evicted[n], answer.call).toEqual(answer);
    expect(evicted.length).toBe(whole.length);
  });

  test('keeps its calls, their numbers and those of its webhooks, its snapshots, and what it warned of', async () => {
    const { sandbox, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    const hook = { Url: 'http://127.0.0.1:9/hook', Type: 'TRANSACTION' };
    expect(warned(await a.post('/charge/token', { ...CHARGE, Webhook: { Url: hook.Url } }))).toContain(
      'https',
    );
    await good(a.put('/_sandbox/snapshots/before'));
    await a.post('/charge/token', CHARGE);
    const before = await seen(a);
    await pushOut('sk_test_a');
    expect(await seen(a)).toEqual(before);
    expect(warned(await a.post('/charge/token', { ...CHARGE, Webhook: { Url: hook.Url } }))).toBeNull();
    await pushOut('sk_test_a');
    await good(a.post('/_sandbox/snapshots/before/restore'));
    expect((await a.read('/charge'))['Count']).toBe(1);
  });

  test('keeps which of its calls were undone, and where its snapshots were taken among them', async () => {
    const { sandbox, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    const buy = (Reference: string) => good(a.post('/charge/token', { ...CHARGE, Reference }));
    const restore = (name: string) => good(a.post(`/_sandbox/snapshots/${name}/restore`));
    await buy('a');
    await good(a.put('/_sandbox/snapshots/A'));
    await buy('b');
    await good(a.put('/_sandbox/snapshots/B'));
    await restore('A');
    await buy('c');
    expect(await callsIn(a)).toEqual(['a', 'b undone', 'c']);
    await pushOut('sk_test_a');
    expect(await callsIn(a)).toEqual(['a', 'b undone', 'c']);
    await restore('B');
    await pushOut('sk_test_a');
    await buy('d');
    expect(await callsIn(a)).toEqual(['a', 'b', 'c undone', 'd']);
  });

  test('as an earlier version saved it does not know which calls came before a snapshot: a restore undoes all', async () => {
    const { sandbox, store, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    await good(a.post('/charge/token', { ...CHARGE, Reference: 'a' }));
    await good(a.put('/_sandbox/snapshots/A'));
    await pushOut('sk_test_a');
    const written = store.of('sk_test_a') ?? '';
    const earlier = written.replace(/,"Branch":\{[^}]*\}/, '');
    expect(earlier.length).toBeLessThan(written.length);
    store.documents.set(store.idOf('sk_test_a'), earlier);
    expect(await callsIn(a)).toEqual(['a']);
    await good(a.post('/_sandbox/snapshots/A/restore'));
    expect(await callsIn(a)).toEqual(['a undone']);
  });

  test('is found by its name, and by the address of a payment link', async () => {
    const { sandbox, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    const link = { Title: 'Rent', Amount: 20, AllowedPaymentTypes: ['CARD'], ConfirmationMessage: 'Paid' };
    const { body } = await good(a.post('/payment_link', link));
    const { World } = await a.read('/_sandbox/world');
    await pushOut('sk_test_a');
    const page = await client(sandbox, null).get(new URL(String(body['Url'])).pathname);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Rent')]);
    await pushOut('sk_test_a');
    const named = await client(sandbox, null).read('/_sandbox/world', { 'x-sandbox-world': String(World) });
    expect(named).toMatchObject({ World, Counts: { PaymentLinks: 1 } });
  });

  test('is listed after those in memory, a page at a time', async () => {
    const { sandbox, pushOut } = await small();
    await good(client(sandbox, 'sk_test_a').post('/_sandbox/reset', { Name: 'pays by card' }));
    await client(sandbox, 'sk_test_a').post('/charge/token', CHARGE);
    await pushOut('sk_test_a');
    const all = client(sandbox, null);
    const { Count, Awake, Worlds } = await all.read('/_sandbox/worlds');
    expect(Count).toBe(3);
    const listed = Worlds as { Name: string | null; Awake: boolean; Counts: { Charges: number } }[];
    expect(listed.map((one) => one.Awake)).toEqual(listed.map((_, n) => n < Number(Awake)));
    expect(listed.at(-1)).toMatchObject({ Name: 'pays by card', Awake: false, Counts: { Charges: 1 } });
    const last = await all.read('/_sandbox/worlds?Skip=2&Limit=1');
    expect(last['Worlds']).toEqual([listed.at(-1)]);
  });

  test('wakes when its next job is due, and runs it', async () => {
    const { sandbox, store, pushOut } = await small({ clock: { mode: 'real' } });
    const a = client(sandbox, 'sk_test_a');
    await good(a.post('/charge/token', { ...CHARGE, Capture: false }));
    await pushOut('sk_test_a');
    const loads = store.loadsOf('sk_test_a');
    sandbox.host.wall += 7 * DAY_MS - 1_000;
    await pass(sandbox.host, 999);
    expect(store.loadsOf('sk_test_a')).toBe(loads);
    await pass(sandbox.host, 1);
    await expect.poll(() => store.loadsOf('sk_test_a')).toBe(loads + 1);
    await expect
      .poll(() => sandbox.worlds.find('sk_test_a')?.charges.at(0)?.status)
      .toBe('AUTHORISE_CANCELLED');
  });

  test('goes on under a scaled clock, which stands still while no server runs', async () => {
    const options: InnerSandboxOptions = { clock: { mode: 'scaled', rate: 60 } };
    const { sandbox, store, keeper, pushOut } = await small(options);
    const timeOf = async (one: TestSandbox): Promise<number> =>
      Date.parse(String((await client(one, 'sk_test_a').read('/_sandbox/clock'))['Now']));
    const begun = await timeOf(sandbox);
    await pushOut('sk_test_a');
    await pass(sandbox.host, 60_000);
    expect(await timeOf(sandbox)).toBe(begun + 3_600_000);
    await pushOut('sk_test_a');
    await pass(sandbox.host, 60_000);
    expect(await keeper.end()).toBe(true);
    await pass(sandbox.host, 60_000);
    const later = testSandbox(options, sandbox.host);
    await WorldKeeper.open(later.worlds, store);
    expect(await timeOf(later)).toBe(begun + 2 * 3_600_000);
    later.close();
  });

  test('is gone once it is deleted, and what was saved of it', async () => {
    const { sandbox, store, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    await a.post('/charge/token', CHARGE);
    const { World } = await a.read('/_sandbox/world');
    await pushOut('sk_test_a');
    const deleted = await good(client(sandbox, null).del(`/_sandbox/worlds/${String(World)}`));
    expect(deleted.body).toMatchObject({ World, Counts: { Charges: 1 } });
    expect(store.of('sk_test_a')).toBeUndefined();
    expect((await a.read('/charge'))['Count']).toBe(0);
    expect((await a.del('/_sandbox/worlds/another')).status).toBe(404);
  });

  test('that cannot be read is refused, and never replaced by an empty one', async () => {
    const { sandbox, store, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    await a.post('/charge/token', CHARGE);
    await pushOut('sk_test_a');
    const id = store.idOf('sk_test_a');
    const whole = store.of('sk_test_a') ?? '';
    store.documents.set(id, whole.replace('"Charges":[', '"Charges":['.replace('[', '[7,')));
    const refused = await a.get('/charge');
    expect(refused.status).toBe(503);
    expect(refused.body['Message']).toContain('The saved world of this key cannot be read');
    store.documents.set(id, whole);
    expect((await a.read('/charge'))['Count']).toBe(1);
  });

  test('that cannot be read begins again with a reset', async () => {
    const { sandbox, store, pushOut } = await small();
    const a = client(sandbox, 'sk_test_a');
    await a.post('/charge/token', CHARGE);
    await pushOut('sk_test_a');
    store.documents.set(store.idOf('sk_test_a'), '{"Version":999}');
    expect((await a.get('/_sandbox/reset')).status).toBe(503);
    expect((await a.post('/_sandbox/reset', {})).status).toBe(200);
    expect((await a.read('/charge'))['Count']).toBe(0);
  });

  test('is not lost if it cannot be saved: then no further world is loaded', async () => {
    const { sandbox, store } = await small();
    store.fault = new Error('the disk is full');
    const answers = [];
    for (const key of ['sk_test_a', 'sk_test_b', 'sk_test_c', 'sk_test_a'])
      answers.push(await client(sandbox, key).post('/charge/token', CHARGE));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 503, 201]);
    expect(answers[2]?.body['Message']).toContain('cannot be saved: the disk is full');
    expect((await client(sandbox, 'sk_test_a').read('/charge'))['Count']).toBe(2);
  });
});

const DAY_MS = 86_400_000;
const CHARGE = { Amount: 20, Token: 'tok_approve' };
const warned = ({ headers }: { readonly headers: Headers }) => headers.get('x-sandbox-warning');

/** A host whose timers ring when its wall clock is moved. */
function timedHost(): TestHost & { readonly due: { at: number; ring: () => void }[] } {
  const due: { at: number; ring: () => void }[] = [];
  const host = {
    ...testHost(),
    due,
    now: (): number => host.wall,
    timer: (ring: () => void, ms: number) => {
      const timer = { at: host.wall + ms, ring };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer) >>> 0, 1);
    },
  };
  return host;
}

/** Moves the wall clock of a host of {@link timedHost}, and rings its timers in their order. */
async function pass(host: TestHost, ms: number): Promise<void> {
  const { due } = host as ReturnType<typeof timedHost>;
  const end = host.wall + ms;
  for (;;) {
    const [first] = due.toSorted((a, b) => a.at - b.at);
    if (first === undefined || first.at > end) break;
    due.splice(due.indexOf(first), 1);
    host.wall = Math.max(host.wall, first.at);
    first.ring();
    for (let turn = 0; turn < 5; turn++) await host.pause();
  }
  host.wall = end;
}

/** A sandbox that holds one world in memory, and two while others are saved. */
async function small(options: InnerSandboxOptions = {}) {
  const store = new MemoryStore();
  const sandbox = testSandbox({ worldsMax: 1, worldsByName: true, ...options }, timedHost());
  const keeper = await WorldKeeper.open(sandbox.worlds, store);
  const pushOut = async (key: string): Promise<void> => {
    for (const other of ['sk_test_other', 'sk_test_third']) await client(sandbox, other).read('/charge');
    await expect.poll(() => sandbox.worlds.find(key)).toBeUndefined();
  };
  return { sandbox, store, keeper, pushOut };
}

/** What a client sees of the calls, webhooks and snapshots of a world. */
async function seen(api: ReturnType<typeof client>): Promise<unknown[]> {
  const journal = await api.read('/_sandbox/journal');
  const isMeant = ({ Path }: { Path: string }) => !Path.startsWith('/_sandbox');
  return [
    (journal['Entries'] as { Path: string }[]).filter(isMeant),
    (await api.read('/_sandbox/webhooks'))['Deliveries'],
    (await api.read('/_sandbox/snapshots'))['Snapshots'],
  ];
}

/** The reference of each call, oldest first, and whether a restore undid it. */
async function callsIn(api: ReturnType<typeof client>): Promise<string[]> {
  const { Entries } = (await api.read('/_sandbox/journal')) as {
    Entries: { Reference: string; Undone: boolean }[];
  };
  return Entries.toReversed().map(({ Reference, Undone }) => `${Reference}${Undone ? ' undone' : ''}`);
}
