import {
  type BuggyShop,
  buyer,
  CARD,
  clientOf,
  isDecline,
  isPaid,
  newOrder,
  oneOrder,
  orNull,
  paymentOf,
} from './client.js';

/** Shops that misread an answer. */

export const ANSWERS: readonly BuggyShop[] = [
  // Lost taken for failed: no answer, no payment. The buyer goes elsewhere, and has paid.
  {
    name: 'lost-is-failed',
    finds: { verdict: 'paid, not delivered', at: /^charge\.create.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      const answer = await orNull(shop.charge(order));
      order.paid = answer?.ok ?? false;
    }),
  },
  // HTML taken for a decline: the page of a proxy cannot be parsed, and the buyer is told that the payment failed.
  {
    name: 'html-is-decline',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\bgarbled\b/ },
    flow: oneOrder(async (shop, order) => {
      await buyer(async () => {
        try {
          const answer = await shop.charge(order);
          order.paid = isDecline(answer) ? false : answer.ok || (await shop.paid(order));
        } catch (error) {
          order.paid = error instanceof SyntaxError ? false : await shop.paid(order);
        }
        return order.paid;
      });
    }),
  },
  // Any 200 taken for a success: a captive portal answers 200 to everything.
  {
    name: 'any-success-status',
    finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\belsewhere\b/ },
    flow: oneOrder(async (shop, order) => {
      const response = await orNull(shop.send('POST', '/charge/token', paymentOf(order)));
      order.paid = response?.ok || (await shop.paid(order));
    }),
  },
  // Gateway time-out taken for a decline: it is a 400 like all declines, and only its code (80) says that nobody knows.
  {
    name: 'timeout-is-decline',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\bgateway timeout\b/ },
    flow: oneOrder(async (shop, order) => {
      await buyer(async () => {
        const answer = await orNull(shop.charge(order));
        order.paid = answer?.status === 400 ? false : answer?.ok || (await shop.paid(order));
        return order.paid;
      });
    }),
  },
  // Found is paid, though FAILED: a declined charge is stored under its Reference, too.
  {
    name: 'found-is-paid',
    finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\bdeclined\b/ },
    flow: oneOrder(async (shop, order) => {
      let tries = 0;
      await buyer(async () => {
        // A buyer who comes back may have paid already.
        const found = tries++ > 0 ? await shop.find(order) : [];
        const answer = found.length > 0 ? null : await orNull(shop.charge(order));
        order.paid = found.length > 0 || (isDecline(answer) ? false : answer?.ok || (await shop.paid(order)));
        return order.paid;
      });
    }),
  },
  // Matched to another payment: a doubtful charge is looked up by its amount, and another buyer has paid the same.
  {
    name: 'matched-by-amount',
    finds: { verdict: 'delivered, not paid', at: /^charge\.create order-2.*\brefused\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const orders = [newOrder('order-1'), newOrder('order-2')];
      for (const order of orders) {
        const answer = await orNull(shop.charge(order));
        if (isDecline(answer)) continue;
        const range = `AmountGreaterThan=${order.amount - 0.01}&AmountLessThan=${order.amount + 0.01}`;
        const search = async (): Promise<boolean> =>
          ((await shop.read(`/charge?${range}`)).Charges ?? []).some(isPaid);
        order.paid = answer?.ok || (await orNull(search()));
      }
      return { orders: () => orders };
    },
  },
  // Expired token taken for a charged one: "51 means that an earlier attempt used the token, so it is paid".
  {
    name: 'expired-token-is-paid',
    finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\bexpired\b/ },
    flow: oneOrder(async (shop, order) => {
      const { body } = await shop.call('POST', '/token/card', { PaymentInformation: CARD });
      if (!body.TokenId) return;
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        const answer = await orNull(shop.charge(order, { Token: body.TokenId }));
        if (isDecline(answer)) break;
        order.paid = answer !== null && (answer.ok || answer.body.Code === 51);
      }
    }),
  },
  // Waits for ever: after a 503 it polls for a charge that was never made.
  {
    name: 'waits-for-ever',
    finds: { verdict: 'stuck', at: /^charge\.create.*\bunavailable\b/ },
    flow: oneOrder(async (shop, order) => {
      const answer = await orNull(shop.charge(order));
      order.paid = answer?.ok || (await shop.paid(order));
      if (answer?.status === 503) while (!order.paid) order.paid = await shop.paid(order);
    }),
  },
];
