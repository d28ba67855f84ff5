import {
  buyer,
  clientOf,
  HOOK,
  isDecline,
  isPaid,
  newOrder,
  onWebhook,
  type Order,
  orNull,
  type Shop,
} from './client.js';
import { STEPS } from './correct-direct.js';
import { batchOf, membershipOf } from './recurring.js';

/** Correct shops whose payments are made or reported later: by webhooks, batches and subscriptions. */

export const LATER: readonly Shop[] = [
  // Believes only signed webhooks, handles each once and in any order, and asks for the charge. A job asks for those that stay away.
  {
    name: 'listens',
    flow: async (env) => {
      const shop = clientOf(env);
      const orders = new Map<string, Order>();
      const handled = new Set<string>();
      onWebhook(env, async ({ meta, data }) => {
        const order = orders.get(data.reference);
        // It comes again, and by then the order may be saved.
        if (!order) return 404;
        if (handled.has(meta.messageId)) return 204;
        // Without an answer this throws, and the webhook comes again.
        if (isPaid(await shop.read(`/charge/${data.chargeId}`))) order.paid = true;
        handled.add(meta.messageId);
        return 204;
      });

      const order = newOrder();
      orders.set('order-1', order);
      await buyer(async () => {
        // Not after the charge: the webhook can be faster than the answer.
        order.paid = null;
        if (isDecline(await orNull(shop.charge(order, HOOK)))) order.paid = false;
        return order.paid;
      });
      return {
        orders: () => [...orders.values()],
        recover: async () => {
          if (order.paid === null) order.paid = await shop.paid(order);
        },
      };
    },
  },
  // Credits a prepaid account from webhooks, each charge once, and from a search later.
  {
    name: 'credits',
    flow: async (env) => {
      const shop = clientOf(env);
      const topUp = newOrder('top-up-1');
      const credited = new Map<string, number>();
      onWebhook(env, ({ data }) => {
        if (isPaid({ Status: data.status })) credited.set(data.chargeId, data.amount);
        return 204;
      });
      let isSure = isDecline(await orNull(shop.charge(topUp, HOOK)));
      const balance = (): number => [...credited.values()].reduce((sum, amount) => sum + amount, 0);
      return {
        orders: () => [
          balance() > 0
            ? { ...topUp, amount: balance(), paid: true }
            : { ...topUp, paid: isSure ? false : null },
        ],
        recover: async () => {
          if (isSure || balance() > 0) return;
          const charges = await shop.find(topUp);
          for (const { ChargeId, Amount } of charges.filter(isPaid)) credited.set(ChargeId, Amount);
          isSure = true;
        },
      };
    },
  },
  // Sends a batch only if there is none with its Description. Each order is paid when its own charge is.
  {
    name: 'batches',
    flow: async (env) => {
      const shop = clientOf(env);
      const orders = [newOrder('flat-1', 12.5), newOrder('flat-2', 14)];
      const isSent = async (): Promise<boolean> =>
        (await shop.read('/batch?Description=rent-of-May')).Batches?.length !== 0;

      const paymentMethodId = await shop.storeCard();
      const batch = batchOf(orders, paymentMethodId, 'rent-of-May');
      const send = async (): Promise<void> => {
        for (let step = 1; step <= STEPS && !(await isSent()); step++) {
          await orNull(shop.call('POST', '/batch/transaction/payment_method', batch));
        }
      };
      // Rows take their time, and perhaps nobody answers: the job below finds out.
      for (const order of orders) order.paid = null;
      await orNull(send());
      return {
        orders: () => orders,
        recover: async () => {
          for (const order of orders) order.paid = await shop.paid(order);
        },
      };
    },
  },
  // Creates a membership only if the card has none.
  {
    name: 'subscribes',
    flow: async (env) => {
      const shop = clientOf(env);
      const membership: Order = { amount: 10, currency: 'AUD', paid: false };
      const paymentMethodId = await shop.storeCard();
      const find = async () =>
        (await shop.read('/subscription')).Subscriptions?.find(
          (one) => one.PaymentMethodId === paymentMethodId,
        );

      const subscribe = async (): Promise<void> => {
        const terms = membershipOf(membership, paymentMethodId);
        for (let step = 1; step <= STEPS && !(await find()); step++) {
          await orNull(shop.call('POST', '/subscription/payment_method', terms));
        }
      };
      /** Whether the first charge of the membership was paid. Throws if nobody answers. */
      const isCharged = async (): Promise<boolean> => {
        const subscription = await find();
        const path = `/charge?SubscriptionId=${subscription?.SubscriptionId}`;
        return subscription !== undefined && ((await shop.read(path)).Charges ?? []).some(isPaid);
      };

      await orNull(subscribe());
      membership.paid = await orNull(isCharged());
      return {
        orders: () => [membership],
        recover: async () => {
          membership.paid ??= await orNull(isCharged());
        },
      };
    },
  },
];
