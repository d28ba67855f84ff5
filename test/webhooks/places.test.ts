import { describe, expect, test } from 'vitest';

import type { Post, Posted } from '../../src/core/post.js';
import { createInnerSandbox } from '../../src/app/sandbox.js';
import { client, good, testHost, testSandbox } from '../support/sandbox.js';
import { charge, fire, logOf, turns } from './support.js';

/** Receivers that accept and never answer, beside one that is well. Real time stands still: only the test ends attempts. */

const HEALTHY = 'http://127.0.0.1:9998/hook';
const hookTo = (Url: string): object => charge({ Webhook: { Url } });
const never = ({ signal }: Post): Promise<Posted> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ failed: 'it was aborted' })));

function setup() {
  const posts: string[] = [];
  const host = testHost();
  const deliver = (post: Post): Promise<Posted> | Posted => {
    posts.push(post.url);
    return post.url === HEALTHY ? { status: 204 } : never(post);
  };
  const sandbox = testSandbox({ deliver }, host);
  /** Starts the webhooks of a world at hung receivers, and finds out that these are slow. */
  const hang = async (key: string, webhooks: number, receivers: number): Promise<void> => {
    const api = client(sandbox, key);
    for (let n = 0; n < receivers; n++) await good(api.charge(hookTo(`http://127.0.0.1:${9000 + n}/`)));
    const { deliveries, webhooks: outbox } = sandbox.worlds.open(key);
    const first = [...deliveries.newestFirst()];
    for (const delivery of first) for (let copy = 1; copy < webhooks; copy++) outbox.resend(delivery);
    void api.post('/_sandbox/settle', { Timeout: '60s' });
    await turns(host, 10);
    for (const timer of host.timers) if (timer.ms === 250 && !timer.cancelled) timer.fire();
    await turns(host, 10);
  };
  return { sandbox, host, posts, hang };
}

describe('a healthy receiver', () => {
  test('in a world beside eight others, each with 70 webhooks at a hung receiver, gets its webhook at once', async () => {
    const { sandbox, posts, hang } = setup();
    for (let world = 0; world < 8; world++) await hang(`sk_test_hung${world}`, 70, 1);
    expect(posts).toHaveLength(384);
    const healthy = client(sandbox, 'sk_test_healthy');
    await good(healthy.charge(hookTo(HEALTHY)));
    expect((await good(healthy.advance('7d'))).body).toMatchObject({ Deliveries: 1 });
    expect(await logOf(healthy)).toMatchObject([{ Status: 'delivered', Attempt: 1 }]);
  });

  test('in the same world as five hung receivers does not wait for them', async () => {
    const { sandbox, posts, hang, host } = setup();
    await hang('sk_test_a', 70, 5);
    expect(posts).toHaveLength(5 * 64);
    const api = client(sandbox);
    await good(api.charge(hookTo(HEALTHY)));
    void api.post('/_sandbox/settle', { Timeout: '60s' });
    while (posts.at(-1) !== HEALTHY) await host.pause();
    await turns(host);
    expect((await logOf(api))[0]).toMatchObject({ Status: 'delivered' });
  });
});

test('an attempt that waits for its place has not begun, and is no attempt when the others end', async () => {
  const { sandbox, host, posts, hang } = setup();
  for (let world = 0; world < 6; world++) await hang(`sk_test_hung${world}`, 64, 1);
  await hang('sk_test_late', 2, 1);
  const late = client(sandbox, 'sk_test_late');
  expect(posts).toHaveLength(384);
  host.wall += 60_000;
  expect(await logOf(late)).toMatchObject([{ Attempt: 0 }, { Attempt: 0 }]);
  // Two of the others have no time left.
  for (const timer of host.timers.filter(({ ms }) => ms === 10_000).slice(0, 2)) timer.fire();
  while (posts.length < 385) await host.pause();
  await turns(host);
  expect(posts.length).toBeGreaterThan(384);
  expect(await logOf(late)).toMatchObject([{ Attempt: 0 }, { Attempt: 0 }]);
});

test('two sandboxes on a host share its places', async () => {
  const host = testHost();
  const posts: string[] = [];
  const shared = {
    ...host,
    deliver: (post: Post): Promise<Posted> => {
      posts.push(post.url);
      return never(post);
    },
  };
  const clock = { mode: 'manual' } as const;
  for (let n = 0; n < 2; n++) {
    const api = client(createInnerSandbox(shared, { clock }), 'sk_test_a');
    for (let receiver = 0; receiver < 100; receiver++)
      await good(api.charge(hookTo(`http://127.0.0.1:${9000 + 100 * n + receiver}/`)));
    void api.post('/_sandbox/settle', { Timeout: '60s' });
    await turns(host, 10);
  }
  expect(posts).toHaveLength(128);
  await fire(host, 250);
  await turns(host);
  expect(posts).toHaveLength(129);
});
