import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { Post } from '../../src/core/post.js';
import { asking, good } from '../support/sandbox.js';
import { storing, textIn } from '../support/stored.js';
import { charge, logOf, SECRET, sendBatch, settle, setup, type Setup, subscribe } from './support.js';

/** A sandbox that plays policies for webhooks. */
async function playing(policies: readonly object[], more: object = {}): Promise<Setup> {
  const one = setup();
  one.host.wall = Date.now();
  const put = await one.api.play({ name: 'trouble', webhooks: { secret: SECRET, policies, ...more } });
  expect(put.status, put.text).toBe(200);
  return one;
}

const charged = async ({ api }: Setup, ...references: string[]): Promise<void> => {
  for (const Reference of references) await api.charge(charge({ Reference }));
};

/** Charges, and waits until what is told of it has arrived. */
const settled = async (one: Setup, ...references: string[]): Promise<void> => {
  await charged(one, ...references);
  await settle(one.api);
};

const references = ({ receiver }: Setup): unknown[] =>
  receiver.got.map(({ message }) => message.data['reference']);

/** Whether a receiver that knows the secret takes it. */
function isSigned(got: Post | undefined): boolean {
  const signature = createHmac('sha256', SECRET)
    .update(got?.body ?? '')
    .digest('base64');
  return got?.headers['x-payfurl-signature'] === signature;
}

describe('a policy', () => {
  test('duplicates a webhook, with the same MessageId and body', async () => {
    const one = await playing([{ then: { duplicate: 2 }, times: 1 }]);
    await settled(one, 'a', 'b');
    expect(references(one)).toEqual(['a', 'a', 'a', 'b']);
    expect(new Set(one.receiver.got.map(({ body }) => body)).size).toBe(2);
    const [other, ...copies] = (await logOf(one.api)).map(({ Policy }) => Policy);
    expect([other, copies]).toEqual([null, Array.from({ length: 3 }, () => 'webhook 1')]);
  });

  test("delays a webhook on the world's clock", async () => {
    const one = await playing([{ when: { reference: 'late-*' }, then: { delay: '5m' } }]);
    await settled(one, 'late-1', 'b');
    expect(references(one)).toEqual(['b']);
    await one.api.advance('299999ms');
    expect(references(one)).toEqual(['b']);
    await one.api.advance('1ms');
    expect(references(one)).toEqual(['b', 'late-1']);
  });

  test('swaps a webhook with the next one to its receiver', async () => {
    const one = await playing([{ when: { nth: 1 }, then: { swap: true } }]);
    await settled(one, 'a');
    expect(references(one)).toEqual([]);
    await settled(one, 'b', 'c');
    expect(references(one)).toEqual(['b', 'a', 'c']);
  });

  test('swaps pairs when it acts on all, and sends the last one alone after a minute', async () => {
    const one = await playing([{ then: { swap: true } }]);
    await settled(one, 'a', 'b', 'c', 'd', 'e');
    expect(references(one)).toEqual(['b', 'a', 'd', 'c']);
    await one.api.advance('1m');
    expect(references(one)).toEqual(['b', 'a', 'd', 'c', 'e']);
    await settled(one, 'f', 'g');
    expect(references(one).slice(5)).toEqual(['g', 'f']);
  });

  test('keeps what is to be swapped over a restore', async () => {
    const one = await playing([{ when: { nth: 1 }, then: { swap: true } }]);
    await charged(one, 'a');
    await one.api.put('/_sandbox/snapshots/s');
    await one.api.post('/_sandbox/snapshots/s/restore');
    await settled(one, 'b');
    expect(references(one)).toEqual(['b', 'a']);
  });

  test('drops a webhook, and the log says so', async () => {
    const one = await playing([{ name: 'lost', when: { nth: [2] }, then: { drop: true } }]);
    await settled(one, 'a', 'b', 'c');
    await one.api.advance('7d');
    expect(references(one)).toEqual(['a', 'c']);
    expect((await logOf(one.api))[1]).toMatchObject({
      Status: 'withheld',
      Note: 'dropped by the scenario: lost',
      Policy: 'lost',
    });
  });

  test('signs the first attempt wrongly, and a retry as it must be', async () => {
    const one = await playing([{ then: { badSignature: 'once' } }]);
    one.receiver.answer = (post) => ({ status: isSigned(post) ? 204 : 401 });
    await settled(one, 'a');
    await one.api.advance('5s');
    await settle(one.api);
    expect(one.receiver.got.map(isSigned)).toEqual([false, true]);
    expect((await logOf(one.api))[0]).toMatchObject({
      Status: 'delivered',
      Attempts: [{ Status: 'failed' }, {}],
    });
  });

  test('signs another text, which no receiver verifies', async () => {
    const one = await playing([{ when: { every: 2 }, then: { badSignature: true } }]);
    await settled(one, 'a', 'b');
    const [right, wrong] = one.receiver.got;
    expect([isSigned(right), isSigned(wrong)]).toEqual([true, false]);
    expect(wrong?.headers['x-payfurl-signature']).toMatch(/^[A-Za-z\d+/]{43}=$/);
  });

  test.each(['documented', 'sdk'])(
    'forges a success of a charge that was declined, in %s',
    async (dialect) => {
      const one = await playing([
        { when: { status: 'FAILED' }, then: { forged: true, delay: '1m', duplicate: 1 } },
      ]);
      const headers = { ...asking('do_not_honor'), 'x-sandbox-dialect': dialect };
      const refused = await one.api.charge(charge(), headers);
      expect(refused.status).toBe(400);
      await settle(one.api);
      expect(one.receiver.got).toEqual([]);
      await one.api.advance('1m');
      const told = one.receiver.got.map((got) => [got.message.data['status'], isSigned(got)]);
      expect(told).toEqual([
        ['SUCCESS', false],
        ['SUCCESS', false],
      ]);
      const [{ ChargeId: id } = {}] = (await one.api.read('/charge'))['Charges'] as { ChargeId: string }[];
      expect(await one.api.read(`/charge/${id}`)).toMatchObject({ Status: 'FAILED' });
    },
  );

  test('forges a webhook without a status by its signature alone, also when it is tried again', async () => {
    const one = await playing([{ then: { forged: true, first: true } }]);
    await subscribe(one.api, 'Customer');
    one.receiver.answer = () => ({ status: 401 });
    await good(one.api.post('/customer/card', storing()));
    await one.api.advance('5s');
    expect(one.receiver.got.map(isSigned)).toEqual([false, false]);
    expect(one.receiver.got[0]?.message.data).not.toHaveProperty('status');
  });

  test('combines with others: each copy is late and badly signed', async () => {
    const one = await playing([
      { then: { delay: '10m', duplicate: 1, badSignature: true, staleTimestamp: '1h' }, times: 1 },
    ]);
    await settled(one, 'a', 'b');
    await one.api.advance('10m');
    expect(one.receiver.got.map((got) => [got.message.data['reference'], isSigned(got)])).toEqual([
      ['b', true],
      ['a', false],
      ['a', false],
    ]);
    expect(one.receiver.got[1]?.message.meta.timestamp).toBe('2025-12-31T23:00:00.000Z');
  });

  test('selects the n-th webhook of those that meet its other conditions', async () => {
    const when = { event: 'transaction.*', reference: 'b-*', nth: 2 };
    const one = await playing([{ name: 'second b', when, then: { drop: true } }]);
    await settled(one, 'a-1', 'b-1', 'a-2');
    expect(await one.api.read('/_sandbox/scenario/unmatched')).toEqual({ Rules: ['second b'] });
    await settled(one, 'b-2', 'b-3');
    expect(references(one)).toEqual(['a-1', 'b-1', 'a-2', 'b-3']);
    expect(await one.api.read('/_sandbox/scenario/unmatched')).toEqual({ Rules: [] });
  });

  test('makes the timestamp of a message stale, and signs it well', async () => {
    const one = await playing([{ then: { staleTimestamp: '10m' } }]);
    await settled(one, 'a');
    const [got] = one.receiver.got;
    expect(isSigned(got)).toBe(true);
    expect(got?.message.meta.timestamp).toBe('2025-12-31T23:50:00.000Z');
  });

  test.each([
    [{ event: 'batch.*' }, ['CREATED', 'IN_PROGRESS', 'SUCCESS']],
    [{ event: 'batch.status.changed', status: 'SUCCESS' }, ['SUCCESS']],
    [{ event: ['batch.*', 'transaction.*'], after: 1 }, ['SUCCESS', 'CREATED', 'IN_PROGRESS', 'SUCCESS']],
    [{ url: 'http://elsewhere/*' }, []],
    [{ event: 'customer.created' }, []],
  ])('acts when %j', async (when, statuses) => {
    const one = await playing([{ when, then: { drop: true } }]);
    await charged(one, 'a');
    await sendBatch(one.api, 1);
    await one.api.charge(charge({ Reference: 'b' }));
    await one.api.advance('1m');
    const dropped = await logOf(one.api, '?Status=withheld');
    const reported = dropped.map(({ Body }) => (Body as { data: { status: string } }).data.status);
    expect(reported.toSorted()).toEqual([...statuses].toSorted());
  });

  test('is counted with the rules, and named while it never matched', async () => {
    const one = await playing([
      { name: 'never', when: { reference: 'x' }, then: { drop: true } },
      { name: 'once', then: { drop: true }, times: 1 },
    ]);
    await charged(one, 'a', 'b');
    expect(await one.api.read('/_sandbox/scenario')).toMatchObject({
      Rules: [
        { Rule: 'never', Matched: 0 },
        { Rule: 'once', Matched: 1 },
      ],
    });
    expect(await one.api.read('/_sandbox/scenario/unmatched')).toEqual({ Rules: ['never'] });
  });

  test('does nothing to a retry, nor to what is sent again by hand', async () => {
    const one = await playing([{ then: { badSignature: true }, times: 1 }]);
    await settled(one, 'a');
    const id = String((await logOf(one.api))[0]?.['DeliveryId']);
    await one.api.post(`/_sandbox/webhooks/${id}/resend`);
    await settle(one.api);
    const [, again] = one.receiver.got;
    expect(isSigned(again)).toBe(true);
  });

  test('acts on each receiver of an event by itself', async () => {
    const one = await playing([{ when: { nth: 1 }, then: { drop: true } }]);
    await subscribe(one.api, 'Transaction');
    await settled(one, 'a');
    expect(one.receiver.got.map(({ headers }) => headers['authorization'])).toEqual(['Bearer s']);
  });
});

describe('a switch of scenario', () => {
  test('ends its policies, and leaves what waits', async () => {
    const one = await playing([{ then: { delay: '1h' } }]);
    await charged(one, 'a');
    await one.api.del('/_sandbox/scenario');
    await settled(one, 'b');
    expect(references(one)).toEqual(['b']);
    await one.api.advance('1h');
    expect(references(one)).toEqual(['b', 'a']);
    expect(textIn({ ...(await one.api.get('/_sandbox/clock')) }, 'Now')).toBe('2026-01-01T01:00:00.000Z');
  });
});
