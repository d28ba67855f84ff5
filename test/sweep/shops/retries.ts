import { type BuggyShop, buyer, CARD, isDecline, isPaid, oneOrder, orNull } from './client.js';

/** Shops that try again, and should have looked first. */

export const RETRIES: readonly BuggyShop[] = [
  // Blind retry: whatever went wrong, the charge is sent again.
  {
    name: 'blind-retry',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        const answer = await orNull(shop.charge(order));
        order.paid = answer?.ok ?? false;
      }
    }),
  },
  // New Reference on retry: it does look before each attempt, but for a Reference that nobody has used yet.
  {
    name: 'new-reference',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        order.reference = `order-1-${attempt}`;
        const answer = (await shop.paid(order)) === false ? await orNull(shop.charge(order)) : null;
        order.paid = answer?.ok ?? false;
      }
    }),
  },
  // 500 retried without a search: "a server error means that nothing happened". A lost answer is looked up.
  {
    name: 'retried-server-error',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\bbroken\b/ },
    flow: oneOrder(async (shop, order) => {
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        const answer = await orNull(shop.charge(order));
        if (answer !== null && answer.status >= 500) continue;
        if (isDecline(answer)) break;
        order.paid = answer?.ok || (await shop.paid(order));
      }
    }),
  },
  // Slow taken for lost: the client's own time-out counts as "not sent"; every other doubt is looked up.
  {
    name: 'slow-taken-for-lost',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\blate\b/ },
    flow: oneOrder(async (shop, order) => {
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        try {
          const answer = await shop.charge(order);
          if (isDecline(answer)) break;
          order.paid = answer.ok || (await shop.paid(order));
        } catch (error) {
          if ((error as Error).name !== 'TimeoutError') order.paid = await shop.paid(order);
        }
      }
    }),
  },
  // Blind retry by a job: the checkout hands doubtful orders over to a job, and the job simply charges them.
  {
    name: 'blind-job',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      const pay = async (): Promise<void> => {
        const answer = await orNull(shop.charge(order));
        order.paid = answer && (isDecline(answer) ? false : answer.ok || null);
      };
      await pay();
      return async () => {
        if (order.paid === null) await pay();
      };
    }),
  },
  // Search error taken for not found: the body of an error has no list either. It takes two failures to lose money.
  {
    name: 'search-error-is-not-found',
    finds: { verdict: 'charged twice', at: /charge\.search.*\bunavailable\b/ },
    flow: oneOrder(async (shop, order) => {
      for (let attempt = 1; attempt <= 3 && !order.paid; attempt++) {
        const answer = await orNull(shop.charge(order));
        if (isDecline(answer)) break;
        if (answer?.ok) order.paid = true;
        else {
          const search = await orNull(shop.call('GET', `/charge?Reference=${order.reference}`));
          order.paid = (search?.body.Charges ?? []).some(isPaid);
        }
      }
    }),
  },
  // Used token taken for a decline: a token can be charged once, so the retry is safe, but its refusal (51) does not say who used it.
  {
    name: 'used-token-is-decline',
    finds: { verdict: 'charged twice', at: /^charge\.create.*\blost\b/ },
    flow: oneOrder(async (shop, order) => {
      await buyer(async () => {
        const token = await orNull(shop.call('POST', '/token/card', { PaymentInformation: CARD }));
        if (!token?.body.TokenId) return false;
        for (let attempt = 1; attempt <= 3; attempt++) {
          const answer = await orNull(shop.charge(order, { Token: token.body.TokenId }));
          order.paid = answer && (answer.status === 400 ? false : answer.ok || null);
          if (order.paid !== null) break;
        }
        return order.paid;
      });
    }),
  },
];
