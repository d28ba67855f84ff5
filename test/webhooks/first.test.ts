import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import type { Posted } from '../../src/core/post.js';
import { asking, client, good } from '../support/sandbox.js';
import { portOf, sandboxServed } from '../support/serving.js';
import { expectRefused, textIn } from '../support/stored.js';
import { charge, events, fire, HOOK, logOf, settle, setup, type Setup, subscribe, turns } from './support.js';

const FIRST = [{ then: { first: true } }];
const OTHER = 'http://127.0.0.1:8888/other';

/** A sandbox whose webhooks go first, and the order in which webhooks and answers come. */
async function playing(policies: readonly object[] = FIRST, rules: readonly object[] = []) {
  const one = setup();
  await good(one.api.play({ name: 'first', rules, webhooks: { policies } }));
  const order: string[] = [];
  one.receiver.answer = ({ body }) => {
    const { data } = JSON.parse(body) as { data: { reference: string } };
    order.push(`webhook ${data.reference}`);
    return { status: 204 };
  };
  const answered = async (Reference: string, more: object = {}, headers = {}): Promise<void> => {
    const how = await one.api.charge(charge({ Reference, ...more }), headers).then(
      ({ status }) => status,
      () => 'lost',
    );
    order.push(`${how} ${Reference}`);
  };
  return { ...one, order, answered };
}

/** Keeps each attempt open, and returns what ends them. */
function openAttempts({ receiver }: Setup): ((posted: Posted) => void)[] {
  const open: ((posted: Posted) => void)[] = [];
  receiver.answer = () => new Promise((resolve) => open.push(resolve));
  return open;
}

const isSettled = async (one: Setup, under: Promise<unknown>): Promise<boolean> => {
  let isOver = false;
  void under.then(() => (isOver = true));
  await turns(one.host, 10);
  return isOver;
};

describe('a webhook that goes first', () => {
  test('comes before the answer, in each of 100 charges', async () => {
    const { order, answered } = await playing();
    for (let n = 0; n < 100; n++) await answered(`${n}`);
    expect(order).toEqual(Array.from({ length: 100 }, (_, n) => [`webhook ${n}`, `201 ${n}`]).flat());
  });

  test('comes before the answer over HTTP, in each of 100 charges', async () => {
    const order: string[] = [];
    const server = createServer((request, response) => {
      order.push(`webhook ${request.headers['authorization']}`);
      response.writeHead(204).end();
    });
    const Url = `http://127.0.0.1:${await portOf(server)}/hook`;
    const { sandbox, url } = await sandboxServed({ clock: { mode: 'real' } });
    await good(client(sandbox).play({ name: 'first', webhooks: { policies: FIRST } }));
    for (let n = 0; n < 100; n++) {
      const body = JSON.stringify(charge({ Webhook: { Url, Authorization: `${n}` } }));
      const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/charge/card`, { method: 'POST', headers, body });
      order.push(`${status} ${n}`);
    }
    expect(order).toEqual(Array.from({ length: 100 }, (_, n) => [`webhook ${n}`, `201 ${n}`]).flat());
  });

  test.each([
    ['a refusal', {}, asking('do_not_honor'), '400 a'],
    ['an answer with a delay', {}, asking('approve, delay=5s'), '201 a'],
    ['a lost answer', {}, { 'x-sandbox-fault': 'reset; phase=after' }, 'lost a'],
  ])('comes before %s', async (_, more, headers, answer) => {
    const { order, answered } = await playing();
    await answered('a', more, headers);
    expect(order).toEqual(['webhook a', answer]);
  });

  test('is in the log with the call that caused it, and is tried again if it fails', async () => {
    const { api, receiver } = await playing();
    receiver.answer = () => ({ status: 500 });
    await good(api.charge(charge()));
    expect(await logOf(api)).toMatchObject([
      { Status: 'pending', Attempt: 1, ResponseStatus: 500, Policy: 'webhook 1', EntryId: 1 },
    ]);
    receiver.answer = () => ({ status: 204 });
    await api.advance('5s');
    expect(await logOf(api)).toMatchObject([{ Status: 'delivered', Attempt: 2 }]);
  });

  test('leaves the webhooks that do not go first after the answer', async () => {
    const one = await playing([{ when: { url: OTHER }, then: { first: true } }]);
    const { api, receiver } = one;
    await subscribe(api, 'Transaction');
    const open = openAttempts(one);
    const under = api.charge(charge({ Webhook: { Url: OTHER } }));
    while (open.length === 0) await one.host.pause();
    await api.get('/charge');
    await turns(one.host, 10);
    expect(receiver.got.map(({ url }) => url)).toEqual([OTHER]);
    open[0]?.({ status: 204 });
    await good(under);
    receiver.answer = () => ({ status: 204 });
    await settle(api);
    expect(receiver.got.map(({ url }) => url)).toEqual([OTHER, HOOK]);
  });

  test('is sent as usual if no call caused it', async () => {
    const one = await playing([{ when: { status: 'AUTHORISE_CANCELLED' }, then: { first: true } }]);
    await good(one.api.charge(charge({ Capture: false })));
    await one.api.advance('8d');
    expect(events(one.receiver).at(-1)).toBe('transaction.status.changed AUTHORISE_CANCELLED');
  });

  test('is not waited for if it is withheld', async () => {
    const one = setup({ webhooks: 'off' });
    await one.api.play({ name: 'first', webhooks: { policies: FIRST } });
    await good(one.api.charge(charge()));
    expect(await logOf(one.api)).toMatchObject([{ Status: 'withheld' }]);
  });

  test('brings its copies along', async () => {
    const { order, answered } = await playing([{ then: { first: true, duplicate: 2 } }]);
    await answered('a');
    expect(order).toEqual(['webhook a', 'webhook a', 'webhook a', '201 a']);
  });
});

describe('a receiver of a webhook that goes first', () => {
  test('finds what it reports, and can go on with it', async () => {
    const { api, receiver, order } = await playing([{ when: { nth: 1 }, then: { first: true } }]);
    receiver.answer = async ({ body }) => {
      const { data } = JSON.parse(body) as { data: { chargeId: string } };
      order.push(textIn(await api.get(`/charge/${data.chargeId}`), 'Status'));
      order.push(textIn(await api.post(`/charge/${data.chargeId}`, { Amount: 5 }), 'Status'));
      return { status: 204 };
    };
    order.push(textIn(await api.charge(charge({ Capture: false })), 'Status'));
    expect(order).toEqual(['Authorised', 'SUCCESS', 'Authorised']);
  });

  test('that is dead holds the answer for two seconds, and no other call', async () => {
    const one = await playing([{ when: { reference: 'held' }, then: { first: true } }]);
    const { api, host, sandbox } = one;
    openAttempts(one);
    const under = api.charge(charge({ Reference: 'held' }));
    expect(await isSettled(one, under)).toBe(false);
    await good(api.charge(charge()));
    await good(client(sandbox, 'sk_test_b').charge(charge({ Reference: 'held' })));
    expect(await isSettled(one, under)).toBe(false);
    await fire(host, 2_000);
    expect((await under).status).toBe(201);
    expect((await logOf(api)).at(-1)).toMatchObject({ Status: 'pending', Attempt: 0 });
  });

  test('is waited for no longer when the world is reset or restored: 503', async () => {
    for (const path of ['/_sandbox/reset', '/_sandbox/snapshots/s/restore']) {
      const one = await playing();
      const open = openAttempts(one);
      const under = one.api.charge(charge());
      while (open.length === 0) await one.host.pause();
      await one.api.put('/_sandbox/snapshots/s');
      one.receiver.answer = () => ({ status: 204 });
      await good(one.api.post(path));
      expectRefused(await under, 503, 37);
      await settle(one.api);
      const log = (await logOf(one.api)).map(({ Status, Attempt }) => [Status, Attempt]);
      expect(log).toEqual(path.endsWith('reset') ? [] : [['delivered', 1]]);
    }
  });
});
