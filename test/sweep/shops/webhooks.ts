import {
  buyer,
  type BuggyShop,
  clientOf,
  HOOK,
  isPaid,
  type Message,
  newOrder,
  oneOrder,
  onWebhook,
  type Order,
  orNull,
  payOnce,
} from './client.js';

/** Shops that believe a webhook too much, too little, too early or too often. */

export const WEBHOOKS: readonly BuggyShop[] = [
  // Webhook of any status believed: each message about a charge counts as its payment.
  {
    name: 'any-status',
    finds: { verdict: 'delivered, not paid', at: /^charge\.create.*\bdeclined\b/ },
    flow: oneOrder(async (shop, order, env) => {
      onWebhook(env, () => {
        order.paid = true;
        return 204;
      });
      const answer = await orNull(shop.charge(order, HOOK));
      if (answer?.ok) order.paid = true;
    }),
  },
  // Webhook before the order exists: the order is saved after the charge; a message that comes earlier is noted as handled, and dropped.
  {
    name: 'dropped-before-order',
    finds: { verdict: 'paid, not delivered', at: /^(charge\.create|webhook).*\bfirst\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const orders: Order[] = [];
      const handled = new Set<string>();
      onWebhook(env, ({ data }) => {
        handled.add(data.reference);
        const order = orders.find(({ reference }) => reference === data.reference);
        if (order && isPaid({ Status: data.status })) order.paid = true;
        return 204;
      });
      const order = newOrder();
      await orNull(shop.charge(order, HOOK));
      orders.push(order);
      return {
        orders: () => orders,
        recover: async () => {
          if (!handled.has('order-1')) order.paid = await shop.paid(order);
        },
      };
    },
  },
  // Order created twice: the webhook creates the order that it does not find, and so does the checkout.
  {
    name: 'ordered-twice',
    finds: { verdict: 'delivered, not paid', at: /^(charge\.create|webhook).*\bfirst\b/ },
    flow: async (env) => {
      const orders: Order[] = [];
      onWebhook(env, ({ data }) => {
        const isKnown = orders.some(({ reference }) => reference === data.reference);
        if (!isKnown && isPaid({ Status: data.status })) orders.push({ ...newOrder(), paid: true });
        return 204;
      });
      const answer = await orNull(clientOf(env).charge(newOrder(), HOOK));
      if (answer?.ok) orders.push({ ...newOrder(), paid: true });
      return { orders: () => orders };
    },
  },
  // Duplicate webhook credited twice: a prepaid account gets the amount of each message, without a look at its messageId.
  {
    name: 'credited-twice',
    finds: { verdict: 'delivered, not paid', at: /^webhook.*\btwice\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const credit = newOrder('top-up-1', 0);
      onWebhook(env, ({ data }) => {
        if (isPaid({ Status: data.status })) {
          credit.paid = true;
          credit.amount += data.amount;
        }
        return 204;
      });
      await orNull(shop.charge({ ...credit, amount: 20 }, HOOK));
      return {
        orders: () => [credit],
        recover: async () => {
          if (!credit.paid && (await shop.paid(credit))) Object.assign(credit, { paid: true, amount: 20 });
        },
      };
    },
  },
  // Last webhook wins: the status of the message that came last is the status of the order.
  {
    name: 'last-webhook-wins',
    finds: { verdict: 'delivered, not paid', at: /^webhook.*\bswapped\b/ },
    flow: oneOrder(async (shop, order, env) => {
      onWebhook(env, ({ data }) => {
        order.paid = isPaid({ Status: data.status });
        return 204;
      });
      const answer = await orNull(shop.charge(order, HOOK));
      // The buyer has changed their mind.
      if (answer?.body.ChargeId) await orNull(shop.refund(answer.body.ChargeId, order.amount));
    }),
  },
  // Forged webhook believed: the signature is not checked.
  {
    name: 'forged-webhook',
    finds: { verdict: 'delivered, not paid', at: /\bforged\b/ },
    flow: oneOrder(async (shop, order, env) => {
      env.receive(async (request) => {
        const { data } = (await request.json()) as Message;
        if (isPaid({ Status: data.status })) order.paid = true;
        return new Response(null, { status: 204 });
      });
      await orNull(shop.charge(order, HOOK));
      return async () => {
        order.paid ||= await shop.paid(order);
      };
    }),
  },
  // Forged webhook believed, by a shop that is careful in all else, with a buyer who tries again after a decline.
  {
    name: 'forged-webhook-and-buyer',
    finds: { verdict: 'delivered, not paid', at: /^charge\.create order-1: .*\bforged\b/ },
    flow: oneOrder(async (shop, order, env) => {
      env.receive(async (request) => {
        const { data } = (await request.json()) as Message;
        if (isPaid({ Status: data.status })) order.paid = true;
        return new Response(null, { status: 204 });
      });
      await buyer(async () => {
        const paid = await payOnce(shop, order, HOOK);
        if (order.paid !== true) order.paid = paid;
        return paid;
      });
    }),
  },
  // Acknowledged before it was processed: the answer is 204 even if the handler failed, so the webhook does not come again.
  {
    name: 'acknowledged-too-early',
    finds: { verdict: 'paid, not delivered', at: /^charge\.read.*\bunavailable\b/ },
    flow: oneOrder(async (shop, order, env) => {
      const received = new Set<string>();
      onWebhook(env, async ({ data }) => {
        received.add(data.reference);
        const charge = await orNull(shop.call('GET', `/charge/${data.chargeId}`));
        if (charge !== null && isPaid(charge.body)) order.paid = true;
        return 204;
      });
      await orNull(shop.charge(order, HOOK));
      return async () => {
        if (!received.has('order-1')) order.paid = await shop.paid(order);
      };
    }),
  },
];
