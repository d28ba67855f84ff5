import { type BuggyShop, type Charge, type Client, isPaid, oneOrder, type Order, orNull } from './client.js';

/** Shops that reserve money first, and take it later. */

async function findHeld(shop: Client, order: Order): Promise<Charge | undefined> {
  const charges = await shop.find(order);
  return charges.find(({ Status }) => Status === 'Authorised');
}

/** Authorises an amount; if the answer is not a success, looks. */
async function authorise(shop: Client, order: Order): Promise<string | undefined> {
  const answer = await orNull(shop.charge(order, { Capture: false }));
  return (answer?.ok ? answer.body : await findHeld(shop, order))?.ChargeId;
}

/** Voids what is still reserved for an order that is not delivered. */
async function release(shop: Client, order: Order): Promise<void> {
  for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
    const held = await findHeld(shop, order);
    if (!held) return;
    await orNull(shop.cancel(held.ChargeId));
  }
}

/** Captures an authorisation; if the answer is not a success, looks. */
async function isCaptured(shop: Client, id: string, { amount }: Order): Promise<boolean> {
  const answer = await orNull(shop.capture(id, amount));
  return answer?.ok || isPaid(await shop.read(`/charge/${id}`));
}

export const AUTHORISATIONS: readonly BuggyShop[] = [
  // Paid at authorisation: delivers as soon as the money is reserved, and does not look at the capture.
  {
    name: 'paid-at-authorisation',
    finds: { verdict: 'delivered, not paid', at: /^charge\.capture.*\brefused\b/ },
    flow: oneOrder(async (shop, order) => {
      const held = await authorise(shop, order);
      if (held) {
        order.paid = true;
        await orNull(shop.capture(held, order.amount));
      }
    }),
  },
  // Never voids: an order whose capture fails is cancelled, but its authorisation is forgotten.
  {
    name: 'never-voids',
    finds: { verdict: 'left open', at: /^charge\.capture.*\bdeclined\b/ },
    flow: oneOrder(async (shop, order) => {
      const held = await authorise(shop, order);
      order.paid = held !== undefined && (await isCaptured(shop, held, order));
    }),
  },
  // Void sent and forgotten: the shop does not look whether it worked, or try again.
  {
    name: 'forgotten-void',
    finds: { verdict: 'left open', at: /^charge\.void.*\brefused\b/ },
    flow: oneOrder(async (shop, order) => {
      const held = await authorise(shop, order);
      // It is sold out.
      if (held) await orNull(shop.cancel(held));
    }),
  },
  // Capture after expiry assumed: a 409 "can only be an authorisation that we have captured before".
  {
    name: 'conflict-is-captured',
    finds: { verdict: 'delivered, not paid', at: /^charge\.capture.*\bexpired\b/ },
    flow: oneOrder(async (shop, order) => {
      const held = await authorise(shop, order);
      if (!held) return;
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        const answer = await orNull(shop.capture(held, order.amount));
        order.paid = answer !== null && (answer.ok || answer.status === 409);
      }
      await orNull(release(shop, order));
      return () => release(shop, order);
    }),
  },
  // Already captured taken for a failure: the retry of a lost capture is refused, and the order is cancelled.
  {
    name: 'repeated-capture-is-failure',
    finds: { verdict: 'paid, not delivered', at: /^charge\.capture.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      const held = await authorise(shop, order);
      if (!held) return;
      const once = (): ReturnType<typeof shop.capture> => shop.capture(held, order.amount);
      const answer = (await orNull(once())) ?? (await orNull(once()));
      order.paid = answer?.ok ?? false;
      await orNull(release(shop, order));
      return () => release(shop, order);
    }),
  },
];
