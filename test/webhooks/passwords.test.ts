import { expect, test } from 'vitest';

import { Tally } from '../../src/node/exec/tally.js';
import { storing, textIn } from '../support/stored.js';
import { charge, LOG, settle, setup } from './support.js';

const PASSWORD = 's3cret';
const URL_GIVEN = `http://jo:${PASSWORD}@127.0.0.1:9999/hook`;
const URL_SHOWN = 'http://jo:***@127.0.0.1:9999/hook';

/** What shows deliveries, or the calls that named their receivers. */
const SHOWN = [
  LOG,
  '/_sandbox/journal',
  '/_sandbox/journal?Operation=charge.create',
  '/_sandbox/journal/export?Format=har',
  '/_sandbox/journal/export?Format=trace',
  '/_sandbox/world',
  '/_sandbox/records/charges',
];

test('a delivery uses the password of its URL, and nothing shows it but what gives the URL back', async () => {
  const { api, receiver } = setup();
  receiver.answer = ({ url }) => ({ failed: `nobody listens at ${url}` });
  const Webhook = { Url: URL_GIVEN };
  await api.charge(charge({ Webhook }));
  // As other writers of JSON spell it.
  await api.charge(JSON.stringify(charge({ Webhook })).replaceAll('/', '\\/'));
  const subscribed = await api.post('/webhook/subscription', { Types: ['subscription'], Url: URL_GIVEN });
  const id = textIn(subscribed, 'WebhookSubscriptionId');
  const method = await api.post('/payment_method/card', storing());
  const plan = { Amount: 5, Currency: 'AUD', Interval: 'Month', Frequency: 1, Webhook };
  const PaymentMethodId = textIn(method, 'PaymentMethodId');
  const subscription = await api.post('/subscription/payment_method', { ...plan, PaymentMethodId });
  await api.put(`/subscription/${textIn(subscription, 'SubscriptionId')}/status`, { Status: 'Suspended' });
  await settle(api);

  expect(receiver.got.length).toBeGreaterThan(2);
  expect(new Set(receiver.got.map(({ url }) => url))).toEqual(new Set([URL_GIVEN]));
  expect(receiver.got.map(({ body }) => body).join('\n')).not.toContain(PASSWORD);
  for (const path of SHOWN) {
    const { status, text } = await api.get(path);
    expect([path, status, text.includes(PASSWORD)]).toEqual([path, 200, false]);
  }
  expect((await api.get(LOG)).text).toContain(`nobody listens at ${URL_SHOWN}`);
  expect((await api.get('/_sandbox/journal')).text).toContain(URL_SHOWN);
  expect((await api.read(`/webhook/subscription/${id}`))['Url']).toBe(URL_GIVEN);
  expect(subscription.body['Webhook']).toMatchObject({ Url: URL_GIVEN });
});

test('no refusal and no warning shows it', async () => {
  const { api } = setup();
  const refused = await api.charge(charge({ Webhook: { Url: `http://jo:${PASSWORD}@example.com/` } }));
  const unknown = await api.charge(charge({ [URL_GIVEN]: 1, Webhook: { Url: URL_GIVEN } }));
  expect([refused.status, unknown.status]).toEqual([400, 201]);
  for (const { text, headers } of [refused, unknown]) {
    expect(text + (headers.get('x-sandbox-warning') ?? '')).not.toContain(PASSWORD);
  }
});

test('the summary of exec does not show it', async () => {
  const { api, receiver, sandbox } = setup();
  receiver.answer = () => ({ failed: 'nobody listens' });
  await api.charge(charge({ Webhook: { Url: URL_GIVEN } }));
  await settle(api);
  const tally = new Tally(sandbox.worlds, []);
  tally.finish(null);
  expect(tally.undelivered()).toEqual([`transaction.status.changed to ${URL_SHOWN}: nobody listens`]);
});
