import type { Order, SweepContext } from '../../src/index.js';
import { charging } from '../client/support.js';

/** Where the shops of these tests receive webhooks. */
export const HOOK = { Webhook: { Url: 'http://shop.test/hook' } };

/** What a shop needs to call the service. */
type Caller = Pick<SweepContext, 'url' | 'key' | 'fetch'>;

/** Calls the service to charge 5 AUD. */
export function pay(
  { url, key, fetch }: Caller,
  reference = 'order-1',
  more: object = {},
): Promise<Response> {
  const init = charging(reference, more);
  return fetch(`${url}/charge/token`, {
    ...init,
    headers: { 'content-type': 'application/json', 'x-secretkey': key },
  });
}

export function order(paid: boolean | null = true, reference = 'order-1'): Order {
  return { reference, amount: 5, paid };
}

/** A shop that charges again when it gets no answer, and believes any answer with a status below 300. */
export async function blindRetry(context: Caller, more: object = {}): Promise<{ orders(): Order[] }> {
  const answer = await pay(context, 'order-1', more)
    .catch(() => pay(context, 'order-1', more))
    .catch(() => null);
  return { orders: () => [order(answer?.ok ?? false)] };
}
