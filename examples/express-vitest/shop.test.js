import { once } from 'node:events';
import { sweep } from 'playmoney';
import { createTest } from 'playmoney/vitest';
import { expect, onTestFinished } from 'vitest';
import { createShop } from './shop.js';

const webhookSecret = 'whsec_shop';
const test = createTest({ webhookSecret });

/** Starts the shop on a free port. Its gateway is the world of the test, which runs in this process. */
async function openShop({ url, key }) {
  const { app, orders } = createShop({ url, key, webhookSecret });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const post = (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const address = `http://127.0.0.1:${server.address().port}${path}`;
    return fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const pay = async (token = 'tok_approve') =>
    (await post('/orders/order-1/pay', { amount: 20, token }).then((answer) => answer.json())).status;
  const refund = async () => (await post('/orders/order-1/refund')).status;
  return { orders, pay, refund };
}

test('an approved card pays the order', async ({ sandbox }) => {
  const shop = await openShop(sandbox);
  expect(await shop.pay()).toBe('paid');
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 20, Status: 'SUCCESS' });
});

test('a declined card does not', async ({ sandbox }) => {
  const shop = await openShop(sandbox);
  expect(await shop.pay('tok_insufficient_funds')).toBe('declined');
  await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });
});

test('an order whose answer was lost is charged once', async ({ sandbox }) => {
  const shop = await openShop(sandbox);
  await sandbox.outcomes.queue('charge.create', [{ fault: 'reset', phase: 'after' }]);
  expect(await shop.pay()).toBe('unknown');
  expect(await shop.pay()).toBe('paid');
  expect(await sandbox.charges({ reference: 'order-1' })).toHaveLength(1);
});

test('a refund returns the money, and signed webhooks report both', async ({ sandbox }) => {
  const shop = await openShop(sandbox);
  await shop.pay();
  expect(await shop.refund()).toBe(200);
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Status: 'REFUND', RefundedAmount: 20 });
  await sandbox.settle();
  expect(shop.orders.get('order-1').events).toEqual(['SUCCESS', 'REFUND']);
});

test('no failure of the gateway costs money', async () => {
  const report = await sweep(async ({ url, key }) => {
    const shop = await openShop({ url, key });
    await shop.pay();
    const orders = () => {
      const { status } = shop.orders.get('order-1');
      return [{ reference: 'order-1', amount: 20, paid: status === 'unknown' ? null : status === 'paid' }];
    };
    return { orders, recover: () => shop.pay() };
  });
  expect(report).toBeSafe();
}, 60_000);
