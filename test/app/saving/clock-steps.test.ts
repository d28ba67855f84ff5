import { describe, expect, test } from 'vitest';

import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { client, START, testHost, testSandbox } from '../../support/sandbox.js';
import { MemoryStore } from './memory-store.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A server that is restarted on one store, on a machine whose wall clock is set. */
async function server(mode: 'real' | 'scaled' = 'real') {
  const host = testHost();
  const store = new MemoryStore();
  const open = async () => {
    const sandbox = testSandbox({ clock: { mode } }, host);
    return { sandbox, keeper: await WorldKeeper.open(sandbox.worlds, store) };
  };
  let running = await open();
  const api = () => client(running.sandbox, 'sk_test_a');
  return {
    set: (instant: number) => void (host.wall = instant),
    api,
    restart: async (): Promise<void> => {
      await api().post('/charge/token', { Amount: 5, Token: 'tok_approve' });
      expect(await running.keeper.end()).toBe(true);
      running.sandbox.close();
      running = await open();
    },
    /** How far the clock of the world is from where the machine began. */
    read: async (): Promise<number> =>
      Date.parse(String((await api().read('/_sandbox/clock'))['Now'])) - START,
  };
}

describe('a world with a real clock', () => {
  test.each([0, 1, 2, 3])(
    'waits while the wall clock is a day behind, and is right again afterwards, with %d restarts in between',
    async (restarts) => {
      const { set, restart, read } = await server();
      expect(await read()).toBe(0);
      set(START - DAY);
      for (let n = 0; n < restarts; n++) await restart();
      expect(await read()).toBe(0);
      set(START - 1);
      if (restarts > 0) await restart();
      expect(await read()).toBe(0);
      set(START + HOUR);
      if (restarts > 0) await restart();
      expect(await read()).toBe(HOUR);
    },
  );

  test('follows the wall clock when that is a day fast, and is right again a day after it is set right', async () => {
    const { set, restart, read } = await server();
    await restart();
    set(START + DAY);
    await restart();
    expect(await read()).toBe(DAY);
    for (const hours of [0, 1, 2]) {
      set(START + hours * HOUR);
      await restart();
      expect(await read()).toBe(DAY);
    }
    set(START + DAY + HOUR);
    expect(await read()).toBe(DAY + HOUR);
  });

  test('stays as far from the wall clock as it was advanced, before and after a step', async () => {
    const { set, restart, read, api } = await server();
    await api().advance('1h');
    set(START - DAY);
    await restart();
    expect(await read()).toBe(HOUR);
    await api().advance('2h');
    await restart();
    expect(await read()).toBe(3 * HOUR);
    set(START + HOUR);
    await restart();
    expect(await read()).toBe(4 * HOUR);
  });

  test('is not ahead after a restore either', async () => {
    const { set, restart, read, api } = await server();
    await api().put('/_sandbox/snapshots/before');
    set(START - DAY);
    await api().post('/_sandbox/snapshots/before/restore');
    await restart();
    expect(await read()).toBe(0);
    set(START + HOUR);
    expect(await read()).toBe(HOUR);
  });
});

test('a scaled clock goes on while the wall clock is behind, and after each restart', async () => {
  const { set, restart, read } = await server('scaled');
  const begun = await read();
  set(START + HOUR);
  await restart();
  expect((await read()) - begun).toBe(60 * HOUR);
  set(START - DAY);
  await restart();
  set(START - DAY + HOUR);
  await restart();
  expect((await read()) - begun).toBe(120 * HOUR);
});
