import { describe, expect, test } from 'vitest';

import type { Post, Posted } from '../../src/core/post.js';
import { ADVANCE_TIMEOUT_MS, SILENT_TIMEOUT_MS } from '../../src/webhooks/send-attempt.js';
import { type Answer, client, good, testHost, testSandbox } from '../support/sandbox.js';
import type { TestTimer } from '../support/host.js';
import { charge, logOf } from './support.js';

/** Receivers that do not answer while the clock is advanced. Real time stands still: what counts is what is waited for. */

const SILENT = 'http://127.0.0.1:9999/hook';
const OTHER = 'http://127.0.0.1:9998/hook';
const TO = { silent: { Webhook: { Url: SILENT } }, other: { Webhook: { Url: OTHER } } };
const NOBODY = new Promise<Posted>(() => {});

/** A sandbox whose attempts time out as soon as they wait, and the time-outs that they asked for. */
function setup(answer: (post: Post) => Posted | Promise<Posted> = () => NOBODY) {
  const waits: number[] = [];
  const posts: string[] = [];
  let [running, most] = [0, 0];
  const deliver = async (post: Post): Promise<Posted> => {
    posts.push(post.url);
    most = Math.max(most, ++running);
    post.signal.addEventListener('abort', () => running--);
    return answer(post);
  };
  const host = testHost();
  const timer: typeof host.timer = (callback, ms) => {
    if (ms !== ADVANCE_TIMEOUT_MS && ms !== SILENT_TIMEOUT_MS) return () => {};
    waits.push(ms);
    const soon = setImmediate(callback);
    return () => clearImmediate(soon);
  };
  const api = client(testSandbox({ deliver }, { ...host, timer }));
  const send = async (count: number, more: object): Promise<void> => {
    for (let i = 0; i < count; i++) await good(api.charge(charge(more)));
  };
  const advance = (by: string): Promise<Answer> => good(api.advance(by));
  return { api, advance, send, waits, posts, most: () => most };
}

describe('a receiver that does not answer', () => {
  test('costs an advance one second for each attempt, which is ten in all', async () => {
    const { api, advance, send, waits } = setup();
    await send(1, TO.silent);
    expect((await advance('7d')).body).toMatchObject({ Deliveries: 10 });
    expect(waits).toEqual(Array.from({ length: 10 }, () => 1000));
    expect(await logOf(api)).toMatchObject([
      { Status: 'failed', Attempt: 10, Note: 'no response within 1 s' },
    ]);
  });

  test('has 50 ms for each attempt once the advance has waited ten seconds for it', async () => {
    const { api, advance, send, waits } = setup();
    await send(2, TO.silent);
    expect((await advance('7d')).body).toMatchObject({ Deliveries: 20 });
    const all = (ms: number): number[] => Array.from({ length: 10 }, () => ms);
    expect(waits).toEqual([...all(1000), ...all(50)]);
    const Note = 'no response within 0.05 s; earlier attempts in this advance waited 10 s for it';
    expect(await logOf(api)).toMatchObject([{ Note }, { Note }]);
  });

  test('that was late once, because it was still starting, gets what comes later', async () => {
    const { api, advance, send, posts } = setup(() => (posts.length === 1 ? NOBODY : { status: 200 }));
    await send(1, TO.silent);
    await advance('7d');
    expect(await logOf(api)).toMatchObject([{ Status: 'delivered', Attempt: 2 }]);
  });

  test('has one second again in the next advance', async () => {
    const { advance, send, waits } = setup();
    await send(1, TO.silent);
    await advance('7d');
    await send(1, TO.silent);
    await advance('1s');
    expect(waits).toEqual(Array.from({ length: 11 }, () => 1000));
  });

  test('takes no time from another one', async () => {
    const { advance, send, waits, posts } = setup(({ url }) => (url === SILENT ? NOBODY : { status: 204 }));
    await send(1, TO.silent);
    await send(2, TO.other);
    await advance('10s');
    expect(posts.filter((url) => url === OTHER)).toHaveLength(2);
    // Each attempt asks for its time-out, even if it does not need it.
    expect(waits).toEqual([1000, 1000, 1000, 1000]);
  });

  test('is called several times at once, so that many deliveries take little time', async () => {
    const { advance, send, waits, most } = setup();
    await send(130, TO.silent);
    await advance('1s');
    expect(waits).toHaveLength(130);
    expect(most()).toBe(64);
  });

  test('has 50 ms for what is already on its way to it when the ten seconds are over', async () => {
    const host = testHost();
    const api = client(testSandbox({ deliver: () => NOBODY }, host));
    const timersOf = async (ms: number, count: number): Promise<readonly TestTimer[]> => {
      for (;;) {
        const found = host.timers.filter((timer) => timer.ms === ms);
        if (found.length >= count) return found.slice(3 * Math.floor((count - 1) / 3));
        await host.pause();
      }
    };
    for (let i = 0; i < 3; i++) await good(api.charge(charge(TO.silent)));
    const advanced = api.advance('7d');
    for (let round = 0; round < 10; round++) {
      // The first attempt of an instant has been under way for a while, so the other two join it.
      const [patience] = await timersOf(250, 3 * round + 1);
      patience?.fire();
      const [first, ...others] = await timersOf(ADVANCE_TIMEOUT_MS, 3 * round + 3);
      first?.fire();
      if (round < 9) for (const timer of others) timer.fire();
    }
    for (const timer of await timersOf(SILENT_TIMEOUT_MS, 2)) timer.fire();
    expect((await good(advanced)).body).toMatchObject({ Deliveries: 30 });
    expect(host.timers.filter(({ ms }) => ms === SILENT_TIMEOUT_MS)).toHaveLength(2);
  });
});

describe('a name that cannot be resolved', () => {
  const unknown = { failed: 'getaddrinfo ENOTFOUND shop.internal', cause: 'name' } as const;
  const to = (path: string): object => ({ Webhook: { Url: `http://shop.internal${path}` } });

  test('is looked up once in an advance, for all its receivers, and again in the next', async () => {
    const { api, advance, send, posts } = setup(() => unknown);
    await send(1, to('/a'));
    await send(1, to(':3000/b'));
    await advance('1h');
    // Two deliveries at once, before the first has an answer.
    expect(posts.length).toBeLessThanOrEqual(2);
    expect(await logOf(api)).toMatchObject([
      { Attempt: 4, Note: unknown.failed },
      { Attempt: 4, Note: unknown.failed },
    ]);
    const before = posts.length;
    await advance('2h');
    expect(posts.length - before).toBeGreaterThanOrEqual(1);
  });
});
