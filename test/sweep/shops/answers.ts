import {
  type BuggyShop,
  buyer,
  CARD,
  clientOf,
  isDecline,
  isPaid,
  newOrder,
  orNull,
  paymentOf,
} from './client.js';

/** Shops that misread an answer. */

// Lost taken for failed: no answer, no payment. The buyer goes elsewhere, and has paid.
const lostIsFailed: BuggyShop = {
  name: 'lost-is-failed',
  bugClass: 'lost taken for failed',
  finds: { verdict: 'paid, not delivered', at: /^charge\.create.*\blost\b/ },
  flow: async (env) => {
    const order = newOrder();
    const answer = await orNull(clientOf(env).charge(order));
    order.paid = answer?.ok ?? false;
    return { orders: () => [order] };
  },
};

// HTML taken for a decline: the page of a proxy cannot be parsed, and the buyer is told that the payment failed.
const htmlIsDecline: BuggyShop = {
  name: 'html-is-decline',
  bugClass: 'HTML taken for a decline',
  finds: { verdict: 'charged twice', at: /^charge\.create.*\bgarbled\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    await buyer(async () => {
      try {
        const answer = await shop.charge(order);
        order.paid = isDecline(answer) ? false : answer.ok || (await shop.paid(order));
      } catch (error) {
        order.paid = error instanceof SyntaxError ? false : await shop.paid(order);
      }
      return order.paid;
    });
    return { orders: () => [order] };
  },
};

// Any 200 taken for a success: a captive portal answers 200 to everything.
const anySuccessStatus: BuggyShop = {
  name: 'any-success-status',
  bugClass: 'any 200 taken for a success',
  finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\belsewhere\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    const response = await orNull(shop.send('POST', '/charge/token', paymentOf(order)));
    order.paid = response?.ok || (await shop.paid(order));
    return { orders: () => [order] };
  },
};

// Gateway time-out taken for a decline: it is a 400 like all declines, and only its code (80) says that nobody knows.
const timeoutIsDecline: BuggyShop = {
  name: 'timeout-is-decline',
  bugClass: 'gateway time-out (code 80) taken for a decline',
  finds: { verdict: 'charged twice', at: /^charge\.create.*\bgateway timeout\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    await buyer(async () => {
      const answer = await orNull(shop.charge(order));
      order.paid = answer?.status === 400 ? false : answer?.ok || (await shop.paid(order));
      return order.paid;
    });
    return { orders: () => [order] };
  },
};

// Found is paid, though FAILED: a declined charge is stored under its Reference, too.
const foundIsPaid: BuggyShop = {
  name: 'found-is-paid',
  bugClass: 'found is paid, though FAILED',
  finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\bdeclined\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    let tries = 0;
    await buyer(async () => {
      // A buyer who comes back may have paid already.
      const found = tries++ > 0 ? await shop.find(order) : [];
      const answer = found.length > 0 ? null : await orNull(shop.charge(order));
      order.paid = found.length > 0 || (isDecline(answer) ? false : answer?.ok || (await shop.paid(order)));
      return order.paid;
    });
    return { orders: () => [order] };
  },
};

// Matched to another payment: a doubtful charge is looked up by its amount, and another buyer has paid the same.
const matchedByAmount: BuggyShop = {
  name: 'matched-by-amount',
  bugClass: "matched to another buyer's payment",
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
};

// Expired token taken for a charged one: "51 means that an earlier attempt used the token, so it is paid".
const expiredTokenIsPaid: BuggyShop = {
  name: 'expired-token-is-paid',
  bugClass: 'expired token taken for a charged one',
  finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\bexpired\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    const { body } = await shop.call('POST', '/token/card', { PaymentInformation: CARD });
    if (!body.TokenId) return { orders: () => [order] };
    for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
      const answer = await orNull(shop.charge(order, { Token: body.TokenId }));
      if (isDecline(answer)) break;
      order.paid = answer !== null && (answer.ok || answer.body.Code === 51);
    }
    return { orders: () => [order] };
  },
};

// Waits for ever: after a 503 it polls for a charge that was never made.
const waitsForEver: BuggyShop = {
  name: 'waits-for-ever',
  bugClass: 'polls without an end',
  finds: { verdict: 'stuck', at: /^charge\.create.*\bunavailable\b/ },
  flow: async (env) => {
    const shop = clientOf(env);
    const order = newOrder();
    const answer = await orNull(shop.charge(order));
    order.paid = answer?.ok || (await shop.paid(order));
    if (answer?.status === 503) while (!order.paid) order.paid = await shop.paid(order);
    return { orders: () => [order] };
  },
};

export const ANSWERS = [
  lostIsFailed,
  htmlIsDecline,
  anySuccessStatus,
  timeoutIsDecline,
  foundIsPaid,
  matchedByAmount,
  expiredTokenIsPaid,
  waitsForEver,
];
