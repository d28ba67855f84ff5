import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createInnerSandbox, type InnerSandbox } from '../../../src/app/sandbox.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';
import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { FileError } from '../../../src/node/files/file-error.js';
import { deriveWorldName } from '../../../src/core/keys.js';
import { client, testSandbox } from '../../support/sandbox.js';
import { MemoryStore } from './memory-store.js';

/** A sandbox on Node's host, whose worlds are kept while the timers are those of the test. */
async function kept(): Promise<{
  sandbox: InnerSandbox;
  store: MemoryStore;
  keeper: WorldKeeper;
  end: () => Promise<boolean>;
}> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1_800_000_000_000 });
  const sandbox = createInnerSandbox(NODE_HOST);
  const store = new MemoryStore();
  onTestFinished(() => sandbox.close());
  const keeper = await WorldKeeper.open(sandbox.worlds, store);
  return { sandbox, store, keeper, end: () => keeper.end() };
}

const read = ({ fetch }: InnerSandbox, key = 'sk_test_a'): Promise<Response> =>
  fetch(new Request('http://localhost/charge', { headers: { 'x-secretkey': key } }));

afterEach(() => void vi.useRealTimers());

describe('keeping worlds', () => {
  test('saves each world half a second after it changed, and no other', async () => {
    const { sandbox, store, end } = await kept();
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.saves).toBe(0);
    await read(sandbox);
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(store.saves).toBe(1));
    await read(sandbox, 'sk_test_b');
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(store.saves).toBe(2));
    expect(store.keys).toEqual(['sk_test_a', 'sk_test_b']);
    expect(await end()).toBe(true);
    expect(store.saves).toBe(2);
  });

  test('saves what a reset set for a world, with its secret, and restores it', async () => {
    const { sandbox, store, end } = await kept();
    const body = {
      Name: 'pays by card',
      Clock: { Mode: 'manual', Now: '2027-03-01T00:00:00Z' },
      Settings: { WebhookSecret: 'whsec_own', Strict: true, TokenTtl: '5m' },
    };
    await client(sandbox, 'sk_test_a').post('/_sandbox/reset', body);
    await end();
    expect(store.of('sk_test_a')).toContain('"WebhookSecret":"whsec_own"');
    const later = testSandbox({ clock: { mode: 'scaled' }, webhookSecret: 'of the server' });
    await WorldKeeper.open(later.worlds, store);
    await client(later, 'sk_test_a').read('/_sandbox/world');
    for (const again of [false, true]) {
      if (again) await client(later, 'sk_test_a').post('/_sandbox/reset');
      const [world] = later.worlds.all();
      expect(world?.settings).toMatchObject({
        name: 'pays by card',
        clock: { mode: 'manual', start: Date.UTC(2027, 2, 1) },
        webhookSecret: 'whsec_own',
        strict: true,
        tokenTtl: 300_000,
      });
    }
    later.close();
  });

  test('health says until when all calls are saved, which is not before they are', async () => {
    const { sandbox, store, end } = await kept();
    const savedUntil = async (): Promise<unknown> => {
      const answer = await sandbox.fetch(new Request('http://localhost/_sandbox/health'));
      return ((await answer.json()) as { SavedUntil: unknown }).SavedUntil;
    };
    expect(await savedUntil()).toBe(null);
    store.fault = new FileError('cannot write it');
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await read(sandbox);
    await vi.advanceTimersByTimeAsync(500);
    expect(await savedUntil()).toBe(null);
    printed.mockRestore();
    store.fault = null;
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(async () => expect(await savedUntil()).toBe('2027-01-15T08:00:01.000Z'));
    await end();
  });

  test('what cannot be saved is reported once, tried again, and makes the end a failure', async () => {
    const { sandbox, store, end } = await kept();
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    store.fault = new FileError('cannot write it: the disk is full');
    sandbox.worlds.open('sk_test_a');
    await vi.advanceTimersByTimeAsync(2000);
    expect(await end()).toBe(false);
    const line = 'playmoney: --state: cannot write it: the disk is full';
    const lost = `. Lost: the last changes of world ${deriveWorldName('sk_test_a')}`;
    expect(printed.mock.calls).toEqual([[`${line}\n`], [`${line}${lost}\n`]]);
    printed.mockRestore();
    store.fault = null;
    expect(await end()).toBe(true);
    expect(store.keys).toEqual(['sk_test_a']);
  });

  test.each(['the next save', 'the end'])(
    'what a call changes after a save is saved by %s, also if the call began before it',
    async (when) => {
      const { sandbox, store, end } = await kept();
      let send = (): void => {};
      const body = new ReadableStream({
        start: (controller) => {
          send = () => {
            controller.enqueue(new TextEncoder().encode('{"Amount":5,"Token":"tok_approve"}'));
            controller.close();
          };
        },
      });
      const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half' };
      const call = sandbox.fetch(new Request('http://localhost/charge/token', init));
      await vi.advanceTimersByTimeAsync(500);
      await vi.waitFor(() => expect(store.of('sk_test_a')).toContain('"Charges":[]'));
      send();
      expect((await call).status).toBe(201);
      await (when === 'the end' ? end() : vi.advanceTimersByTimeAsync(500));
      await vi.waitFor(() => expect(store.of('sk_test_a')).toContain('"AmountMinor":500'));
    },
  );

  test('the end saves what a call has changed whose answer is held back', async () => {
    const { sandbox, store, end } = await kept();
    await read(sandbox);
    const [world] = sandbox.worlds.all();
    if (world !== undefined) world.calls.begun++;
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(store.saves).toBe(1));
    expect(await end()).toBe(true);
    expect(store.saves).toBe(2);
  });

  test.each([0, 1, 49, 50, 51, 1000])('the end saves each of %d calls of a world', async (calls) => {
    const { sandbox, store, end } = await kept();
    sandbox.worlds.open('sk_test_a');
    for (let n = 0; n < calls; n++) await read(sandbox);
    expect(await end()).toBe(true);
    const later = testSandbox();
    await WorldKeeper.open(later.worlds, store);
    const { journal } = await later.worlds.bring('sk_test_a');
    expect([journal.size, journal.evicted]).toEqual([calls, 0]);
  });

  test('the end saves every world that it can, and says in one line what is lost of the others', async () => {
    const { sandbox, store, end } = await kept();
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const keys = Array.from({ length: 40 }, (_, n) => `sk_test_${n}`);
    for (const key of keys) await read(sandbox, key);
    const { save, saveCalls } = store;
    const isOf = (id: string, key: string): boolean => id === store.idOf(key);
    store.save = (id, ...given) =>
      isOf(id, 'sk_test_0') ? Promise.reject(new FileError('no room')) : save(id, ...given);
    store.saveCalls = (id, calls) =>
      isOf(id, 'sk_test_1') ? Promise.reject(new FileError('no room')) : saveCalls.call(store, id, calls);
    store.saveUptime = () => Promise.reject(new FileError('no uptime'));
    expect(await end()).toBe(false);
    expect(store.keys.toSorted()).toEqual(keys.slice(1).toSorted());
    expect([...store.calls.keys()]).toHaveLength(38);
    const lost = `the last changes of world ${deriveWorldName('sk_test_0')}, the calls of world ${deriveWorldName('sk_test_1')}`;
    expect(printed.mock.calls).toEqual([
      [`playmoney: --state: no uptime. Lost: how long the server ran, ${lost}\n`],
    ]);
    printed.mockRestore();
  });

  test('the end does not abandon the save of a world that leaves memory', async () => {
    const { sandbox, store, keeper, end } = await kept();
    for (let n = 0; n < 120; n++) await read(sandbox);
    const ends: Promise<boolean>[] = [];
    const { saveCalls } = store;
    store.saveCalls = (id, calls) => {
      if (ends.length === 0) ends.push(end());
      return saveCalls.call(store, id, calls);
    };
    for (const world of sandbox.worlds.all()) await keeper.saver.saveAll(world);
    expect(await Promise.all(ends)).toEqual([true]);
    expect(JSON.parse(store.calls.get(store.idOf('sk_test_a')) ?? '')).toMatchObject({
      Calls: { length: 120 },
    });
  });

  test('the end abandons a save that has begun, and saves what is there now, all at once', async () => {
    const { sandbox, store, end } = await kept();
    await read(sandbox);
    const seen: string[] = [];
    const ends: Promise<boolean>[] = [];
    const { save } = store;
    store.save = async (id, document, saving) => {
      // The first save has begun when the server ends.
      if (ends.length === 0) ends.push(end());
      return save(id, document, saving).finally(() => seen.push(`${store.saves} saved`));
    };
    await vi.advanceTimersByTimeAsync(500);
    expect(await Promise.all(ends)).toEqual([true]);
    expect(seen).toEqual(['0 saved', '1 saved']);
  });
});
