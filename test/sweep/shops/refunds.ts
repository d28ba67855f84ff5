import { type BuggyShop, type Client, isPaid, oneOrder, type Order, orNull, payOnce } from './client.js';

/** Shops that give a part of the money back, and send it twice or not at all. */

/** Pays with care. Returns the charge to refund. */
async function paidCharge(shop: Client, order: Order): Promise<string | undefined> {
  order.paid = await payOnce(shop, order);
  const charges = order.paid ? await orNull(shop.find(order)) : null;
  return charges?.find(isPaid)?.ChargeId;
}

export const REFUNDS: readonly BuggyShop[] = [
  // Refund repeated: without an answer it is sent again, and a part of the charge can be refunded again.
  {
    name: 'refund-repeated',
    finds: { verdict: 'refunded too much', at: /^charge\.refund.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      const id = await paidCharge(shop, order);
      if (!id) return;
      for (let attempt = 1; attempt <= 3 && !order.refunded; attempt++) {
        const answer = await orNull(shop.refund(id, 5));
        if (answer?.ok) order.refunded = 5;
      }
    }),
  },
  // The same, and its books say what the service says: nothing disagrees, but the buyer got more than was meant.
  {
    name: 'refund-repeated-and-booked',
    finds: { verdict: 'refunded too much', at: /^charge\.refund.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      const id = await paidCharge(shop, order);
      if (!id) return;
      const giveBack = (): Promise<unknown> => shop.refund(id, 5);
      await orNull(giveBack().catch(giveBack));
      return async () => {
        const charges = await orNull(shop.find(order));
        order.refunded = charges?.find(isPaid)?.RefundedAmount ?? 0;
      };
    }),
  },
  // Refund marked done though declined: the buyer gets the message, but no money.
  {
    name: 'refund-marked-done',
    finds: { verdict: 'refunded too little', at: /^charge\.refund.*\bdeclined\b/ },
    flow: oneOrder(async (shop, order) => {
      const id = await paidCharge(shop, order);
      if (id) {
        await orNull(shop.refund(id, 5));
        order.refunded = 5;
      }
    }),
  },
  // Refund repeated by a job: it completes refunds whose answer was lost, and does not look what was refunded.
  {
    name: 'refund-repeated-by-job',
    finds: { verdict: 'refunded too much', at: /^charge\.refund.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      const id = await paidCharge(shop, order);
      const giveBack = async (): Promise<void> => {
        const answer = id ? await orNull(shop.refund(id, 5)) : null;
        if (answer?.ok) order.refunded = 5;
      };
      await giveBack();
      return async () => {
        if (!order.refunded) await giveBack();
      };
    }),
  },
];
