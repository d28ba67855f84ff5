import assert from 'node:assert/strict';

import { sweep } from 'playmoney';

import { createTest, expect } from './runner.js';
import { keepRecords, SECRET } from './support.js';

const signed = createTest({ webhookSecret: SECRET });
const inSdk = createTest({ dialect: 'sdk', clock: { mode: 'manual', start: '2030-01-01T00:00:00Z' } });

/** @type {(place: { fetch(path: string, init: RequestInit): Promise<Response> }, body: object) => Promise<Response>} */
const charge = (place, body) =>
  place.fetch('/charge/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Amount: 5, Token: 'tok_approve', ...body }),
  });

signed('a test has a receiver of its own', async ({ sandbox, receiver }) => {
  await charge(sandbox, { Reference: 'order-1', Webhook: { Url: receiver.url } });
  const { data } = await receiver.next('transaction.status.changed');
  assert.equal(data.reference, 'order-1');
  assert.deepEqual(receiver.refused, []);
  await expect(sandbox).not.toHaveDelivered('batch.status.changed');
  await keepRecords('receiver', sandbox);
});

inSdk('a test with other options has a world of its own', async ({ sandbox }) => {
  const answer = await fetch(`${sandbox.url}/charge`, { headers: { 'x-secretkey': sandbox.key } });
  assert.equal(JSON.parse(await answer.text()).count, 0);
  assert.equal(await sandbox.clock.now(), '2030-01-01T00:00:00.000Z');
  await keepRecords('options', sandbox);
});

signed('a test sweeps', async ({ sandbox }) => {
  const once = await sweep(async (run) => void (await charge(run, {})), { faults: ['limited'] });
  expect(once).toBeSafe();
  const twice = await sweep(
    async (run) => {
      await charge(run, {}).catch(() => charge(run, {}));
    },
    { faults: ['lost'] },
  );
  expect(twice).not.toBeSafe();
  await keepRecords('sweep', sandbox);
});
