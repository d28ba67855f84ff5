import { describe, expect } from 'vitest';

import { type Client, good } from '../../support/sandbox.js';
import { batchOf, STEADY, storing, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';
import { changed } from './support.js';

const STATE = '/_sandbox/state';

/** A refunded and transferred charge, a captured part of an authorisation, a token, a webhook, a subscription, and half of a batch. */
async function fill(api: Client): Promise<string> {
  const id = textIn(await good(api.charge(storing({ Amount: 20 }))), 'ChargeId');
  await good(api.del(`/refund/${id}?Amount=5`));
  const Transfers = [6, 4].map((Amount) => ({ Account: 'a', Amount, Currency: 'AUD' }));
  await good(api.post('/transfer', { GroupReference: 'g', ProviderId: STEADY, ChargeId: id, Transfers }));
  const Webhook = { Url: 'https://example.com' };
  const authorised = await good(api.charge(storing({ Amount: 20, Capture: false, Webhook })));
  await good(api.post(`/charge/${textIn(authorised, 'ChargeId')}`, { Amount: 8 }));
  await good(api.post('/_sandbox/tokens', storing()));
  const method = textIn(await good(api.post('/payment_method/card', storing())), 'PaymentMethodId');
  const subscription = { PaymentMethodId: method, Amount: 7, Currency: 'AUD', Interval: 'Month' };
  await good(api.post('/subscription/payment_method', subscription));
  const rows = [`${method},7,AUD,a`, 'unknown,8,AUD,b', `${method},9.50,USD,c`, `${method},1,AUD,d`];
  await good(api.post('/batch/transaction/payment_method', batchOf(rows)));
  await api.advance('2250ms');
  return (await good(api.get(STATE))).text;
}

/** Calls that use what the document said, each answered without an internal error. */
async function goOn(api: Client): Promise<void> {
  for (const path of [
    '/charge',
    '/transfer',
    '/batch',
    '/settlements?startDate=2026-01-01',
    '/subscription',
  ]) {
    await good(api.get(path));
  }
  const { Charges } = (await api.read('/charge')) as { Charges: { ChargeId: string }[] };
  for (const { ChargeId } of Charges) expect((await api.del(`/refund/${ChargeId}`)).status).toBeLessThan(500);
  const { Batches } = (await api.read('/batch')) as { Batches: { BatchId: string }[] };
  await good(api.advance('40d'));
  await good(api.get(`/batch/${Batches[0]?.BatchId}`));
  await good(api.get('/_sandbox/webhooks'));
  await good(
    api.post('/_sandbox/journal/count', { Match: { Event: 'transaction.status.changed', Reference: 'a*' } }),
  );
}

describe('PUT /_sandbox/state', () => {
  test.for<[path: string, value: unknown]>([
    ['Charges.0.AmountMinor', 400],
    ['Charges.0.RefundedMinor', 0],
    ['Charges.0.RefundedMinor', Number.MAX_SAFE_INTEGER],
    ['Charges.0.Status', 'FAILED'],
    ['Charges.0.SuccessDate', undefined],
    ['Charges.1.AuthorisedMinor', 1],
    ['Charges.1.Status', 'PENDING'],
    ['Charges.2.Batch', undefined],
    ['Transfers.0.AmountMinor', 9000],
    ['Transfers.0.Currency', 'JPY'],
    ['Transfers.0.Status', 'SUCCESS'],
    ['Tokens.0.Secret', {}],
    ['Deliveries.0.Due', undefined],
    ['Deliveries.0.Status', 'delivered'],
    ['Deliveries.0.Attempts', 10],
    ['Deliveries.0.Body', '{"data":{"reference":5}}'],
    ['Batches.0.Charge', Buffer.alloc(8, 0).toString('base64')],
    ['Batches.0.Outcome', Buffer.alloc(4, 0).toString('base64')],
  ])('trusts the sums: with %s as %j, the world runs and can be exported', async ([path, value], { api }) => {
    const document = changed(await fill(api), path, value);
    await good(api.put(STATE, document));
    await goOn(api);
    await good(api.put(STATE, (await good(api.get(STATE))).text));
  });
});
