import {
  type BuggyShop,
  clientOf,
  HOOK,
  isPaid,
  newOrder,
  onWebhook,
  orNull,
  payOnce,
  type Shop,
} from './client.js';

/** Shops in which two people, or a page and a webhook, do something at the same time. */

export const RACES: readonly BuggyShop[] = [
  // Double click: looks whether the order is paid, and charges. Nothing keeps the second press from looking before the first has charged.
  {
    name: 'double-click',
    finds: { verdict: 'charged twice', at: /^together: order/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      const press = async (): Promise<void> => {
        if (!order.paid) order.paid = await payOnce(shop, order);
      };
      await env.together(press, press);
      return { orders: () => [order], recover: async () => void (order.paid ??= await shop.paid(order)) };
    },
  },
  // Two tabs: the search before the charge does not help, because both tabs search first.
  {
    name: 'two-tabs',
    finds: { verdict: 'charged twice', at: /^together: order/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      const press = async (): Promise<void> => {
        const found = await shop.paid(order);
        order.paid = found === false ? await payOnce(shop, order) : found;
      };
      await env.together(press, press);
      return { orders: () => [order], recover: async () => void (order.paid ??= await shop.paid(order)) };
    },
  },
  // Two captures: the checkout and the page of the return both capture; the one that is refused marks the order as unpaid.
  {
    name: 'captured-by-both',
    finds: { verdict: 'paid, not delivered', at: /^together: order/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      let held: string | undefined;
      const capture = async (): Promise<void> => {
        if (!held || order.paid) return;
        order.paid = Boolean((await orNull(shop.capture(held, order.amount)))?.ok);
      };
      const buy = async (): Promise<void> => {
        held = (await orNull(shop.charge(order, { Capture: false })))?.body.ChargeId;
        await capture();
      };
      await env.together(buy, capture);
      return { orders: () => [order] };
    },
  },
  // Two clerks: both see that nothing was refunded.
  {
    name: 'two-clerks',
    finds: { verdict: 'refunded too much', at: /^together: order/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      const charge = await orNull(shop.charge(order));
      order.paid = charge !== null && isPaid(charge.body);
      const refund = async (): Promise<void> => {
        if (!charge?.body.ChargeId || order.refunded !== undefined) return;
        if ((await orNull(shop.refund(charge.body.ChargeId, 5)))?.ok) order.refunded = 5;
      };
      await env.together(refund, refund);
      return { orders: () => [order] };
    },
  },
  // Stale page: the page of the return asks, the payment succeeds, and then the page writes what it was told.
  {
    name: 'stale-page',
    finds: { verdict: 'paid, not delivered', at: /^together: order/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      const openPage = async (): Promise<void> => {
        order.paid = await shop.paid(order);
      };
      await env.together(openPage, async () => {
        order.paid = await payOnce(shop, order);
      });
      return { orders: () => [order] };
    },
  },
  // Credited by both: the webhook arrives while the page of the return asks for the charge.
  {
    name: 'credited-by-both',
    finds: { verdict: 'delivered, not paid', at: /^charge\.read.*\bmeanwhile\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const credit = newOrder('top-up-1', 0);
      const add = (amount: number): void => {
        credit.paid = true;
        credit.amount += amount;
      };
      onWebhook(env, ({ data }) => {
        if (!credit.paid && isPaid({ Status: data.status })) add(data.amount);
        return 204;
      });
      const charged = await orNull(shop.charge({ ...credit, amount: 20 }, HOOK));
      await env.world.settle();
      // The buyer comes back. The page looks at the credit before it asks, and not again.
      const isOpen = !credit.paid;
      const read = await orNull(shop.call('GET', `/charge/${charged?.body.ChargeId}`));
      if (isOpen && read !== null && isPaid(read.body)) add(20);
      return { orders: () => [credit] };
    },
  },
];

/** Correct twins: they claim the order before the call, or their status only moves forward. */
export const CLAIMS: readonly Shop[] = [
  // The second press finds the order claimed.
  {
    name: 'claims-first',
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      let isClaimed = false;
      const press = async (): Promise<void> => {
        if (isClaimed) return;
        isClaimed = true;
        order.paid = await payOnce(shop, order);
      };
      await env.together(press, press);
      return { orders: () => [order], recover: async () => void (order.paid ??= await shop.paid(order)) };
    },
  },
  // Both presses wait for the same payment.
  {
    name: 'shares-its-promise',
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      let under: Promise<boolean | null> | null = null;
      const press = async (): Promise<void> => {
        order.paid = await (under ??= payOnce(shop, order));
      };
      await env.together(press, press);
      return { orders: () => [order], recover: async () => void (order.paid ??= await shop.paid(order)) };
    },
  },
  // The second press waits for the first, and then searches.
  {
    name: 'locks-the-order',
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      let last: Promise<unknown> = Promise.resolve();
      const press = (): Promise<unknown> =>
        (last = last.then(async () => {
          const found = await shop.paid(order);
          order.paid = found === false ? await payOnce(shop, order) : found;
        }));
      await env.together(press, press);
      return { orders: () => [order], recover: async () => void (order.paid ??= await shop.paid(order)) };
    },
  },
  // One of two clerks refunds, and reads the charge before it tries again.
  {
    name: 'claims-the-refund',
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      order.paid = await payOnce(shop, order);
      const id = (await orNull(shop.find(order)))?.find(isPaid)?.ChargeId;
      let isClaimed = false;
      const look = async (): Promise<void> => {
        const { RefundedAmount } = await shop.read(`/charge/${id}`);
        if ((RefundedAmount ?? 0) > 0) order.refunded = 5;
      };
      const refund = async (): Promise<void> => {
        if (id === undefined || isClaimed) return;
        isClaimed = true;
        await orNull(shop.refund(id, 5));
        await orNull(look());
      };
      await env.together(refund, refund);
      return {
        orders: () => [order],
        recover: async () => {
          order.paid ??= await shop.paid(order);
          if (isClaimed && order.refunded === undefined) await look();
        },
      };
    },
  },
  // Neither the page nor the webhook takes back that an order is paid, and each charge is credited once.
  {
    name: 'moves-forward',
    flow: async (env) => {
      const shop = clientOf(env);
      const order = newOrder();
      onWebhook(env, ({ data }) => {
        if (isPaid({ Status: data.status })) order.paid = true;
        return 204;
      });
      const openPage = async (): Promise<void> => {
        if (await shop.paid(order)) order.paid = true;
      };
      const pay = async (): Promise<void> => {
        const isPaidNow = await payOnce(shop, order, HOOK);
        if (!order.paid) order.paid = isPaidNow;
      };
      await env.together(openPage, pay);
      await openPage();
      return { orders: () => [order], recover: async () => void (order.paid ??= await shop.paid(order)) };
    },
  },
];
