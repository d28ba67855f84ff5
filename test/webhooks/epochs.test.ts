import { describe, expect, test } from 'vitest';

import type { Posted } from '../../src/core/post.js';
import { DELIVERIES_MAX } from '../../src/webhooks/delivery.js';
import { client, good } from '../support/sandbox.js';
import { expectRefused } from '../support/stored.js';
import { charge, HOOK, LOG, logOf, SECRET, settle, setup, type Setup, subscribe, turns } from './support.js';

const STATE = '/_sandbox/state';

/** Lets an attempt begin and keeps it open; returns what ends it. */
async function begun({ receiver, host, api }: Setup): Promise<(posted: Posted) => Promise<void>> {
  let end: (posted: Posted) => void = () => {};
  receiver.answer = () => new Promise((resolve) => (end = resolve));
  await api.charge(charge());
  const before = receiver.got.length;
  host.timers.findLast(({ cancelled }) => !cancelled)?.fire();
  while (receiver.got.length === before) await host.pause();
  receiver.answer = () => ({ status: 200 });
  return async (posted) => {
    end(posted);
    await turns(host);
  };
}

describe('a reset', () => {
  test('drops pending deliveries, and those that are running change nothing any more', async () => {
    const one = setup();
    const end = await begun(one);
    await one.api.charge(charge());
    await one.api.post('/_sandbox/reset');
    expect(one.receiver.got[0]?.signal.aborted).toBe(true);
    await end({ status: 500 });
    expect(await logOf(one.api)).toEqual([]);
    await one.api.advance('7d');
    expect(one.receiver.got).toHaveLength(1);
  });

  test('refuses who waits for a settle, an advance or a delivery', async () => {
    const one = setup();
    await begun(one);
    const waiting = [
      settle(one.api),
      one.api.post('/_sandbox/clock/advance', { By: '1h' }),
      one.api.post('/_sandbox/journal/await', { Match: { Event: 'transaction.status.changed' } }),
    ];
    await turns(one.host);
    await one.api.post('/_sandbox/reset');
    for (const answer of await Promise.all(waiting)) expectRefused(answer, 503, 37);
  });
});

describe('a snapshot', () => {
  test('holds what was under way as pending, and a restore sends it again with its MessageId', async () => {
    const one = setup();
    const end = await begun(one);
    await one.api.put('/_sandbox/snapshots/s');
    await end({ status: 200 });
    expect(await logOf(one.api)).toMatchObject([{ Status: 'delivered' }]);
    await one.api.post('/_sandbox/snapshots/s/restore');
    expect(await logOf(one.api)).toMatchObject([{ Status: 'pending', Attempt: 0 }]);
    await settle(one.api);
    expect(await logOf(one.api)).toMatchObject([{ Status: 'delivered', Attempt: 1 }]);
    expect(new Set(one.receiver.got.map(({ body }) => body)).size).toBe(1);
    expect(one.receiver.got).toHaveLength(2);
  });

  test('that is restored while a delivery is under way hears nothing of its end', async () => {
    const one = setup();
    await one.api.put('/_sandbox/snapshots/s');
    const end = await begun(one);
    await one.api.post('/_sandbox/snapshots/s/restore');
    await end({ status: 200 });
    expect(await logOf(one.api)).toEqual([]);
  });

  test('keeps when a retry is due, and the counts of policies', async () => {
    const one = setup();
    const policies = [{ when: { nth: 2 }, then: { drop: true } }];
    await one.api.play({ name: 'p', webhooks: { policies } });
    one.receiver.answer = () => ({ status: 500 });
    await one.api.charge(charge());
    await settle(one.api);
    await one.api.put('/_sandbox/snapshots/s');
    await one.api.advance('1h');
    await one.api.post('/_sandbox/snapshots/s/restore');
    expect(await logOf(one.api)).toMatchObject([{ NextAttemptAt: '2026-01-01T00:00:05.000Z', Attempt: 1 }]);
    await one.api.charge(charge());
    expect((await logOf(one.api))[0]).toMatchObject({ Status: 'withheld', Policy: 'webhook 1' });
  });
});

describe('the state of a world', () => {
  test('carries pending deliveries and subscriptions into a sandbox that never had any', async () => {
    const one = setup({ webhookSecret: SECRET });
    one.receiver.answer = () => ({ status: 500 });
    await subscribe(one.api, 'Transaction');
    await one.api.charge(charge({ Capture: false }), { 'x-sandbox-dialect': 'sdk' });
    await settle(one.api);
    const { text } = await one.api.get(STATE);
    const other = setup();
    expect((await other.api.put(STATE, text)).status).toBe(200);
    await other.api.advance('5s');
    expect(other.receiver.got.map(({ body, url, headers }) => [url, headers['authorization'], body])).toEqual(
      one.receiver.got.map(({ body, url, headers }) => [url, headers['authorization'], body]),
    );
    expect((await other.api.get('/webhook/subscription')).body).toMatchObject({ Count: 1 });
    await other.api.advance('7d');
    expect(other.receiver.got.at(-1)?.body).toContain('AUTHORISE_CANCELLED');
  });

  test('carries policies half-way through', async () => {
    const one = setup();
    const policies = [{ when: { nth: 2 }, then: { drop: true } }];
    await one.api.play({ name: 'p', webhooks: { policies } });
    await one.api.charge(charge());
    const document = JSON.parse((await one.api.get(STATE)).text) as { Script: { Policies: object[] } };
    const other = setup();
    expect((await other.api.put(STATE, document)).status).toBe(200);
    await other.api.charge(charge());
    expect((await logOf(other.api)).map(({ Status }) => Status)).toEqual(['withheld', 'pending']);
    document.Script.Policies = [];
    expect(expectRefused(await other.api.put(STATE, document), 400, 90)).toContain('1 policies');
  });

  test('is read as an earlier version wrote it, with a dialect for each webhook', async () => {
    const one = setup();
    await subscribe(one.api, 'Transaction');
    await one.api.play({ name: 'p', webhooks: { policies: [{ then: { delay: '1h' } }] } });
    await one.api.charge(charge());
    const { text } = await one.api.get(STATE);
    const former = text
      .replaceAll('"Authorization":', '"Dialect":"documented","Authorization":')
      .replaceAll('"BadSignature":', '"StaleMs":0,"BadSignature":');
    expect(former.length).toBeGreaterThan(text.length + 60);
    const other = setup();
    await good(other.api.put(STATE, former));
    expect(await logOf(other.api)).toMatchObject([{ Status: 'pending' }, { Status: 'pending' }]);
    expect((await other.api.get(STATE)).text).not.toContain('StaleMs');
  });

  test('is read as a version without 3-D Secure wrote it, without a list of authentications', async () => {
    const one = setup();
    await one.api.charge(charge());
    const { Authentications, ...former } = (await one.api.get(STATE)).body;
    expect(Authentications).toEqual([]);
    const other = setup();
    await good(other.api.put(STATE, former));
    expect((await other.api.get(STATE)).body).toMatchObject({
      Charges: former['Charges'],
      Authentications: [],
    });
  });

  test('is the same text after a round trip', async () => {
    const { api } = setup();
    await subscribe(api, 'Transaction', 'Batch');
    await api.charge(charge());
    await settle(api);
    const { text } = await api.get(STATE);
    await good(api.put(STATE, text));
    const count = (document: string): string => document.replace(/("Name":"controls","Count":)\d+/, '$1_');
    expect(count((await api.get(STATE)).text)).toBe(count(text));
  });

  test.each([
    ['an address that is none', { Url: 'x' }, 'Deliveries.0.Url'],
    ['a status that is none', { Status: 'lost' }, 'Deliveries.0.Status'],
    ['an event that is none', { EventType: 'x' }, 'Deliveries.0.EventType'],
    ['an entry of a journal', { Entry: 1 }, 'Deliveries.0.Entry'],
    ['a body that is no JSON', { Body: 'x' }, 'Deliveries.0.Body'],
    ['a body that is no object', { Body: '[]' }, 'Deliveries.0.Body'],
  ])('is refused with %s', async (_, more, place) => {
    const { api } = setup();
    await api.charge(charge());
    const document = JSON.parse((await api.get(STATE)).text) as { Deliveries: object[] };
    document.Deliveries[0] = { ...document.Deliveries[0], ...more };
    const refused = await api.put(STATE, document);
    expectRefused(refused, 400, 90, place);
  });

  test('forks to another key, whose deliveries are its own', async () => {
    const { api, sandbox, receiver } = setup();
    await api.charge(charge());
    const fork = client(sandbox, 'sk_test_fork');
    await fork.put(STATE, (await api.get(STATE)).text);
    await settle(fork);
    await settle(api);
    expect(receiver.got.map(({ body }) => body)).toEqual([receiver.got[0]?.body, receiver.got[0]?.body]);
    await fork.post('/_sandbox/reset');
    expect(await logOf(fork)).toEqual([]);
    expect(await logOf(api)).toHaveLength(1);
  });
});

describe('the log', () => {
  test('drops what ended first when it is full, and counts what it dropped', async () => {
    const { api, receiver, sandbox } = setup();
    receiver.answer = ({ body }) => ({ status: body.includes('"reference":"good"') ? 200 : 500 });
    await api.charge(charge({ Reference: 'good' }));
    await api.charge(charge({ Reference: 'bad' }));
    await settle(api);
    const world = sandbox.worlds.open('sk_test_a');
    const first = world.deliveries.at(1);
    if (first === undefined) throw new Error('There is no second delivery');
    while (world.deliveries.size < DELIVERIES_MAX) world.webhooks.resend(first);
    await api.charge(charge());
    expect(await api.read(`${LOG}?Limit=1`)).toMatchObject({ Count: DELIVERIES_MAX, Evicted: 1, Lost: 0 });
    await api.charge(charge());
    expect(await api.read(`${LOG}?Limit=1`)).toMatchObject({ Count: DELIVERIES_MAX, Evicted: 2, Lost: 1 });
    expect(world.deliveries.at(1)).toBeUndefined();
  });
});

test('two keys share no receiver, subscription or log', async () => {
  const { api, sandbox, receiver } = setup();
  const other = client(sandbox, 'sk_test_b');
  await subscribe(api, 'Transaction');
  await other.charge(charge({ Webhook: undefined }));
  await settle(other);
  expect(receiver.got).toEqual([]);
  await api.charge(charge({ Webhook: { Url: HOOK } }));
  await settle(api);
  expect(await logOf(other)).toEqual([]);
  expect(await logOf(api)).toHaveLength(2);
});
