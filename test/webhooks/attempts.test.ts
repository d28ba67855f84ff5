import { describe, expect, test } from 'vitest';

import { RETRY_AFTER_MS } from '../../src/webhooks/delivery.js';
import { client, good, testHost, testSandbox } from '../support/sandbox.js';
import { after } from '../support/stored.js';
import { charge, HOOK, LOG, logOf, SECRET, settle, setup } from './support.js';

interface Attempt {
  readonly At: string;
  readonly Status: string;
  readonly ResponseStatus: number | null;
  readonly Note: string | null;
  readonly RequestHeaders: Readonly<Record<string, string>> | null;
  readonly ResponseHeaders: Readonly<Record<string, string>> | null;
}

const attemptsIn = async (api: ReturnType<typeof setup>['api']) =>
  (await logOf(api))[0]?.['Attempts'] as readonly Attempt[];

describe('the attempts of a delivery', () => {
  test('are listed one by one, with response, headers and time', async () => {
    const { api, receiver, host } = setup({ webhookSecret: SECRET });
    receiver.answer = () => {
      host.wall += 12;
      const n = receiver.got.length;
      if (n === 2) return { failed: 'connect ECONNREFUSED' };
      return { status: n < 10 ? 500 + n : 204, headers: { 'x-try': String(n) } };
    };
    await api.charge(charge({ Webhook: { Url: HOOK, Authorization: 'Bearer hidden' } }));
    await api.advance('7d');
    const attempts = await attemptsIn(api);
    const begun = RETRY_AFTER_MS.reduce((times, ms) => [...times, (times.at(-1) ?? 0) + ms], [0]);
    expect(attempts.map(({ At }) => At)).toEqual(begun.map(after));
    expect(attempts[0]).toMatchObject({
      DurationMs: 12,
      Status: 'failed',
      ResponseStatus: 501,
      Note: 'responded with 501; only 2xx counts as delivered',
      RequestHeaders: { authorization: '***', 'x-payfurl-signature': expect.any(String) },
      ResponseHeaders: { 'x-try': '1' },
    });
    expect(attempts[1]).toMatchObject({
      ResponseStatus: null,
      Note: 'connect ECONNREFUSED',
      ResponseHeaders: null,
    });
    expect(attempts[9]).toMatchObject({ Status: 'delivered', ResponseStatus: 204, Note: null });
    expect((await api.get(LOG)).text).not.toContain('hidden');
  });

  test('keep only the beginning of long headers, without card numbers, keys and passwords', async () => {
    const { api, receiver } = setup();
    const secrets = '4242424242424242 sk_test_secretkey1 http://jo:s3cret@127.0.0.1/';
    receiver.answer = () => ({ status: 200, headers: { 'x-echo': secrets, 'x-long': 'x'.repeat(5_000) } });
    await api.charge(charge());
    await settle(api);
    const [attempt] = await attemptsIn(api);
    const { 'x-echo': echo, 'x-long': long = '' } = attempt?.ResponseHeaders ?? {};
    expect(echo).toBe('4242********4242 sk_*** http://jo:***@127.0.0.1/');
    expect(long.length).toBeLessThan(1_000);
  });

  test('survive in a saved state, without what differs from run to run', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ status: 500, headers: { date: 'today' } });
    await api.charge(charge());
    await api.advance('1m');
    const before = await attemptsIn(api);
    const state = await api.read('/_sandbox/state');
    expect(JSON.stringify(state)).not.toContain('today');
    expect((await api.put('/_sandbox/state', state)).status).toBe(200);
    expect(before).toHaveLength(2);
    const unsaved = { DurationMs: null, RequestHeaders: null, ResponseHeaders: null };
    expect(await attemptsIn(api)).toEqual(before.map((attempt) => ({ ...attempt, ...unsaved })));
  });

  test('are those of a resent webhook alone', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ status: 500 });
    await api.charge(charge());
    await settle(api);
    const [delivery] = await logOf(api);
    await api.post(`${LOG}/${String(delivery?.['DeliveryId'])}/resend`, {});
    await settle(api);
    expect(await attemptsIn(api)).toHaveLength(1);
  });
});

test('an attempt that cannot begin, because the host starts no more timers, ends with the reason and is repeated', async () => {
  const host = testHost();
  let isOut = true;
  const timer: typeof host.timer = (...asked) => {
    // The runtime of Cloudflare allows an object 10,000.
    if (isOut && asked[2] !== true && [250, 10_000].includes(asked[1])) throw new Error('no more timers');
    return host.timer(...asked);
  };
  const sandbox = testSandbox(
    { deliver: () => ({ status: 204 }) },
    Object.assign(Object.create(host), { timer }),
  );
  const api = client(sandbox);
  await good(api.charge(charge({ Webhook: { Url: HOOK } })));
  await good(settle(api));
  expect(await logOf(api)).toMatchObject([
    { Status: 'pending', Attempt: 1, Note: expect.stringContaining('no more timers') },
  ]);
  isOut = false;
  await good(api.advance('7d'));
  expect(await logOf(api)).toMatchObject([{ Status: 'delivered', Attempt: 2 }]);
});
