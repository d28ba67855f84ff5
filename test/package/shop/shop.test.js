import assert from 'node:assert/strict';

import { createTest, expect } from './runner.js';
import { keepRecords, openShop, SECRET, tokenise } from './support.js';

const test = createTest({ webhookSecret: SECRET });
const JO = { firstName: 'Jo', lastName: 'Smith', email: 'jo@example.com' };

/**
 * A test with a shop of its own, whose gateway is the world of the test.
 *
 * @type {(name: string, run: (shop: import('./support.js').Shop, sandbox: import('playmoney').World) => Promise<void>) => void}
 */
const shopTest = (name, run) =>
  test(name, async ({ sandbox }) => {
    const shop = await openShop(sandbox);
    try {
      await run(shop, sandbox);
      await keepRecords(name, sandbox);
    } finally {
      await shop.close();
    }
  });

shopTest('an order is paid with a card', async (shop, sandbox) => {
  const { status, body } = await shop.post('/orders', { id: 'order-1', amount: 49.9, token: 'tok_approve' });
  assert.equal(status, 201);
  assert.equal(body.status, 'paid');
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 49.9, Status: 'SUCCESS' });
});

shopTest('a declined card leaves the order unpaid', async (shop, sandbox) => {
  const order = { id: 'order-1', amount: 49.9 };
  const declined = await shop.post('/orders', { ...order, token: 'tok_insufficient_funds' });
  assert.equal(declined.status, 402);
  assert.match(declined.body.reason, /^Insufficient Funds/);
  await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });

  const paid = await shop.post('/orders', { ...order, token: 'tok_approve' });
  assert.equal(paid.body.status, 'paid');
});

shopTest('an order is authorised, captured when it ships, and partly refunded', async (shop, sandbox) => {
  const token = await tokenise(sandbox, '5555555555554444');
  const order = await shop.post('/orders', { id: 'order-1', amount: 120, token, ships: true });
  assert.equal(order.body.status, 'authorised');
  await sandbox.clock.advance('2d');
  assert.equal((await shop.post('/orders/order-1/ship')).body.status, 'paid');
  const refund = { amount: 20.5, reason: 'a scratch' };
  assert.equal((await shop.post('/orders/order-1/refund', refund)).body.status, 'partly refunded');

  await expect(sandbox).toHaveCharged({
    Status: 'PARTIAL_REFUND',
    AuthorisationAmount: 120,
    RefundedAmount: 20.5,
  });
  await sandbox.settle();
  const { events } = (await shop.get('/orders/order-1')).body;
  assert.deepEqual(events, ['Authorised', 'SUCCESS', 'PARTIAL_REFUND']);
});

shopTest('an order whose answer was lost is charged once', async (shop, sandbox) => {
  await sandbox.outcomes.queue('charge.create', [{ fault: 'reset', phase: 'after' }]);
  const order = { id: 'order-1', amount: 49.9, token: 'tok_approve' };
  const lost = await shop.post('/orders', order);
  assert.equal(lost.status, 503);
  const again = await shop.post('/orders', order);
  assert.equal(again.body.status, 'paid');
  assert.equal((await sandbox.charges({ reference: 'order-1' })).length, 1);
});

shopTest('a webhook is processed once, and only if its signature is right', async (shop, sandbox) => {
  await sandbox.scenario.use({
    name: 'webhooks with trouble',
    webhooks: {
      policies: [
        { when: { nth: 1 }, then: { badSignature: 'once' } },
        { when: { nth: 2 }, then: { duplicate: 1 } },
      ],
    },
  });
  const events = async () => (await shop.get('/orders/order-1')).body.events;
  await shop.post('/orders', { id: 'order-1', amount: 10, token: 'tok_approve' });
  await sandbox.settle();
  assert.deepEqual(await events(), []);
  await sandbox.clock.advance('5s');
  assert.deepEqual(await events(), ['SUCCESS']);

  await shop.post('/orders/order-1/refund', { amount: 10, reason: 'changed their mind' });
  await expect(sandbox).toHaveDelivered('transaction.status.changed', { data: { status: 'REFUND' } });
  const [, refund, copy] = await sandbox.deliveries.list({ status: 'delivered' });
  assert.equal(copy?.messageId, refund?.messageId);
  assert.deepEqual(await events(), ['SUCCESS', 'REFUND']);
});

shopTest('a saved card is charged twice', async (shop, sandbox) => {
  const token = await tokenise(sandbox, '4242424242424242');
  const { body: customer } = await shop.post('/customers', { ...JO, token });
  assert.equal(customer.card, '4242********4242');
  for (const id of ['order-1', 'order-2']) {
    const { body } = await shop.post(`/customers/${customer.id}/orders`, { id, amount: 15 });
    assert.equal(body.status, 'paid');
  }
  assert.equal((await sandbox.charges({ customerId: customer.id, status: 'SUCCESS' })).length, 2);
});

shopTest('a nightly batch that breaks half-way is finished the next night', async (shop, sandbox) => {
  const { body: customer } = await shop.post('/customers', { ...JO, token: 'tok_approve' });
  const { paymentMethodId } = customer;
  const invoices = Array.from({ length: 1000 }, (_, n) => ({
    reference: `invoice-${n + 1}`,
    amount: 5 + n / 100,
  }));
  await shop.post(
    '/invoices',
    invoices.map((invoice) => ({ ...invoice, paymentMethodId })),
  );

  await sandbox.scenario.use({ name: 'half a night', batches: { failAt: 0.5 } });
  const { body: first } = await shop.post('/nights');
  assert.equal(first.count, 1000);
  await sandbox.clock.advance('10s');
  assert.deepEqual((await shop.get('/invoices')).body, { paid: 0, open: 1000 });
  await sandbox.clock.advance('1h');
  assert.deepEqual((await shop.get('/invoices')).body, { paid: 500, open: 500 });

  await sandbox.scenario.clear();
  await sandbox.clock.advance('1d');
  assert.equal((await shop.post('/nights')).body.count, 500);
  await sandbox.clock.advance('1h');
  assert.deepEqual((await shop.get('/invoices')).body, { paid: 1000, open: 0 });
  await expect(sandbox).toHaveDelivered('batch.status.changed', {
    data: { status: 'FAILED', batchId: first.batchId },
  });
  assert.equal((await sandbox.charges({ status: 'SUCCESS' })).length, 1000);
});
