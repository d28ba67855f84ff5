import { describe, expect, test } from 'vitest';

import type { Posted } from '../../src/core/post.js';
import { AN_ID, expectRefused, textIn } from '../support/stored.js';
import { charge, events, fire, HOOK, logOf, sendBatch, settle, setup, subscribe, turns } from './support.js';
import { asking, good } from '../support/sandbox.js';
import { words } from '../support/tables.js';

const SLOW = '00000000000000000000000000000003';

describe('a delivery', () => {
  test('begins once the answer is given, without another request, also while the clock stands still', async () => {
    const { api, receiver, host } = setup();
    await api.charge(charge());
    expect(receiver.got).toEqual([]);
    const timer = host.timers.findLast(({ cancelled }) => !cancelled);
    expect(timer?.ms).toBe(0);
    timer?.fire();
    while (receiver.got.length === 0) await host.pause();
    expect(receiver.got).toHaveLength(1);
  });

  test.each([
    ['a provider that takes its time', { ProviderId: SLOW }, {}],
    ['a delay that was asked for', {}, asking('approve, delay=2s')],
    ['a decline with a delay', {}, asking('do_not_honor, delay=2s')],
  ])('waits for an answer that is late because of %s', async (_, more, headers) => {
    const { api, receiver, host } = setup({ clock: { mode: 'real' } });
    const wakes: (() => void)[] = [];
    host.sleep = () => new Promise((resolve) => wakes.push(resolve));
    const under = api.charge(charge(more), headers);
    while (wakes.length === 0) await host.pause();
    await turns(host);
    await api.get('/charge');
    await turns(host);
    expect(receiver.got).toEqual([]);
    const settled = settle(api);
    wakes[0]?.();
    await under;
    await settled;
    expect(receiver.got).toHaveLength(1);
  });

  test('waits for an answer that a rule delays after the commit', async () => {
    const { api, receiver, host } = setup();
    const rules = [{ when: { operation: 'charge.create' }, then: { delay: '2s', phase: 'after' } }];
    await api.play({ name: 'late', rules });
    const wakes: (() => void)[] = [];
    host.sleep = () => new Promise((resolve) => wakes.push(resolve));
    const under = api.charge(charge());
    while (wakes.length === 0) await host.pause();
    const settled = settle(api);
    await turns(host);
    expect(receiver.got).toEqual([]);
    wakes[0]?.();
    await under;
    await settled;
    expect(receiver.got).toHaveLength(1);
  });

  test('of a hanging call is not held back: the client will never be answered', async () => {
    const { api, receiver, host } = setup();
    host.sleep = () => new Promise(() => {});
    void api.charge(charge(), { 'x-sandbox-fault': 'hang; phase=after' });
    await turns(host, 20);
    await settle(api);
    expect(receiver.got).toHaveLength(1);
  });

  test('never slows an answer, however long its receiver takes', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => new Promise(() => {});
    for (let n = 0; n < 20; n++) await good(api.charge(charge()));
    expect(await api.read('/charge')).toMatchObject({ Count: 20 });
  });

  test('comes in the order of the events', async () => {
    const { api, receiver } = setup();
    for (let n = 0; n < 50; n++) await api.charge(charge({ Reference: `r${n}` }));
    await settle(api);
    expect(receiver.got.map(({ message }) => message.data['reference'])).toEqual(
      Array.from({ length: 50 }, (_, n) => `r${n}`),
    );
  });
});

describe('one receiver', () => {
  test('that is prompt gets one at a time', async () => {
    const { api, receiver, host } = setup();
    let most = 0;
    let now = 0;
    receiver.answer = async () => {
      most = Math.max(most, ++now);
      await host.pause();
      now--;
      return { status: 200 };
    };
    for (let n = 0; n < 20; n++) await api.charge(charge());
    await settle(api);
    expect([receiver.got.length, most]).toEqual([20, 1]);
  });

  test('that is slow does not hold up the others, and gets several at once', async () => {
    const { api, receiver, host } = setup();
    const open: (() => void)[] = [];
    receiver.answer = ({ url }) =>
      url === HOOK
        ? new Promise<Posted>((resolve) => open.push(() => resolve({ status: 200 })))
        : { status: 200 };
    for (let n = 0; n < 100; n++) await api.charge(charge());
    await api.charge(charge({ Webhook: { Url: 'http://127.0.0.1:8888/other' } }));
    const settled = settle(api);
    while (open.length < 1) await host.pause();
    await turns(host, 10);
    expect(open).toHaveLength(1);
    expect((await logOf(api))[0]).toMatchObject({ Status: 'delivered' });
    // It has not answered for a while.
    host.timers.findLast(({ ms, cancelled }) => ms === 250 && !cancelled)?.fire();
    await turns(host, 10);
    expect(open).toHaveLength(64);
    while (open.length > 0) {
      open.pop()?.();
      await host.pause();
    }
    await settled;
    expect(await logOf(api, '?Status=delivered&Limit=500')).toHaveLength(101);
  });
});

describe('an advance', () => {
  test('moves to an instant, waits for what it sends, and then moves on', async () => {
    const { api, receiver, sandbox, host } = setup();
    await sendBatch(api, 2);
    const seen: string[] = [];
    receiver.answer = async () => {
      const { clock } = sandbox.worlds.open('sk_test_a');
      const before = clock.now();
      await turns(host);
      seen.push(`${new Date(before).toISOString().slice(17, 23)} ${clock.now() - before}`);
      return { status: 200 };
    };
    const { body } = await api.advance('1h');
    expect(seen).toEqual(['01.000 0', '02.000 0', '02.200 0']);
    expect(body).toMatchObject({ Deliveries: 3, Now: '2026-01-01T01:00:00.000Z' });
    expect(body['Ran']).toContainEqual({
      At: '2026-01-01T00:00:01.000Z',
      Kind: 'webhook.deliver',
      Ref: AN_ID,
      About: 'to /hook, try 1 of 10',
    });
  });

  test('serves calls of a receiver meanwhile, and refuses its advance with 409', async () => {
    const { api, receiver } = setup();
    const id = textIn(await sendBatch(api, 1), 'BatchId');
    const answers: unknown[] = [];
    receiver.answer = async () => {
      answers.push((await api.read(`/batch/${id}/status`))['Status']);
      expectRefused(await api.post('/_sandbox/clock/advance', { By: '1s' }), 409, 37);
      return { status: 200 };
    };
    await api.advance('1h');
    expect(answers).toEqual(['CREATED', 'IN_PROGRESS', 'SUCCESS']);
  });

  test('returns after the webhooks that its receivers caused', async () => {
    const { api, receiver } = setup();
    await sendBatch(api, 1);
    receiver.answer = async ({ body }) => {
      if (body.includes('"SUCCESS","progress"')) await api.charge(charge());
      return { status: 200 };
    };
    expect((await api.advance('1h')).body).toMatchObject({ Deliveries: 4 });
    expect(events(receiver).at(-1)).toBe('transaction.status.changed SUCCESS');
  });

  test('counts attempts, and not what was withheld', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ withheld: 'far away' });
    await sendBatch(api, 1);
    expect((await api.advance('1h')).body).toMatchObject({ Deliveries: 0 });
    receiver.answer = () => ({ status: 500 });
    await sendBatch(api, 1);
    expect((await api.advance('4s')).body).toMatchObject({ Deliveries: 3 });
  });

  test('sends a webhook for each row at its instant', async () => {
    const { api, receiver } = setup();
    await subscribe(api, 'Transaction');
    await sendBatch(api, 5, { Webhook: undefined });
    await api.advance('1h');
    expect(receiver.got.map(({ message }) => message.meta.timestamp.slice(17, 23))).toEqual(words`
      02.100 02.200 02.300 02.400 02.500
    `);
  });
});

describe('settle', () => {
  test('waits for what is under way, and leaves what comes later', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ status: 500 });
    await api.charge(charge());
    expect((await settle(api)).body).toEqual({
      Now: '2026-01-01T00:00:00.000Z',
      NextDue: '2026-01-01T00:00:05.000Z',
    });
    expect(receiver.got).toHaveLength(1);
  });

  test('gives up after its Timeout with 408', async () => {
    const { api, receiver, host } = setup();
    receiver.answer = () => new Promise(() => {});
    await api.charge(charge());
    const under = api.post('/_sandbox/settle', { Timeout: '3s' });
    await fire(host, 3_000);
    expect(expectRefused(await under, 408, 94)).toMatch(
      /1 delivery is still in progress\. A receiver that settles waits for its own answer\.$/,
    );
  });

  test('is refused at once during an advance, which waits for the receiver that settles', async () => {
    const { api, receiver } = setup();
    await sendBatch(api, 1);
    const refusals: string[] = [];
    receiver.answer = async () => {
      refusals.push(expectRefused(await settle(api), 409, 37));
      return { status: 200 };
    };
    await api.advance('1h');
    expect(refusals).toHaveLength(3);
    expect(refusals[0]).toContain('the delivery or the advance waits for it');
  });
});
