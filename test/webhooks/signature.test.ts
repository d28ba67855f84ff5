import { createHmac } from 'node:crypto';

import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';

import { isWebhookSecret } from '../../src/core/webhook-secret.js';
import { charge, type Got, SECRET, settle, setup } from './support.js';

/** Signed at the hour of this machine, which the oracle compares with. */
async function signed(dialect: string, secret = SECRET): Promise<Got> {
  const one = setup({ webhookSecret: secret });
  one.host.wall = Date.now();
  await one.api.charge(charge({ Reference: 'Zoë' }), { 'x-sandbox-dialect': dialect });
  await settle(one.api);
  const [got] = one.receiver.got;
  if (got === undefined) throw new Error('Nothing was delivered');
  return got;
}

describe('the documented dialect', () => {
  test('signs as Standard Webhooks say, which their own library verifies', async () => {
    const { body, headers, message } = await signed('documented');
    expect(new Webhook(SECRET).verify(body, { ...headers })).toEqual(message);
    expect(headers['webhook-id']).toBe(message.Meta.MessageId);
  });

  test('takes a secret without its prefix as the same secret', async () => {
    const { body, headers, message } = await signed('documented', SECRET.slice('whsec_'.length));
    expect(new Webhook(SECRET).verify(body, { ...headers })).toEqual(message);
  });

  test('does not verify with another secret, nor after a change of the body', async () => {
    const { body, headers } = await signed('documented');
    const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect(() => new Webhook(other).verify(body, { ...headers })).toThrow('No matching signature found');
    expect(() => new Webhook(SECRET).verify(`${body} `, { ...headers })).toThrow(
      'No matching signature found',
    );
  });

  test('signs each attempt at its own time, by the wall clock, with the MessageId of the event', async () => {
    const { api, receiver, host } = setup({ webhookSecret: SECRET });
    receiver.answer = () => ({ status: receiver.got.length < 3 ? 500 : 200 });
    await api.charge(charge());
    await settle(api);
    host.wall += 60_000;
    await api.advance('1h');
    const { got } = receiver;
    const times = got.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 60, 60]);
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('the sdk dialect', () => {
  test.each([SECRET, Buffer.alloc(32, 9).toString('base64'), Buffer.alloc(64, 9).toString('base64')])(
    'signs the raw body with the text of the secret %s as it is',
    async (secret) => {
      const { body, headers } = await signed('sdk', secret);
      const expected = createHmac('sha256', secret).update(body, 'utf8').digest('base64');
      expect(headers['x-payfurl-signature']).toBe(expected);
      expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    },
  );
});

test('without a secret nothing is signed', async () => {
  const { api, receiver } = setup();
  await api.charge(charge());
  await api.charge(charge(), { 'x-sandbox-dialect': 'sdk' });
  await settle(api);
  const names = receiver.got.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => /webhook-|signature/.test(name))).toEqual([]);
});

test('a scenario gives a secret of its own', async () => {
  const { api, receiver } = setup();
  await api.play({ name: 's', webhooks: { secret: SECRET } });
  await api.charge(charge());
  await settle(api);
  expect(receiver.got[0]?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
});

test.each([
  [SECRET, true],
  [SECRET.slice(6), true],
  [Buffer.alloc(64).toString('base64'), true],
  [Buffer.alloc(23).toString('base64'), false],
  [Buffer.alloc(67).toString('base64'), false],
  ['whsec_', false],
  ['', false],
  ['secret', false],
  [`${SECRET}=`, false],
  [`whsec_${SECRET}`, false],
])('%s is a secret: %s', (text, expected) => {
  expect(isWebhookSecret(text)).toBe(expected);
});
