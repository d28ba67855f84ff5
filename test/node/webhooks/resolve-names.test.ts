import { describe, expect, test, vi } from 'vitest';

import { type ResolvedAddress, NameResolver } from '../../../src/node/webhooks/resolve-names.js';

const LOCAL: readonly ResolvedAddress[] = [{ address: '127.0.0.1', family: 4 }];
const SLOW =
  'its name is resolved too slowly, or not at all; is the network or a VPN off? Look-ups of other names do not wait for it';

/** Names whose look-ups the test ends. */
function setup(isAnswered: (name: string) => boolean = () => true) {
  const asked: string[] = [];
  const lookups = new Map<
    string,
    { resolve: (found: readonly ResolvedAddress[]) => void; reject: (error: Error) => void }
  >();
  const names = new NameResolver({
    isAnswered: (name) => {
      asked.push(name);
      return Promise.resolve(isAnswered(name));
    },
    resolve: (name) => new Promise((resolve, reject) => lookups.set(name, { resolve, reject })),
  });
  const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
  const find = (name: string, signal = new AbortController().signal): ReturnType<NameResolver['find']> =>
    names.find(name, signal);
  return { find, asked, lookups, turn };
}

describe('the name of a receiver', () => {
  test.each(['localhost', 'shop.localhost', 'a.b.localhost', 'localhost.'])(
    'needs no resolver if it is %s',
    async (name) => {
      const { find, asked, lookups } = setup(() => false);
      expect(await find(name)).toEqual([...LOCAL, { address: '::1', family: 6 }]);
      expect([asked, [...lookups]]).toEqual([[], []]);
    },
  );

  test('that is not resolved fails with that cause, and is looked up once at a time', async () => {
    const { find, lookups, turn } = setup();
    const together = [find('shop.internal'), find('shop.internal')];
    await turn();
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND shop.internal'), { code: 'ENOTFOUND' });
    lookups.get('shop.internal')?.reject(error);
    const failed = { failed: 'its name is unknown (ENOTFOUND)', cause: 'name' };
    expect(await Promise.all(together)).toEqual([failed, failed]);
    lookups.clear();
    void find('shop.internal');
    await turn();
    expect(lookups.size).toBe(1);
  });

  test('about which no DNS server answers is not looked up in the system, and remembered', async () => {
    const { find, asked, lookups } = setup(() => false);
    const twenty = Array.from({ length: 20 }, (_, n) => `hook${n}.corp.example`);
    for (const result of await Promise.all(twenty.map((name) => find(name))))
      expect(result).toEqual({ failed: SLOW, cause: 'name' });
    await find('hook1.corp.example');
    expect([asked, [...lookups]]).toEqual([twenty, []]);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 60_001);
    await find('hook1.corp.example');
    vi.restoreAllMocks();
    expect(asked.at(-1)).toBe('hook1.corp.example');
    expect(asked).toHaveLength(21);
  });

  test('that is looked up slowly is the only one, and names that were quick do not wait for it', async () => {
    const { find, lookups, turn } = setup();
    const quick = find('quick.example');
    await turn();
    lookups.get('quick.example')?.resolve(LOCAL);
    expect(await quick).toEqual(LOCAL);
    lookups.clear();
    for (let n = 0; n < 20; n++) void find(`slow${n}.example`);
    const again = find('quick.example');
    await turn();
    expect(new Set(lookups.keys())).toEqual(new Set(['slow0.example', 'quick.example']));
    lookups.get('quick.example')?.resolve(LOCAL);
    expect(await again).toEqual(LOCAL);
  });

  test('that was looked up slowly is remembered with its address', async () => {
    const { find, lookups, turn } = setup();
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    const first = find('slow.example');
    await turn();
    clock.mockReturnValue(now + 3_000);
    lookups.get('slow.example')?.resolve(LOCAL);
    expect(await first).toEqual(LOCAL);
    lookups.clear();
    expect(await find('slow.example')).toEqual(LOCAL);
    expect(lookups.size).toBe(0);
    vi.restoreAllMocks();
  });

  test('is given up when the time of its attempt is over; the look-up goes on for the next one', async () => {
    const { find, lookups, turn } = setup();
    const time = new AbortController();
    const first = find('slow.example', time.signal);
    await turn();
    time.abort();
    expect(await first).toEqual({ failed: SLOW, cause: 'time' });
    const second = find('slow.example');
    lookups.get('slow.example')?.resolve(LOCAL);
    expect(await second).toEqual(LOCAL);
    expect(lookups.size).toBe(1);
  });
});
