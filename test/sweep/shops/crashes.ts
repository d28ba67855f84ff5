import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type BuggyShop,
  buyer,
  clientOf,
  newOrder,
  type Order,
  orNull,
  payOnce,
  type Shop,
  type ShopEnv,
} from './client.js';
import { batchOf } from './recurring.js';

/** Shops that end half-way, and go on from what they saved. */

const options = { crash: true } as const;

/** What a shop has on its disk. It is there only after `save`. */
function openDisk<T extends object>({ disk }: ShopEnv, empty: T): { readonly saved: T; save(): void } {
  const file = join(disk, 'shop.json');
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : empty;
  return { saved, save: () => writeFileSync(file, JSON.stringify(saved)) };
}

/** Sends a batch unless there is one with its Description, and returns its number; null if nobody answers. */
async function sendBatch(env: ShopEnv, orders: Order[], description: string): Promise<string | null> {
  const shop = clientOf(env);
  const find = async () => (await shop.read(`/batch?Description=${description}`)).Batches?.[0]?.BatchId;
  const body = batchOf(orders, await shop.storeCard(), description);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const found = await orNull(find());
    if (found !== undefined) return found;
    const answer = await orNull(shop.call('POST', '/batch/transaction/payment_method', body));
    if (answer?.body.BatchId) return answer.body.BatchId;
  }
  return null;
}

export const CRASHES: readonly BuggyShop[] = [
  // Saved after the charge: the next start finds no Reference to search for, and makes another one.
  {
    name: 'saves-after',
    options,
    finds: { verdict: 'charged twice', at: /^charge\.create order-1-a.*\bcrash after\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const { saved, save } = openDisk(env, { order: null as Order | null });
      // As a random one would be, it is another one in each life.
      const order = saved.order ?? newOrder(env.restarted ? 'order-1-b' : 'order-1-a');
      if (saved.order === null) order.paid = await payOnce(shop, order);
      saved.order = order;
      save();
      return {
        orders: () => [order],
        recover: async () => void (order.paid ??= await shop.paid(order)),
      };
    },
  },
  // The number of a batch lost: it was saved as sent, so nobody sends it again, and nobody can ask for it.
  {
    name: 'loses-batch-number',
    options,
    finds: { verdict: 'paid, not delivered', at: /^batch\.create.*\bcrash after\b/ },
    flow: async (env) => {
      const shop = clientOf(env);
      const orders = [newOrder('flat-1', 12.5), newOrder('flat-2', 14)];
      const { saved, save } = openDisk(env, { isSent: false, batchId: null as string | null });
      if (!saved.isSent) {
        saved.isSent = true;
        save();
        saved.batchId = await sendBatch(env, orders, 'rent-of-May');
        save();
      }
      return {
        orders: () => orders,
        recover: async () => {
          if (saved.batchId === null) return;
          for (const order of orders) order.paid = await shop.paid(order);
        },
      };
    },
  },
];

export const RESUMING: readonly Shop[] = [
  // Saves the order with its Reference first. After a crash it searches before it charges.
  {
    name: 'saves-before',
    options,
    flow: async (env) => {
      const shop = clientOf(env);
      const { saved, save } = openDisk<{ order: Order }>(env, { order: { ...newOrder(), paid: null } });
      const { order } = saved;
      save();
      await buyer(async () => {
        const found = env.restarted ? await shop.paid(order) : false;
        order.paid = found === false ? await payOnce(shop, order) : found;
        save();
        return order.paid;
      });
      return {
        orders: () => [order],
        recover: async () => {
          order.paid ??= await shop.paid(order);
          save();
        },
      };
    },
  },
  // Knows its batch by the Description, and each order by its Reference, so there is no number to lose.
  {
    name: 'finds-batch-again',
    options,
    flow: async (env) => {
      const shop = clientOf(env);
      const { saved, save } = openDisk(env, {
        orders: [newOrder('flat-1', 12.5), newOrder('flat-2', 14)].map((one): Order => ({
          ...one,
          paid: null,
        })),
      });
      save();
      await orNull(sendBatch(env, saved.orders, 'rent-of-May'));
      return {
        orders: () => saved.orders,
        recover: async () => {
          for (const order of saved.orders) order.paid = await shop.paid(order);
          save();
        },
      };
    },
  },
];
