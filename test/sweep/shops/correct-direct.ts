import {
  buyer,
  CARD,
  clientOf,
  isDecline,
  isPaid,
  newOrder,
  oneOrder,
  type Order,
  orNull,
  payOnce,
  type Shop,
} from './client.js';

/**
 * Correct shops that charge and ask at once. Most of them repeat two steps: look what the gateway has, and do what is missing. They
 * conclude nothing from an answer that they did not understand.
 */

/** How often a shop looks and acts before it leaves an order to a person. */
export const STEPS = 6;

export const DIRECT: readonly Shop[] = [
  // Looks before each retry, and again later if nobody answered.
  {
    name: 'careful',
    flow: oneOrder(async (shop, order) => {
      await buyer(async () => (order.paid = await payOnce(shop, order)));
      return async () => {
        if (order.paid === null) order.paid = await shop.paid(order);
      };
    }),
  },
  // Hands each doubt over to a person, and does nothing else about it.
  {
    name: 'hands-over',
    flow: oneOrder(async (shop, order) => {
      await buyer(async () => {
        const answer = await orNull(shop.charge(order));
        order.paid = answer && (isDecline(answer) ? false : isPaid(answer.body) || null);
        return order.paid;
      });
    }),
  },
  // Captures what it can deliver, and voids what it cannot.
  {
    name: 'reserves',
    flow: async (env) => {
      const shop = clientOf(env);
      const delivered: Order = { ...newOrder('order-1', 20), paid: null };
      const soldOut: Order = { ...newOrder('order-2', 35), paid: null };

      /** Captures or voids what is reserved for an order. If nothing is, and the buyer is there, reserves it. */
      const settle = async (order: Order, goal: 'capture' | 'void', isBuyerThere: boolean): Promise<void> => {
        for (let step = 1; step <= STEPS; step++) {
          const charges = await shop.find(order);
          const held = charges.find(({ Status }) => Status === 'Authorised');
          const isDone = goal === 'void' || !isBuyerThere || charges.length === 2 || charges.some(isPaid);
          if (held && goal === 'capture') await orNull(shop.capture(held.ChargeId, order.amount));
          else if (held) await orNull(shop.cancel(held.ChargeId));
          else if (isDone) {
            order.paid = charges.some(isPaid);
            return;
          } else await orNull(shop.charge(order, { Capture: false }));
        }
      };
      const tidy = async (isBuyerThere: boolean): Promise<void> => {
        if (delivered.paid === null) await orNull(settle(delivered, 'capture', isBuyerThere));
        if (soldOut.paid === null) await orNull(settle(soldOut, 'void', isBuyerThere));
      };

      await orNull(shop.charge(soldOut, { Capture: false }));
      await tidy(true);
      return { orders: () => [delivered, soldOut], recover: () => tidy(false) };
    },
  },
  // Refunds a part: it looks what was refunded before it tries again, and its job does the same.
  {
    name: 'refunds',
    flow: oneOrder(async (shop, order) => {
      const returned = 5;
      const giveBack = async (): Promise<void> => {
        for (let step = 1; step <= STEPS; step++) {
          const charges = await shop.find(order);
          const charge = charges.find(isPaid);
          order.refunded = charge?.RefundedAmount ?? 0;
          if (!charge || order.refunded >= returned) return;
          await orNull(shop.refund(charge.ChargeId, returned - order.refunded));
        }
      };
      const finish = async (): Promise<void> => {
        // Until the next look, nobody knows what is left.
        if (order.paid && order.refunded !== returned) await giveBack().catch(() => (order.paid = null));
      };

      await buyer(async () => (order.paid = await payOnce(shop, order)));
      await finish();
      return async () => {
        order.paid ??= await shop.paid(order);
        await finish();
      };
    }),
  },
  // Charges a token of the page. A buyer whose token was not charged enters the card again.
  {
    name: 'tokens',
    flow: oneOrder(async (shop, order) => {
      await buyer(async () => {
        const token = await orNull(shop.call('POST', '/token/card', { PaymentInformation: CARD }));
        // Without a token nothing was charged.
        const id = token?.body.TokenId;
        order.paid = id ? await payOnce(shop, order, { Token: id }) : false;
        return order.paid;
      });
      return async () => {
        if (order.paid === null) order.paid = await shop.paid(order);
      };
    }),
  },
];
