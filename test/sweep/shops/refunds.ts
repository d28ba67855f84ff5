import {
  type BuggyShop,
  type Client,
  clientOf,
  isPaid,
  newOrder,
  type Order,
  orNull,
  payOnce,
} from './client.js';

/** Shops that give a part of the money back, and send it twice or not at all. */

/** Pays with care. Returns the charge to refund. */
async function paidCharge(shop: Client, order: Order): Promise<string | undefined> {
  order.paid = await payOnce(shop, order);
  const charges = order.paid ? await orNull(shop.find(order)) : null;
  return charges?.find(isPaid)?.ChargeId;
}

// Refund repeated: without an answer it is sent again, and a part of the charge can be refunded again.
const refundRepeated: BuggyShop = {
  name: 'refund-repeated',
  bugClass: 'refund repeated',
  finds: { verdict: 'refunded too much', at: /^charge\.refund.*\blost\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    const id = await paidCharge(shop, order);
    if (!id) return { orders: () => [order] };
    for (let attempt = 1; attempt <= 3 && !order.refunded; attempt++) {
      const answer = await orNull(shop.refund(id, 5));
      if (answer?.ok) order.refunded = 5;
    }
    return { orders: () => [order] };
  },
};

// Refund marked done though declined: the buyer gets the message, but no money.
const refundMarkedDone: BuggyShop = {
  name: 'refund-marked-done',
  bugClass: 'refund marked done though declined',
  finds: { verdict: 'refunded too little', at: /^charge\.refund.*\bdeclined\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    const id = await paidCharge(shop, order);
    if (id) {
      await orNull(shop.refund(id, 5));
      order.refunded = 5;
    }
    return { orders: () => [order] };
  },
};

// Refund repeated by a job: it completes refunds whose answer was lost, and does not look what was refunded.
const refundRepeatedByJob: BuggyShop = {
  name: 'refund-repeated-by-job',
  bugClass: 'refund repeated by a job',
  finds: { verdict: 'refunded too much', at: /^charge\.refund.*\blost\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    const id = await paidCharge(shop, order);
    const giveBack = async (): Promise<void> => {
      const answer = id ? await orNull(shop.refund(id, 5)) : null;
      if (answer?.ok) order.refunded = 5;
    };
    await giveBack();
    return {
      orders: () => [order],
      recover: async () => {
        if (!order.refunded) await giveBack();
      },
    };
  },
};

export const REFUNDS = [refundRepeated, refundMarkedDone, refundRepeatedByJob];
