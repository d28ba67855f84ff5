import { expect, test } from '@playwright/test';
import { connect } from 'playmoney';

/** The world that the shop calls: `playmoney exec` has set both variables for the shop and for the tests. */
const world = connect(process.env.PLAYMONEY_URL, { key: process.env.PLAYMONEY_KEY });

/** Enters a card as a customer does. */
async function pay(page, order, card = '4242424242424242') {
  await page.goto(`/?order=${order}`);
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel(/^Expiry date/).fill('12/99');
  await page.getByRole('button', { name: 'Pay AUD 20' }).click();
  return expect(page.getByTestId('message'));
}

const statuses = async (reference) => (await world.charges({ reference })).map(({ Status }) => Status);

test('an approved card pays the order', async ({ page }) => {
  await (await pay(page, 'order-1')).toHaveText(/is paid/);
  expect(await statuses('order-1')).toEqual(['SUCCESS']);
});

test('a declined card does not', async ({ page }) => {
  await (await pay(page, 'order-2', '4000000000009995')).toHaveText(/was declined/);
  expect(await statuses('order-2')).toEqual(['FAILED']);
});

test('an order whose answer was lost is charged once', async ({ page }) => {
  await world.outcomes.queue('charge.create', [{ fault: 'reset', phase: 'after' }]);
  await (await pay(page, 'order-3')).toHaveText(/do not know yet/);
  await (await pay(page, 'order-3')).toHaveText(/is paid/);
  expect(await statuses('order-3')).toEqual(['SUCCESS']);
});

test('a refund returns the money, and signed webhooks report both', async ({ page, request }) => {
  await (await pay(page, 'order-4')).toHaveText(/is paid/);
  expect(await (await request.delete('/api/orders/order-4')).json()).toEqual({ isRefunded: true });
  expect(await statuses('order-4')).toEqual(['REFUND']);
  await world.settle();
  const { events } = await (await request.get('/api/orders/order-4')).json();
  expect(events).toEqual(['SUCCESS', 'REFUND']);
});
