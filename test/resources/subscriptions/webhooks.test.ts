import { describe, expect, test } from 'vitest';

import type { Client } from '../../support/sandbox.js';
import { textIn } from '../../support/stored.js';
import { events, HOOK, logOf, sent, settle, setup } from '../../webhooks/support.js';
import { monthly, NO_FUNDS, storedMethod, subscribed } from './support.js';
import { good, warningOf } from '../../support/sandbox.js';

const Webhook = { Url: HOOK, Authorization: 'Basic own' };

/** A subscription that begins in a day, and the receivers of its webhooks. */
async function subscribe(more: object = {}, card?: string) {
  const { api, receiver, sandbox } = setup();
  const method = await storedMethod(api, card);
  const terms = monthly(method, { StartDate: '2026-01-02T00:00:00Z', Webhook, ...more });
  return { api, receiver, sandbox, method, path: await subscribed(api, terms) };
}

const setStatus = (api: Client, path: string, Status: string) => api.put(`${path}/status`, { Status });

describe('the webhook of a subscription', () => {
  test('is sent for each change of its status, with the body of a read but without credentials', async () => {
    const { api, receiver, path } = await subscribe();
    await settle(api);
    expect(receiver.got).toEqual([]);
    await setStatus(api, path, 'Suspended');
    await settle(api);
    const [{ message, headers } = { message: null, headers: {} }] = receiver.got;
    expect(headers).toMatchObject({ authorization: 'Basic own' });
    expect(message?.meta).toMatchObject({ type: 'subscription', eventType: 'subscription.status.changed' });
    const read = await api.read(path);
    expect(read).toMatchObject({ Webhook: { Authorization: 'Basic own' } });
    expect(message?.data).toEqual(sent({ ...read, Webhook: { Url: HOOK } }));
    await setStatus(api, path, 'Active');
    await api.del(path);
    await settle(api);
    expect(events(receiver)).toEqual([
      'subscription.status.changed Suspended',
      'subscription.status.changed Active',
      'subscription.status.changed Cancelled',
    ]);
    expect(await logOf(api)).toMatchObject([{ Ref: path.split('/')[2] }, {}, {}]);
  });

  test('is sent for its charges, each at its instant, and for its end', async () => {
    const { api, receiver, path } = await subscribe({ EndAfter: { Count: 2 } });
    const answer = await api.advance('90d');
    expect(answer.body['Deliveries']).toBe(3);
    expect(events(receiver)).toEqual([
      'transaction.status.changed SUCCESS',
      'transaction.status.changed SUCCESS',
      'subscription.status.changed Complete',
    ]);
    const subscriptionId = path.split('/')[2];
    expect(receiver.got.map(({ message }) => message.meta.timestamp.slice(0, 10))).toEqual([
      '2026-01-02',
      '2026-02-02',
      '2026-02-02',
    ]);
    for (const { message } of receiver.got) expect(message.data).toMatchObject({ subscriptionId });
  });

  test('is sent for declined charges, also if no provider was asked', async () => {
    const declined = await subscribe({ Retry: { Maximum: 1, Interval: 'Day' } }, NO_FUNDS);
    await declined.api.advance('3d');
    const failed = 'transaction.status.changed FAILED';
    expect(events(declined.receiver)).toEqual([failed, failed]);
    const removed = await subscribe();
    await removed.api.del(`/payment_method/${removed.method}`);
    await removed.api.advance('3d');
    expect(events(removed.receiver)).toEqual([failed]);
    expect(removed.receiver.got[0]?.message.data).toMatchObject({
      failedAttempts: [{ errorMessage: 'Invalid PaymentMethodId (removed)' }],
    });
  });

  test('is not sent if no status changes: a change of terms, a refused one', async () => {
    const { api, receiver, path } = await subscribe();
    const terms = { Amount: 5, Currency: 'AUD', Interval: 'Month', Webhook };
    await good(api.put(path, terms));
    expect((await setStatus(api, path, 'Active')).status).toBe(409);
    await settle(api);
    expect(receiver.got).toEqual([]);
  });

  test('can be changed, or removed', async () => {
    const { api, receiver, path } = await subscribe();
    const terms = { Amount: 5, Currency: 'AUD', Interval: 'Day' };
    const other = `${HOOK}/other`;
    await api.put(path, { ...terms, Webhook: { Url: other } });
    await api.advance('1d');
    expect(receiver.got.map(({ url }) => url)).toEqual([other]);
    await api.put(path, terms);
    await api.advance('1d');
    expect(receiver.got).toHaveLength(1);
  });

  test('is sent the same form whatever the dialect of the request that named it', async () => {
    const { api, receiver } = setup();
    const method = await storedMethod(api);
    const terms = monthly(method, { Interval: 'Day', EndAfter: { Count: 1 }, Webhook: { Url: HOOK } });
    const made = await api.post('/subscription/payment_method', terms, { 'x-sandbox-dialect': 'sdk' });
    expect(warningOf(made)).toContain('Webhook.Url uses http');
    await api.advance('1d');
    const [charge, end] = receiver.got.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(charge).toMatchObject({
      data: { subscriptionId: made.body['subscriptionId'], status: 'SUCCESS' },
    });
    expect(end).toMatchObject({ data: { status: 'Complete', webhook: { url: HOOK } } });
    expect(end?.['data']).not.toHaveProperty('retry');
  });

  test('continues from a document in a sandbox that had no receiver before', async () => {
    const { api } = await subscribe({ Interval: 'Day' });
    const { text } = await api.get('/_sandbox/state');
    const other = setup();
    expect((await other.api.put('/_sandbox/state', text)).status).toBe(200);
    await other.api.advance('1d');
    expect(events(other.receiver)).toEqual(['transaction.status.changed SUCCESS']);
  });
});

describe('a subscription to events', () => {
  test('of the type Subscription gets every one, without the credentials of its own webhook', async () => {
    const { api, receiver, path } = await subscribe({ Webhook: undefined });
    const Authorization = 'Bearer all';
    await api.post('/webhook/subscription', { Types: ['Subscription'], Url: HOOK, Authorization });
    await api.put(path, { Amount: 5, Currency: 'AUD', Interval: 'Day', Webhook });
    await setStatus(api, path, 'Suspended');
    await settle(api);
    expect(receiver.got.map(({ headers }) => headers['authorization'])).toEqual(['Basic own', 'Bearer all']);
    for (const { body } of receiver.got) expect(body).not.toContain('Basic own');
    expect(textIn(await api.get(path), 'Webhook', 'Authorization')).toBe('Basic own');
  });
});
