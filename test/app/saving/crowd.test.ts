import { expect, test } from 'vitest';

import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { client, testSandbox } from '../../support/sandbox.js';
import { MemoryStore } from './memory-store.js';

const WORLDS_MAX = 8;
const CLIENTS = 6;
const CALLS = 600;
const KEYS = Array.from({ length: 4 * WORLDS_MAX }, (_, n) => `sk_test_${n}`);

/** A store that takes some turns of the event loop, each time another number, to load and to save. */
function slowStore(): MemoryStore {
  const store = new MemoryStore();
  const { load, save } = store;
  let work = 0;
  const wait = async (): Promise<void> => {
    for (let n = (work += 7) % 31; n >= 0; n--) await new Promise(setImmediate);
  };
  store.load = (id) => wait().then(() => load.call(store, id));
  store.save = (...given) => wait().then(() => save(...given));
  return store;
}

test('Far more keys than worlds in memory, each called in turn by several clients: no call is refused, and none is lost.', async () => {
  const store = slowStore();
  const sandbox = testSandbox({ worldsMax: WORLDS_MAX });
  await WorldKeeper.open(sandbox.worlds, store);
  let next = 0;
  const statuses = new Map<number, number>();
  const one = async (): Promise<void> => {
    while (next < CALLS) {
      const api = client(sandbox, KEYS[next++ % KEYS.length]);
      const { status } = await api.post('/charge/token', { Amount: 5, Token: 'tok_approve' });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  expect(Object.fromEntries(statuses)).toEqual({ 201: CALLS });
});
