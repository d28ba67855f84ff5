import { describe, expect, test } from 'vitest';

import { SUBSCRIPTIONS_MAX } from '../../src/records/webhook-subscription.js';
import { AN_ID, expectRefused, NOW, textIn } from '../support/stored.js';
import { HOOK, setup, subscribe } from './support.js';
import { good } from '../support/sandbox.js';

const PATH = '/webhook/subscription';

describe('POST /webhook/subscription', () => {
  test('stores a subscription, whose credentials are not shown again', async () => {
    const { api } = setup();
    const Types = ['Transaction', 'Batch'];
    const Url = 'https://example.com/h';
    const made = await good(api.post(PATH, { Types, Url, Authorization: 'Basic user:password' }));
    expect(made.body).toEqual({
      WebhookSubscriptionId: AN_ID,
      AccountId: AN_ID,
      Url,
      Authorization: 'Basic ********',
      Types,
      CreatedDate: NOW,
      DateRemoved: null,
    });
    expect(await api.read(`${PATH}/${textIn(made, 'WebhookSubscriptionId')}`)).toEqual(made.body);
  });

  test.each([
    [
      ['transaction', 'BATCH', 'customer', 'paymentMethod', 'subscription'],
      ['Transaction', 'Batch', 'Customer', 'PaymentMethod', 'Subscription'],
    ],
    [
      [0, 1, '4'],
      ['Transaction', 'Batch', 'PaymentMethod'],
    ],
    [['Batch', 'batch', 1], ['Batch']],
  ])('reads the types %j in any case, or as places of their list', async (Types, shown) => {
    const { api } = setup();
    expect((await api.post(PATH, { Types, Url: HOOK })).body['Types']).toEqual(shown);
  });

  test('takes a trailing slash, as client libraries send it', async () => {
    const { api } = setup();
    await good(api.post(`${PATH}/`, { Types: ['Batch'], Url: HOOK }));
    expect(await api.read(`${PATH}/`)).toMatchObject({ Count: 1 });
  });

  test.each<[string, object]>([
    ['Types', { Url: HOOK }],
    ['Types', { Types: [], Url: HOOK }],
    ['Types', { Types: 'Batch', Url: HOOK }],
    ['Types', { Types: ['Charge'], Url: HOOK }],
    ['Types', { Types: [5], Url: HOOK }],
    ['Types', { Types: [null], Url: HOOK }],
    ['Url', { Types: ['Batch'] }],
    ['Url', { Types: ['Batch'], Url: 'example.com' }],
    ['Url', { Types: ['Batch'], Url: 'http://example.com' }],
    ['Url', { Types: ['Batch'], Url: 'https://example.com:0' }],
    ['Url', { Types: ['Batch'], Url: 'http://10.0.0.1.example.com' }],
    ['Authorization', { Types: ['Batch'], Url: HOOK, Authorization: 'a\nb' }],
  ])('refuses a bad %s: %j', async (member, body) => {
    const { api } = setup();
    const refused = await api.post(PATH, body);
    expectRefused(refused, 400, 90, member);
    expect(await api.read(PATH)).toMatchObject({ Count: 0 });
  });

  test('takes no more than a world holds', async () => {
    const { api, sandbox } = setup();
    await subscribe(api, 'Batch');
    const { webhookSubscriptions } = sandbox.worlds.open('sk_test_a');
    const first = webhookSubscriptions.at(0);
    if (first === undefined) throw new Error('There is no subscription');
    while (webhookSubscriptions.live < SUBSCRIPTIONS_MAX) {
      webhookSubscriptions.add({ ...first, index: webhookSubscriptions.next });
    }
    expectRefused(await subscribe(api, 'Batch'), 409, 90);
    await api.del(`${PATH}/${first?.id}`);
    expect((await subscribe(api, 'Batch')).status).toBe(201);
  });
});

describe('GET /webhook/subscription', () => {
  test('finds by id, type and date, the newest first, and leaves removed ones out', async () => {
    const { api } = setup();
    const ids: string[] = [];
    for (const type of ['Batch', 'Transaction', 'Batch', 'Customer']) {
      ids.push(textIn(await subscribe(api, type), 'WebhookSubscriptionId'));
      await api.advance('1m');
    }
    await api.del(`${PATH}/${ids[3]}`);
    const found = async (query: string): Promise<unknown> => {
      const { body } = await api.get(`${PATH}?${query}`);
      expect(Object.keys(body)).toEqual(['Count', 'WebhookSubscriptions']);
      const list = body['WebhookSubscriptions'] as { WebhookSubscriptionId: string }[];
      return [body['Count'], list.map(({ WebhookSubscriptionId: id }) => ids.indexOf(id))];
    };
    expect(await found('')).toEqual([3, [2, 1, 0]]);
    expect(await found('Type=batch')).toEqual([2, [2, 0]]);
    expect(await found(`Id=${ids[1]}`)).toEqual([1, [1]]);
    expect(await found('Id=unknown')).toEqual([0, []]);
    expect(await found('SortBy=Date')).toEqual([3, [0, 1, 2]]);
    expect(await found('Sort=NONE')).toEqual([3, [2, 1, 0]]);
    expect(await found('Limit=1&Skip=1')).toEqual([3, [1]]);
    expect(await found('AddedAfter=2026-01-01T00:00:30Z&AddedBefore=2026-01-01T00:01:30Z')).toEqual([1, [1]]);
    expectRefused(await api.get(`${PATH}?Type=Charge`), 400, 90);
    expectRefused(await api.get(`${PATH}?Sort=Url`), 400, 90);
  });

  test('answers in the sdk dialect as client libraries read it', async () => {
    const { api } = setup();
    const sdk = { 'x-sandbox-dialect': 'sdk' };
    const body = { types: ['transaction'], url: HOOK, authorization: null };
    const made = (await api.post(PATH, body, sdk)).body;
    expect(made).toMatchObject({ ...body, types: ['Transaction'], dateRemoved: null });
    const found = await api.read(`${PATH}?type=Transaction&limit=5`, sdk);
    expect(found).toEqual({ count: 1, webhookSubscriptions: [made] });
  });
});

describe('DELETE /webhook/subscription/{id}', () => {
  test('answers the removed subscription, which stays readable; a second time is a 404', async () => {
    const { api } = setup();
    const id = textIn(await subscribe(api, 'Batch'), 'WebhookSubscriptionId');
    await api.advance('1m');
    const removed = await api.del(`${PATH}/${id}`);
    expect(removed.body).toMatchObject({
      WebhookSubscriptionId: id,
      DateRemoved: '2026-01-01T00:01:00.000Z',
    });
    expect(await api.read(`${PATH}/${id}`)).toEqual(removed.body);
    expect(expectRefused(await api.del(`${PATH}/${id}`), 404, 111)).toContain('was already removed');
  });

  test.each(['get', 'del'] as const)('of an unknown one: %s answers 404', async (call) => {
    const { api } = setup();
    expectRefused(await api[call](`${PATH}/unknown`), 404, call === 'get' ? 110 : 111);
  });
});

test('a path with another method says which are accepted', async () => {
  const { api } = setup();
  const refused = await api.put(PATH, {});
  expectRefused(refused, 405, 90);
  expect(refused.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
});
