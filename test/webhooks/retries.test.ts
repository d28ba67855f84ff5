import { describe, expect, test } from 'vitest';

import type { Posted } from '../../src/core/post.js';
import { RETRY_AFTER_MS } from '../../src/webhooks/delivery.js';
import { client, START, testSandbox } from '../support/sandbox.js';
import { after } from '../support/stored.js';
import { charge, fire, LOG, logOf, settle, setup } from './support.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** What the specification of retries says, one after the other. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** A receiver that fails, and the instants at which it was called. */
function failing(posted: Posted = { status: 500 }) {
  const one = setup();
  const calls: number[] = [];
  one.receiver.answer = () => {
    calls.push(one.sandbox.worlds.open('sk_test_a').clock.now() - START);
    return posted;
  };
  return { ...one, calls };
}

describe('retries', () => {
  test('come to the millisecond on the clock of the world, nine of them, and then the delivery has failed', async () => {
    const { api, calls } = failing();
    await api.charge(charge());
    expect((await api.advance('7d')).body).toMatchObject({ Deliveries: 10 });
    let instant = 0;
    expect(calls).toEqual([0, ...DELAYS.map((delay) => (instant += delay))]);
    expect(RETRY_AFTER_MS).toEqual(DELAYS);
    expect(await logOf(api)).toMatchObject([
      { Status: 'failed', Attempt: 10, ResponseStatus: 500, NextAttemptAt: null, At: after(instant) },
    ]);
  });

  test('are not due a millisecond before', async () => {
    const { api, calls } = failing();
    await api.charge(charge());
    await api.advance('4999ms');
    expect(calls).toEqual([0]);
    expect(await logOf(api)).toMatchObject([
      { Status: 'pending', Attempt: 1, ResponseStatus: 500, NextAttemptAt: after(5000), At: after(0) },
    ]);
    await api.advance('1ms');
    expect(calls).toEqual([0, 5000]);
    await api.advance('299999ms');
    expect(calls).toHaveLength(2);
    await api.advance('1ms');
    expect(calls).toEqual([0, 5000, 305_000]);
  });

  test('end with the first success', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ status: receiver.got.length < 3 ? 503 : 201 });
    await api.charge(charge());
    await api.advance('7d');
    expect(receiver.got).toHaveLength(3);
    expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
    expect(await logOf(api)).toMatchObject([
      { Status: 'delivered', Attempt: 3, ResponseStatus: 201, Note: null, NextAttemptAt: null },
    ]);
  });

  test.each<[posted: Posted, status: string, note: string | null]>([
    [{ status: 200 }, 'delivered', null],
    [{ status: 299 }, 'delivered', null],
    [{ status: 200, note: 'self-signed' }, 'delivered', 'self-signed'],
    [{ status: 199 }, 'pending', 'responded with 199; only 2xx counts as delivered'],
    [{ status: 301 }, 'pending', 'responded with 301; only 2xx counts as delivered'],
    [{ status: 404 }, 'pending', 'responded with 404; only 2xx counts as delivered'],
    [{ failed: 'connect ECONNREFUSED' }, 'pending', 'connect ECONNREFUSED'],
    [{ withheld: 'a public address' }, 'withheld', 'a public address'],
  ])('%j makes the delivery %s', async (posted, status, note) => {
    const { api, receiver } = setup();
    receiver.answer = () => posted;
    await api.charge(charge());
    await settle(api);
    expect(await logOf(api)).toMatchObject([{ Status: status, Note: note }]);
  });

  test('come after what a deliver function throws', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => {
      throw new Error('the socket is on fire');
    };
    await api.charge(charge());
    await settle(api);
    expect(await logOf(api)).toMatchObject([{ Status: 'pending', Note: 'the socket is on fire' }]);
  });

  /** A receiver that fails after so many milliseconds of a real clock, and answers well when it is asked again. */
  async function slowly(ms: number) {
    const { api, receiver, host, sandbox } = setup({ clock: { mode: 'real' } });
    let fail: (posted: Posted) => void = () => {};
    receiver.answer = () => new Promise((resolve) => (fail = resolve));
    await api.charge(charge());
    const settled = settle(api);
    while (receiver.got.length === 0) await host.pause();
    host.wall += ms;
    receiver.answer = () => ({ status: 200 });
    fail({ status: 500 });
    await settled;
    const log = await logOf(api);
    sandbox.close();
    return { log, receiver };
  }

  test('go on from the beginning of an attempt, however long it took', async () => {
    const { log } = await slowly(2_000);
    expect(log).toMatchObject([{ NextAttemptAt: after(5000), At: after(0) }]);
  });

  test('are due at once when an attempt took longer than the next one is away', async () => {
    const { receiver } = await slowly(9_000);
    expect(receiver.got).toHaveLength(2);
  });
});

describe('time for an answer', () => {
  /** Starts a call with a receiver that never answers, and lets the timers of a length ring when they are set. */
  async function hung(call: (one: ReturnType<typeof setup>) => Promise<unknown>, ms: number) {
    const one = setup();
    const aborted: boolean[] = [];
    one.receiver.answer = ({ signal }) => {
      signal.addEventListener('abort', () => aborted.push(true));
      return new Promise(() => {});
    };
    await one.api.charge(charge());
    const under = call(one);
    await fire(one.host, ms);
    await under;
    return { ...one, aborted };
  }

  test('is 10 s, then the attempt is broken off and has failed', async () => {
    const { api, aborted } = await hung(
      ({ api: one }) => one.post('/_sandbox/settle', { Timeout: '60s' }),
      10_000,
    );
    expect(aborted).toEqual([true]);
    expect(await logOf(api)).toMatchObject([
      { Status: 'pending', Note: 'no response within 10 s', Attempt: 1 },
    ]);
  });

  test('is 1 s while somebody waits for an advance', async () => {
    const { api } = await hung(({ api: one }) => one.advance('1s'), 1_000);
    expect(await logOf(api)).toMatchObject([{ Status: 'pending', Note: 'no response within 1 s' }]);
  });

  test('is no longer for an attempt that began before the advance', async () => {
    const { api, aborted } = await hung(async (one) => {
      void settle(one.api);
      while (one.receiver.got.length === 0) await one.host.pause();
      await one.api.advance('1s');
    }, 1_000);
    expect(aborted).toEqual([true]);
    expect(await logOf(api)).toMatchObject([{ Status: 'pending', Note: 'no response within 1 s' }]);
  });
});

test.each([
  ['off', 'webhooks are off'],
  ['private', 'this sandbox has no means of delivery'],
] as const)(
  'with webhooks %s and nothing to deliver with all is logged as withheld',
  async (webhooks, note) => {
    const api = client(testSandbox({ webhooks }));
    await api.charge(charge());
    await settle(api);
    expect(await api.read(LOG)).toMatchObject({
      Count: 1,
      Deliveries: [{ Status: 'withheld', Note: note, Attempt: 0, NextAttemptAt: null }],
    });
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
  },
);
