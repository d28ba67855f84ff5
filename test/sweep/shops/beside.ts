import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type BuggyShop,
  buyer,
  type Client,
  clientOf,
  HOOK,
  isDecline,
  isPaid,
  newOrder,
  oneOrder,
  onWebhook,
  type Order,
  orNull,
  payOnce,
  paymentOf,
  type Shop,
  type ShopEnv,
} from './client.js';

/** Shops whose bug is not in the charge itself, or shows only under a fault that is asked for. Each has its correct twin. */

interface Twins {
  readonly buggy: BuggyShop;
  readonly correct: Shop;
}

/** A webhook sets the status of the order. A buyer who was declined pays with another card. */
const followsWebhooks = (mayGoBack: boolean): Shop['flow'] =>
  oneOrder(async (shop, order, env) => {
    onWebhook(env, ({ data }) => {
      if (mayGoBack || order.paid !== true) order.paid = isPaid({ Status: data.status });
      return 204;
    });
    await buyer(async () => {
      const answer = await orNull(shop.charge(order, HOOK));
      return isDecline(answer) ? false : (order.paid = answer?.ok || null);
    });
    return async () => {
      order.paid ??= await shop.paid(order);
    };
  });

/** A customer is created before the first payment. Without an answer, it is created again, or looked up first. */
const createsCustomer = (looksFirst: boolean): Shop['flow'] =>
  oneOrder(async (shop, order) => {
    const isThere = async (): Promise<boolean> =>
      ((await shop.read('/customer?Reference=buyer-1')).Customers ?? []).length > 0;
    for (let attempt = 1; attempt <= 3; attempt++) {
      if (looksFirst && (await isThere())) break;
      if ((await orNull(shop.call('POST', '/customer/card', BUYER)))?.ok) break;
    }
    await buyer(async () => (order.paid = await payOnce(shop, order)));
    return async () => {
      order.paid ??= await shop.paid(order);
    };
  });
const BUYER = {
  Reference: 'buyer-1',
  FirstName: 'Ada',
  LastName: 'Ng',
  Email: 'ada@example.com',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: {
    CardNumber: '4242424242424242',
    ExpiryDate: '12/30',
    Ccv: '123',
    Cardholder: 'Ada Ng',
  },
};

/** Believes only what it finds: where it sent its charges, or wherever the service made them. */
const looksUp = (where: string): Shop['flow'] =>
  oneOrder(async (shop, order) => {
    const look = async (): Promise<boolean | null> => {
      const found = await orNull(shop.read(`/charge?Reference=${order.reference}${where}`));
      return found && (found.Charges ?? []).some(isPaid);
    };
    await buyer(async () => {
      for (let step = 1; step <= 4; step++) {
        order.paid = await look();
        if (order.paid !== false) return order.paid;
        if (isDecline(await orNull(shop.charge(order)))) return false;
      }
      return (order.paid = await look());
    });
    return async () => {
      order.paid ??= await look();
    };
  });

/** An order in yen, which have no decimals. */
const inYen =
  (divisor: number): Shop['flow'] =>
  async (env) => {
    const shop = clientOf(env);
    const order: Order = { ...newOrder(), amount: 2000 / divisor, currency: 'JPY' };
    await buyer(async () => (order.paid = await payOnce(shop, order)));
    return {
      orders: () => [order],
      recover: async () => {
        order.paid ??= await shop.paid(order);
      },
    };
  };

/** One call, with a time-out or without. */
const waits =
  (signal: () => AbortSignal | null): Shop['flow'] =>
  async (env) => {
    const order = newOrder();
    const { url, key, fetch } = env;
    const headers = { 'content-type': 'application/json', 'x-secretkey': key };
    const init = { method: 'POST', headers, body: JSON.stringify(paymentOf(order)), signal: signal() };
    const answer = await orNull(fetch(`${url}/charge/token`, init));
    order.paid = answer?.status === 201 || null;
    return {
      orders: () => [order],
      recover: async () => {
        order.paid ??= await clientOf(env).paid(order);
      },
    };
  };

/** Two workers, each with an order of its own, and no two runs in the same order. */
function byTwoWorkers(pay: (shop: Client, order: Order) => Promise<boolean | null>): Shop['flow'] {
  let run = 0;
  return async (env) => {
    const shop = clientOf(env);
    const orders = [newOrder('order-1'), newOrder('order-2', 35)];
    const isTurned = ++run % 2 === 0;
    await Promise.all(
      orders.map(async (order, worker) => {
        for (let turn = 0; turn < (isTurned ? worker : 1 - worker) * 9; turn++) await nextTurn();
        order.paid = await pay(shop, order);
      }),
    );
    return {
      orders: () => orders,
      recover: async () => {
        for (const order of orders) order.paid ??= await shop.paid(order);
      },
    };
  };
}

async function payBlindly(shop: Client, order: Order): Promise<boolean> {
  const once = (): ReturnType<Client['charge']> => shop.charge(order);
  return (await orNull(once().catch(once)))?.ok ?? false;
}

/** Each run has another Reference. */
function withRandomReference(pay: (shop: Client, order: Order) => Promise<boolean | null>): Shop['flow'] {
  let run = 0;
  return async (env: ShopEnv) => {
    const shop = clientOf(env);
    const order = newOrder(`order-${++run}`);
    order.paid = await pay(shop, order);
    return {
      orders: () => [order],
      recover: async () => {
        order.paid ??= await shop.paid(order);
      },
    };
  };
}

const hang = { faults: ['hang'] } as const;
const inFlight = { faults: ['in flight'] } as const;
const expect = { expect: [{ reference: 'order-1', amount: 2000, currency: 'JPY' }] } as const;

export const BESIDE: readonly Twins[] = [
  // The last webhook wins: that of a decline comes after the buyer has paid.
  {
    buggy: {
      name: 'late-decline-wins',
      finds: { verdict: 'paid, not delivered', at: /^charge\.create.*\blate decline\b/ },
      flow: followsWebhooks(true),
    },
    correct: { name: 'status-moves-forward', flow: followsWebhooks(false) },
  },
  // A charge that went on at another provider is not where the shop looks.
  {
    buggy: {
      name: 'own-provider-only',
      finds: { verdict: 'charged twice', at: /^charge\.create.*\bprovider down\b/ },
      flow: looksUp('&ProviderId=00000000000000000000000000000001'),
    },
    correct: { name: 'any-provider', flow: looksUp('') },
  },
  {
    buggy: {
      name: 'customer-twice',
      finds: { verdict: 'created twice', at: /^customer\.create.*\blost\b/ },
      flow: createsCustomer(false),
    },
    correct: { name: 'customer-once', flow: createsCustomer(true) },
  },
  {
    buggy: {
      name: 'yen-divided',
      finds: { error: 'order-1: agreed to 2000 JPY; taken: 20 JPY' },
      flow: inYen(100),
      options: expect,
    },
    correct: { name: 'yen', flow: inYen(1), options: expect },
  },
  {
    buggy: {
      name: 'no-time-out',
      finds: { verdict: 'stuck', at: /^charge\.create.*\bhang\b/ },
      flow: waits(() => null),
      options: hang,
    },
    correct: { name: 'time-out', flow: waits(() => AbortSignal.timeout(60_000)), options: hang },
  },
  // A search before the retry finds nothing as long as the first call is on its way.
  {
    buggy: {
      name: 'searches-too-early',
      finds: { verdict: 'charged twice', at: /^charge\.create.*\bin flight\b/ },
      flow: oneOrder(async (shop, order) => {
        order.paid = await payOnce(shop, order);
      }),
      options: inFlight,
    },
    correct: { name: 'searches-later', flow: waits(() => AbortSignal.timeout(60_000)), options: inFlight },
  },
  {
    buggy: {
      name: 'two-blind-workers',
      finds: { verdict: 'charged twice', at: /^charge\.create order-\d:.*\blost\b/ },
      flow: byTwoWorkers(payBlindly),
    },
    correct: { name: 'two-workers', flow: byTwoWorkers(payOnce) },
  },
  {
    buggy: {
      name: 'random-and-blind',
      finds: { verdict: 'charged twice', at: /^charge\.create:.*\blost\b/ },
      flow: withRandomReference(payBlindly),
    },
    correct: { name: 'random-references', flow: withRandomReference(payOnce) },
  },
  // The buyer changes their mind. Without an answer to the charge, the flow gives up, and one charge is not two.
  {
    buggy: {
      name: 'refunds-then-throws',
      finds: { verdict: 'paid, not delivered', at: /^charge\.create.*\blost\b/ },
      flow: oneOrder(async (shop, order) => {
        const { body } = await shop.charge(order);
        const refund = body.ChargeId ? await shop.refund(body.ChargeId, order.amount) : null;
        Object.assign(order, { paid: isPaid(body), refunded: refund?.ok ? order.amount : 0 });
      }),
    },
    correct: {
      name: 'refunds-everything',
      flow: oneOrder(async (shop, order) => {
        order.paid = await payOnce(shop, order);
        const giveBack = async (): Promise<void> => {
          const [charge] = (await shop.find(order)).filter(({ Status }) => Status !== 'FAILED');
          if (charge && isPaid(charge)) await orNull(shop.refund(charge.ChargeId, order.amount));
          const [last] = (await shop.find(order)).filter(({ Status }) => Status !== 'FAILED');
          order.paid = last !== undefined;
          order.refunded = last?.RefundedAmount ?? 0;
        };
        await giveBack().catch(() => (order.paid = null));
        return async () => {
          if (!order.refunded) await giveBack();
        };
      }),
    },
  },
];
