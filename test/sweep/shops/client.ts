import { createHmac } from 'node:crypto';

import type { SweepContext, SweepOptions, World } from '../../../src/index.js';

/** What a flow receives. Each run has a new one. */
export interface ShopEnv {
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly world: World;
  readonly webhookSecret: string;
  readonly together: SweepContext['together'];
  /** Receives the webhooks to `http://shop.test/`. */
  receive(handler: (request: Request) => Response | Promise<Response>): void;
  readonly disk: string;
  readonly restarted: boolean;
}

/** What the shop believes. `paid: null` means that a person has to look. */
export interface Order {
  reference?: string;
  amount: number;
  currency: string;
  paid: boolean | null;
  refunded?: number;
}

export interface Believed {
  readonly orders: () => Order[];
  /** The job that tidies up later. */
  readonly recover?: Recover;
}

export interface Shop {
  readonly name: string;
  readonly flow: (env: ShopEnv) => Promise<Believed>;
  /**
   * What a sweep has to find. `at` matches the point, a colon and the faults: `charge.create order-1: lost, late`. An error is that of
   * the run without faults.
   */
  readonly finds?: { readonly verdict: string; readonly at: RegExp } | { readonly error: string };
  readonly options?: SweepOptions;
}

export type BuggyShop = Shop & Required<Pick<Shop, 'finds'>>;

type Recover = () => Promise<void>;

/** The flow of a shop with one order. What it returns is the job that tidies up later, if there is one. */
export function oneOrder(
  pay: (shop: Client, order: Order, env: ShopEnv) => Promise<Recover | void>,
): Shop['flow'] {
  return async (env) => {
    const order = newOrder();
    const recover = await pay(clientOf(env), order, env);
    return { orders: () => [order], ...(recover && { recover }) };
  };
}

export interface Charge {
  readonly ChargeId: string;
  readonly Status: string;
  readonly Amount: number;
  readonly RefundedAmount: number | null;
}

interface Batch {
  readonly BatchId: string;
}

interface Subscription {
  readonly SubscriptionId: string;
  readonly PaymentMethodId: string;
}

/** The fields that the shops read. An answer has some of them. */
export interface Body extends Partial<Charge>, Partial<Batch>, Partial<Subscription> {
  readonly Code?: number;
  readonly TokenId?: string;
  readonly Charges?: readonly Charge[];
  readonly Batches?: readonly Batch[];
  readonly Customers?: readonly unknown[];
  readonly PaymentMethods?: readonly { readonly PaymentMethodId: string }[];
  readonly Subscriptions?: readonly Subscription[];
}

export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly body: Body;
}

export const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' };
const PROVIDER = '00000000000000000000000000000001';

export type Client = ReturnType<typeof clientOf>;

/** The client that all shops use. It reports what came back, and decides nothing. */
export function clientOf({ url, key, fetch }: ShopEnv) {
  const headers = { 'content-type': 'application/json', 'x-secretkey': key, providerid: PROVIDER };
  const send = (method: string, path: string, body?: object): Promise<Response> => {
    const signal = AbortSignal.timeout(10_000);
    return fetch(url + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
  };

  /** Throws if there is no answer, or one that is not JSON. */
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await send(method, path, body);
    return { status: response.status, ok: response.ok, body: (await response.json()) as Body };
  };

  /** Reading changes nothing, so it is tried three times. Throws without an answer: that is not the same as nothing found. */
  const read = async (path: string): Promise<Body> => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      const answer = await orNull(call('GET', path));
      if (answer?.ok) return answer.body;
    }
    throw new Error(`No answer to ${path}`);
  };
  const find = async ({ reference }: Order) => (await read(`/charge?Reference=${reference}`)).Charges ?? [];

  return {
    send,
    call,
    read,
    find,
    charge: (order: Order, more: object = {}) =>
      call('POST', '/charge/token', { ...paymentOf(order), ...more }),
    capture: (id: string, amount: number) => call('POST', `/charge/${id}`, { Amount: amount }),
    cancel: (id: string) => call('DELETE', `/charge/${id}/void`),
    refund: (id: string, amount: number) => call('DELETE', `/refund/${id}?Amount=${amount}`),
    /** Whether an order was paid according to the gateway; null if the gateway does not answer. */
    paid: async (order: Order) => {
      const charges = await orNull(find(order));
      return charges && charges.some(isPaid);
    },
    /** The card of the only buyer. An earlier attempt may have stored it, although its answer was lost. */
    storeCard: async () => {
      const body = { ProviderId: PROVIDER, PaymentInformation: CARD };
      for (let attempt = 1; attempt <= 3; attempt++) {
        const [known] = (await read('/payment_method')).PaymentMethods ?? [];
        if (known) return known.PaymentMethodId;
        const stored = await orNull(call('POST', '/payment_method/card', body));
        if (stored?.body.PaymentMethodId) return stored.body.PaymentMethodId;
      }
      throw new Error('The card could not be stored');
    },
  };
}

export function paymentOf({ amount, currency, reference }: Order): object {
  return { Amount: amount, Currency: currency, Token: 'tok_approve', Reference: reference };
}

export function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch(() => null);
}

export function newOrder(reference = 'order-1', amount = 20): Order {
  return { reference, amount, currency: 'AUD', paid: false };
}

export function isPaid({ Status = '' }: { readonly Status?: string }): boolean {
  return ['SUCCESS', 'PARTIAL_REFUND'].includes(Status);
}

/** Whether the bank said no. A time-out of the gateway (80) says nothing; a used token (51) may have been used by us. */
export function isDecline(answer: Answer | null): boolean {
  return answer?.status === 400 && ![51, 80].includes(answer.body.Code ?? 80);
}

/** A buyer who is told that the payment failed tries once more; one who is told to wait waits. */
export async function buyer(pay: () => Promise<boolean | null>): Promise<void> {
  const isPaidNow = await pay();
  if (isPaidNow === false) await pay();
}

/** Charges once, whatever happens: if an answer says nothing, it looks before it tries again. Returns null if nobody knows. */
export async function payOnce(shop: Client, order: Order, more: object = {}): Promise<boolean | null> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = await orNull(shop.charge(order, more));
    if (answer !== null && isPaid(answer.body)) return true;
    if (isDecline(answer)) return false;
    const found = await shop.paid(order);
    if (found !== false) return found;
  }
  return false;
}

/** To be sent with a charge that the shop wants to hear about. */
export const HOOK = { Webhook: { Url: 'http://shop.test/hook' } };

export interface Message {
  readonly meta: { readonly messageId: string };
  readonly data: {
    readonly chargeId: string;
    readonly status: string;
    readonly reference: string;
    readonly amount: number;
  };
}

/** Receives signed webhooks. What the handler returns is the status of the answer; if it throws, 500. */
export function onWebhook(env: ShopEnv, handle: (message: Message) => number | Promise<number>): void {
  env.receive(async (request) => {
    const body = await request.text();
    const signature = createHmac('sha256', env.webhookSecret).update(body).digest('base64');
    if (request.headers.get('x-payfurl-signature') !== signature) return new Response(null, { status: 401 });
    const status = await orNull((async () => handle(JSON.parse(body) as Message))());
    return new Response(null, { status: status ?? 500 });
  });
}
