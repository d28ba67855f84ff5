import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createSandbox, type Sandbox } from '../../../src/app/sandbox.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';
import { keepWorlds, openStore, SAVED_RECORDS_MAX } from '../../../src/node/state/kept-worlds.js';
import { FileError } from '../../../src/node/files/whole-file.js';
import type { WorldStore } from '../../../src/node/state/world-store.js';
import {
  advanceTo,
  history,
  monthly,
  storedMethod,
  subscribed,
} from '../../resources/subscriptions/support.js';
import { client, type TestSandbox, testSandbox } from '../../support/sandbox.js';

interface MemoryStore extends WorldStore {
  readonly documents: Map<string, string>;
  /** How often worlds were saved. */
  saves: number;
  fault: Error | null;
}

/** A store in memory, as another project may make one. */
function memoryStore(): MemoryStore {
  const store: MemoryStore = {
    name: 'memory',
    documents: new Map(),
    saves: 0,
    fault: null,
    lock: () => Promise.resolve(),
    load: () =>
      Promise.resolve(Array.from(store.documents, ([place, text]) => ({ place, fields: JSON.parse(text) }))),
    save: async (key, document) => {
      if (store.fault !== null) throw store.fault;
      let text = '';
      for await (const piece of document) text += piece;
      store.documents.set(key, text);
      store.saves++;
      return text.length;
    },
  };
  return store;
}

/** A sandbox on Node's host, whose worlds are kept while the timers are those of the test. */
function kept(): { sandbox: Sandbox; store: MemoryStore; end: () => Promise<boolean> } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1_800_000_000_000 });
  const sandbox = createSandbox(NODE_HOST);
  const store = memoryStore();
  onTestFinished(() => sandbox.close());
  return { sandbox, store, end: keepWorlds(sandbox.worlds, store) };
}

const read = ({ fetch }: Sandbox, key = 'sk_test_a'): Promise<Response> =>
  fetch(new Request('http://localhost/charge', { headers: { 'x-secretkey': key } }));

afterEach(() => void vi.useRealTimers());

describe('keeping worlds', () => {
  test('saves each world half a second after it changed, and no other', async () => {
    const { sandbox, store, end } = kept();
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.saves).toBe(0);
    await read(sandbox);
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(store.saves).toBe(1));
    await read(sandbox, 'sk_test_b');
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(store.saves).toBe(2));
    expect([...store.documents.keys()]).toEqual(['sk_test_a', 'sk_test_b']);
    expect(await end()).toBe(true);
    expect(store.saves).toBe(2);
  });

  test('saves what a reset set for a world, with its secret, and restores it', async () => {
    const { sandbox, store, end } = kept();
    const body = {
      Name: 'pays by card',
      Clock: { Mode: 'manual', Now: '2027-03-01T00:00:00Z' },
      Settings: { WebhookSecret: 'whsec_own', Strict: true, TokenTtl: '5m' },
    };
    await client(sandbox, 'sk_test_a').post('/_sandbox/reset', body);
    await end();
    expect(store.documents.get('sk_test_a')).toContain('"WebhookSecret":"whsec_own"');
    const later = testSandbox({ clock: { mode: 'scaled' }, webhookSecret: 'of the server' });
    await (await openStore(store)).restore(later);
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
    const { sandbox, store, end } = kept();
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
    const { sandbox, store, end } = kept();
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    store.fault = new FileError('cannot write it: the disk is full');
    sandbox.worlds.open('sk_test_a');
    await vi.advanceTimersByTimeAsync(2000);
    expect(await end()).toBe(false);
    expect(printed.mock.calls).toEqual([['playmoney: --state: cannot write it: the disk is full\n']]);
    printed.mockRestore();
    store.fault = null;
    expect(await end()).toBe(true);
    expect([...store.documents.keys()]).toEqual(['sk_test_a']);
  });

  test.each(['the next save', 'the end'])(
    'what a call changes after a save is saved by %s, also if the call began before it',
    async (when) => {
      const { sandbox, store, end } = kept();
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
      await vi.waitFor(() => expect(store.documents.get('sk_test_a')).toContain('"Charges":[]'));
      send();
      expect((await call).status).toBe(201);
      await (when === 'the end' ? end() : vi.advanceTimersByTimeAsync(500));
      await vi.waitFor(() => expect(store.documents.get('sk_test_a')).toContain('"AmountMinor":500'));
    },
  );

  test('the end saves what a call has changed whose answer is held back', async () => {
    const { sandbox, store, end } = kept();
    await read(sandbox);
    const [world] = sandbox.worlds.all();
    if (world !== undefined) world.calls.begun++;
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(store.saves).toBe(1));
    expect(await end()).toBe(true);
    expect(store.saves).toBe(2);
  });

  test('the end abandons a save that has begun, and saves what is there now, all at once', async () => {
    const { sandbox, store, end } = kept();
    await read(sandbox);
    const seen: string[] = [];
    const ends: Promise<boolean>[] = [];
    const { save } = store;
    store.save = async (key, document) => {
      // The first save has begun when the server ends.
      if (ends.length === 0) ends.push(end());
      return save(key, document).finally(() => seen.push(`${store.saves} saved`));
    };
    await vi.advanceTimersByTimeAsync(500);
    expect(await Promise.all(ends)).toEqual([true]);
    expect(seen).toEqual(['0 saved', '1 saved']);
  });
});

describe('how much is kept', () => {
  const charge = (sandbox: TestSandbox, key = 'sk_test_a') =>
    client(sandbox, key).post('/charge/token', { Amount: 5, Token: 'tok_approve' });

  test(`is ${SAVED_RECORDS_MAX} records in all worlds, as SECURITY.md says`, () => {
    const { worlds } = testSandbox();
    expect(worlds.room.has(Infinity - 1)).toBe(true);
    void keepWorlds(worlds, memoryStore());
    expect(SAVED_RECORDS_MAX).toBe(200_000);
    expect(worlds.room.has(200_000)).toBe(true);
    expect(worlds.room.has(200_001)).toBe(false);
  });

  test('is refused at the moment it is exceeded, with 503, code 37 and the name of the option', async () => {
    const sandbox = testSandbox();
    void keepWorlds(sandbox.worlds, memoryStore());
    const { detail } = limited(sandbox, 2 * 200 + 3);
    for (let n = 0; n < 3; n++)
      expect((await charge(sandbox, n === 2 ? 'sk_test_b' : 'sk_test_a')).status).toBe(201);
    for (const key of ['sk_test_a', 'sk_test_b', 'sk_test_c']) {
      const { status, body } = await charge(sandbox, key);
      expect([status, body['Code'], body['Message']]).toEqual([503, 37, expect.stringContaining(detail)]);
    }
    // Everything else still works, and a reset makes room at once.
    expect((await client(sandbox, 'sk_test_a').get('/charge')).status).toBe(200);
    expect((await client(sandbox, 'sk_test_a').post('/_sandbox/reset', {})).status).toBe(200);
    expect((await charge(sandbox, 'sk_test_b')).status).toBe(201);
  });

  test('more than that from an earlier version can be used, which a line says', async () => {
    const sandbox = testSandbox();
    await charge(sandbox);
    const [world] = sandbox.worlds.all();
    if (world !== undefined) sandbox.worlds.weigh(world, 300_000);
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const end = keepWorlds(sandbox.worlds, memoryStore());
    expect(String(printed.mock.calls[0])).toMatch(/hold more than 200,000 records.*new records are refused/);
    printed.mockRestore();
    expect((await charge(sandbox)).status).toBe(503);
    expect(await end()).toBe(true);
  });

  test('holds for a batch, for a document and for a snapshot as well', async () => {
    const sandbox = testSandbox();
    const api = client(sandbox, 'sk_test_a');
    const empty = (await api.get('/_sandbox/state')).body;
    for (let n = 0; n < 5; n++) await charge(sandbox);
    const document = (await api.get('/_sandbox/state')).body;
    await api.put('/_sandbox/snapshots/five', {});
    await api.put('/_sandbox/state', empty);
    limited(sandbox, 200 + 3);
    expect((await api.put('/_sandbox/state', document)).body['Code']).toBe(37);
    expect((await api.post('/_sandbox/snapshots/five/restore', {})).status).toBe(503);
    const rows = Array.from({ length: 4 }, () => 'x,5.00,AUD,order');
    const batch = {
      Count: 4,
      Description: 'x',
      Batch: ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n'),
    };
    expect((await api.post('/batch/transaction/payment_method', batch)).body['Code']).toBe(37);
    expect((await charge(sandbox)).status).toBe(201);
  });

  test('counts the log of webhooks', async () => {
    const sandbox = testSandbox();
    limited(sandbox, 200 + 3);
    const webhook = { Url: 'https://shop.example/hook', Authorization: 'secret' };
    const asked = { Amount: 5, Token: 'tok_approve', Webhook: webhook };
    const api = client(sandbox, 'sk_test_a');
    expect((await api.post('/charge/token', asked)).status).toBe(201);
    expect((await api.post('/charge/token', asked)).status).toBe(201);
    const [world] = sandbox.worlds.all();
    expect([world?.charges.size, world?.deliveries.size]).toEqual([2, 2]);
    expect((await charge(sandbox)).body['Code']).toBe(37);
  });

  test('does not count deleted records of a snapshot', async () => {
    const sandbox = testSandbox();
    const api = client(sandbox, 'sk_test_a');
    await api.put('/_sandbox/snapshots/empty', {});
    for (let n = 0; n < 3; n++) {
      const { body } = await api.post('/vault', { CardNumber: '4111111111111111', Ccv: '123' });
      await api.del(`/vault/${String(body['VaultId'])}`);
    }
    await api.put('/_sandbox/snapshots/deleted', {});
    await api.post('/_sandbox/snapshots/empty/restore', {});
    limited(sandbox, 200 + 1);
    expect((await api.post('/_sandbox/snapshots/deleted/restore', {})).status).toBe(200);
  });

  test('counts the charges of subscriptions that no provider was asked for', async () => {
    const sandbox = testSandbox();
    const api = client(sandbox, 'sk_test_a');
    const method = await storedMethod(api);
    await subscribed(api, monthly(method));
    await api.put(`/payment_method/${method}`, { Card: { ExpiryDate: '01/26' } });
    await advanceTo(api, '2026-01-31');
    const [world] = sandbox.worlds.all();
    limited(sandbox, 200 + (world?.recordCount ?? 0) + 1);
    await advanceTo(api, '2026-06-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 FAILED']);
  });

  test('what was saved before opens beyond that, and a large text counts as several records', async () => {
    const sandbox = testSandbox();
    for (let n = 0; n < 5; n++) await charge(sandbox);
    limited(sandbox, 200 + 3);
    expect((await client(sandbox, 'sk_test_a').get('/charge')).body['Count']).toBe(5);
    limited(sandbox, 200 + 20);
    const [world] = sandbox.worlds.all();
    if (world !== undefined) sandbox.worlds.weigh(world, 20);
    expect((await charge(sandbox)).status).toBe(503);
  });

  /** Sets a smaller limit with the message of --state. */
  function limited({ worlds }: TestSandbox, max: number): { detail: string } {
    const detail = '--state saves at most';
    worlds.room.limit(max, detail);
    return { detail };
  }
});
