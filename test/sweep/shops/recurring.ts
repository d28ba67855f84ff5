import { type BuggyShop, clientOf, newOrder, type Order, orNull } from './client.js';

/** Shops that send many charges with one call. */

/** The CSV of a batch that charges one payment method. */
export function batchOf(orders: readonly Order[], paymentMethodId: string, description: string): object {
  const rows = orders.map((one) => [paymentMethodId, one.amount, one.currency, one.reference].join(','));
  const csv = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
  return { Count: orders.length, Description: description, Batch: csv };
}

/** The terms of a membership. */
export function membershipOf({ amount, currency }: Order, paymentMethodId: string): object {
  return { PaymentMethodId: paymentMethodId, Amount: amount, Currency: currency, Interval: 'Month' };
}

export const RECURRING: readonly BuggyShop[] = [
  // Batch sent twice: without an answer, the whole file is sent again.
  {
    name: 'batch-twice',
    finds: { verdict: 'charged twice', at: /^batch\.create.*\blost\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const orders = [newOrder('flat-1', 12.5), newOrder('flat-2', 14)];
      const batch = batchOf(orders, await shop.storeCard(), 'rent of May');
      for (let attempt = 1; attempt <= 3; attempt++) {
        const answer = await orNull(shop.call('POST', '/batch/transaction/payment_method', batch));
        if (answer?.ok) break;
      }
      return {
        orders: () => orders,
        recover: async () => {
          for (const order of orders) order.paid = await shop.paid(order);
        },
      };
    },
  },
  // Subscription created twice: without an answer, the membership is created again, and both charge.
  {
    name: 'subscription-twice',
    finds: { verdict: 'charged twice', at: /^subscription\.create.*\blost\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const membership: Order = { amount: 10, currency: 'AUD', paid: false };
      const terms = membershipOf(membership, await shop.storeCard());
      for (let attempt = 1; attempt <= 3 && !membership.paid; attempt++) {
        const answer = await orNull(shop.call('POST', '/subscription/payment_method', terms));
        membership.paid = answer?.ok ?? false;
      }
      return { orders: () => [membership] };
    },
  },
];
