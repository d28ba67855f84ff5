import { describe, expect, test } from 'vitest';

import type { Post, Posted } from '../../../src/core/post.js';
import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { client, good, testHost, testSandbox } from '../../support/sandbox.js';
import { START, type TestTimer } from '../../support/host.js';
import { charge, logOf, settle, turns } from '../../webhooks/support.js';
import { MemoryStore } from './memory-store.js';

/** A kept sandbox whose receiver answers as the test says. */
async function kept(store: MemoryStore, answer: () => Posted | Promise<Posted>) {
  const got: Post[] = [];
  const deliver = (post: Post): Posted | Promise<Posted> => {
    got.push(post);
    return answer();
  };
  const host = testHost();
  const sandbox = testSandbox({ deliver }, host);
  const keeper = await WorldKeeper.open(sandbox.worlds, store);
  return { got, host, keeper, api: client(sandbox), saved: () => keeper.saver.saveNow() };
}

const NOBODY = new Promise<Posted>(() => {});

describe('a delivery that is under way when its world is saved', () => {
  test('is due at once, and is sent again after a restart although nobody calls the world', async () => {
    const store = new MemoryStore();
    const before = await kept(store, () => NOBODY);
    for (let n = 0; n < 20; n++) await good(before.api.charge(charge({ Reference: `r${n}` })));
    void settle(before.api);
    await turns(before.host, 10);
    expect(before.got).toHaveLength(1);
    await before.saved();
    expect([...store.savings.values()]).toMatchObject([{ due: START }]);
    const after = await kept(store, () => ({ status: 200 }));
    // The world is loaded, and then runs its jobs.
    const atOnce = (): TestTimer[] => after.host.timers.filter(({ ms }) => ms === 0);
    for (let timer = 0; timer < 2; timer++) {
      while (atOnce().length <= timer) await after.host.pause();
      atOnce()[timer]?.fire();
    }
    while (after.got.length < 20) await turns(after.host);
    await turns(after.host);
    expect(await logOf(after.api, '?Status=delivered')).toHaveLength(20);
  });

  test('is due at once as well while it waits for the answer of its request', async () => {
    const store = new MemoryStore();
    const { api, host, saved } = await kept(store, () => NOBODY);
    host.sleep = () => new Promise(() => {});
    void api.charge(charge(), { 'x-sandbox-outcome': 'approve, delay=2s' });
    await turns(host, 10);
    await saved();
    expect([...store.savings.values()]).toMatchObject([{ due: START }]);
  });

  test('is saved again when it has ended, also if it was withheld, and then is not due', async () => {
    for (const posted of [{ status: 200 }, { withheld: 'far away' }]) {
      const store = new MemoryStore();
      let end: (ended: Posted) => void = () => {};
      const { api, host, keeper, saved } = await kept(store, () => new Promise((resolve) => (end = resolve)));
      await api.charge(charge());
      void settle(api);
      await turns(host, 10);
      await saved();
      const ended = new Promise<void>((resolve) => (keeper.attemptEnded = resolve));
      end(posted);
      await ended;
      await saved();
      expect([...store.savings.values()]).toMatchObject([{ due: null }]);
      const status = 'status' in posted ? 'delivered' : 'withheld';
      expect([...store.documents.values()][0]).toContain(`"Status":"${status}"`);
    }
  });
});
