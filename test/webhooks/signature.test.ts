import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import { charge, type Got, SECRET, settle, setup } from './support.js';

/** What a receiver gets of a charge. */
async function delivered(options: InnerSandboxOptions, dialect = 'documented'): Promise<Got> {
  const { api, receiver } = setup(options);
  await api.charge(charge({ Reference: 'Zoë' }), { 'x-sandbox-dialect': dialect });
  await settle(api);
  const [got] = receiver.got;
  if (got === undefined) throw new Error('Nothing was delivered');
  return got;
}

/** As receivers compute it, over the bytes that they got. */
const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(Buffer.from(body)).digest('base64');

describe('a signature', () => {
  test.each(['documented', 'sdk'])('in the %s dialect is over the raw body', async (dialect) => {
    const { body, headers } = await delivered({ webhookSecret: SECRET }, dialect);
    expect(body).toContain('"reference":"Zoë"');
    expect(headers).toMatchObject({
      'x-payfurl-version': '1.17.1.0',
      'x-payfurl-signature': signatureOf(body, SECRET),
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });

  test.each([
    Buffer.alloc(64, 9).toString('base64'),
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'x',
    'schlüssel 7',
  ])('is keyed with the text %s as it is', async (secret) => {
    const { body, headers } = await delivered({ webhookSecret: secret });
    expect(headers['x-payfurl-signature']).toBe(signatureOf(body, secret));
  });

  test('is the same at each attempt, since the body is', async () => {
    const { api, receiver, host } = setup({ webhookSecret: SECRET });
    receiver.answer = () => ({ status: receiver.got.length < 3 ? 500 : 200 });
    await api.charge(charge());
    await settle(api);
    host.wall += 60_000;
    await api.advance('1h');
    expect(receiver.got).toHaveLength(3);
    expect(new Set(receiver.got.map(({ headers }) => headers['x-payfurl-signature'])).size).toBe(1);
  });

  test('is keyed with the secret of a scenario where that has one', async () => {
    const { api, receiver } = setup({ webhookSecret: 'other' });
    await api.play({ name: 's', webhooks: { secret: SECRET } });
    await api.charge(charge());
    await settle(api);
    const [got] = receiver.got;
    expect(got?.headers['x-payfurl-signature']).toBe(signatureOf(got?.body ?? '', SECRET));
  });
});

test('without a secret the version is sent and nothing is signed', async () => {
  for (const dialect of ['documented', 'sdk']) {
    const { headers } = await delivered({ webhookSecret: null }, dialect);
    expect(Object.keys(headers).toSorted()).toEqual(['content-type', 'user-agent', 'x-payfurl-version']);
  }
});

test('a white label has its own prefix before the names of both headers', async () => {
  const { body, headers } = await delivered({ webhookSecret: SECRET, webhookHeaderPrefix: 'X-NeoDeos-' });
  expect(headers).toMatchObject({
    'x-neodeos-version': '1.17.1.0',
    'x-neodeos-signature': signatureOf(body, SECRET),
  });
  expect(Object.keys(headers).filter((name) => name.includes('payfurl'))).toEqual([]);
});
