import { requireConformity } from './conformity.js';
import { AMEX, AMOUNTS, DOWN, FLAKY, STEADY, VISA, account, agreement, batchOf, cardOf } from './bodies.js';
import { bankCharge, UNFUNDED } from './instruments.js';

/** One request of a trace. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT';
  readonly path: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What of an answer must be the same each time: all but what the transport adds. */
export interface Recorded {
  readonly call: string;
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Fetch = (request: Request) => Promise<Response>;

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') === true;

const KEPT = /^(?:x-|content-type$|retry-after$|allow$|access-control-|vary$)/;

/** A call as `fetch` takes it. */
export function initOf(
  key: string,
  { method, body, headers }: Pick<Call, 'body' | 'headers'> & { readonly method: string },
): RequestInit {
  return {
    method,
    headers: {
      'x-secretkey': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

/** Sends one call and records the answer. */
export async function record(fetch: Fetch, base: string, key: string, call: Call): Promise<Recorded> {
  const { method, path } = call;
  const named = `${method} ${path}`;
  try {
    const request = new Request(base + path, initOf(key, call));
    const response = await fetch(request);
    const text = await response.text();
    // A garbled answer may promise JSON and have none.
    if (isJson(response) && /^[[{]/.test(text)) requireConformity(request, response, JSON.parse(text));
    const kept = [...response.headers].filter(([name]) => KEPT.test(name)).sort();
    return {
      call: named,
      status: response.status,
      // The page of a payment link stands under the origin that was called.
      text: text.replaceAll(`"${base}/`, '"http://localhost/'),
      headers: Object.fromEntries(kept),
    };
  } catch (error) {
    if (error instanceof TypeError) return { call: named, status: 0, text: '', headers: {} };
    throw error;
  }
}

/** Reads a text of an answer, such as `DefaultPaymentMethod.VaultId`. */
function pick(recorded: Recorded, path: string): string {
  let value: unknown = JSON.parse(recorded.text);
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name];
  if (typeof value !== 'string') throw new Error(`No ${path} in ${recorded.call}: ${recorded.text}`);
  return value;
}

const charge = (more: object = {}): object => ({
  Amount: '15.50',
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
  ...more,
});

type Send = (call: Call) => Promise<Recorded>;

/** How many requests `playTrace` sends at least. */
export const TRACE_MIN = 60;

/**
 * Plays the long trace: all nineteen operations and those beyond them, refusals, declines, a lost answer, draws, batches under a
 * moving clock, payments that are no cards, searches. Later requests use identifiers of earlier answers.
 */
export async function playTrace(send: Send): Promise<void> {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send({ method: 'POST', path, body, headers });
  const get = (path: string) => send({ method: 'GET', path });
  const del = (path: string, headers: Record<string, string> = {}) =>
    send({ method: 'DELETE', path, headers });

  await playCharges(post, get, del);
  const { method, customer, vault } = await playStored(post, get, del);
  await playBatches(post, get, method);
  await playInstruments(post, get);
  await playRefusals(post, get, send);

  await get('/customer?Name=smith');
  await get('/customer?Email=JO@example.com&SortBy=-Date');
  await get(`/charge?CustomerId=${customer}`);
  await get('/charge?Limit=3&Skip=2&SortBy=-Amount');
  await get('/charge?Reference=lost');
  await get(`/vault/${vault}`);
  await playFurther(post, get, del, send);
  await get('/_sandbox/world');
}

type Post = (path: string, body: unknown, headers?: Record<string, string>) => Promise<Recorded>;
type Get = (path: string) => Promise<Recorded>;
type Del = (path: string, headers?: Record<string, string>) => Promise<Recorded>;

async function playCharges(post: Post, get: Get, del: Del): Promise<void> {
  const authorised = pick(await post('/charge/card', charge({ Capture: false, Reference: 'a' })), 'ChargeId');
  await post(`/charge/${authorised}`, { Amount: 10 });
  await del(`/refund/${authorised}?Amount=2.5&Comment=a+b`);
  await del(`/refund/${authorised}`);
  await del(`/refund/${authorised}`);
  await get(`/charge/${authorised}`);
  const voided = pick(await post('/charge/card', charge({ Capture: false })), 'ChargeId');
  await del(`/charge/${voided}/void`);
  await del(`/charge/${voided}/void`);
  await post('/charge/card', charge({ PaymentInformation: cardOf('4000000000009995') }));
  await post('/charge/card', charge({ PaymentInformation: cardOf('4000000000000374') }));
  for (let i = 0; i < 3; i++)
    await post('/charge/card', charge({ PaymentInformation: cardOf('4000000000002222') }));
  for (let i = 0; i < 3; i++) await post('/charge/card', charge({ ProviderId: FLAKY }));
  await post('/charge/card', charge({ ProviderId: AMOUNTS, Amount: '10.51' }));
  await post('/charge/card', charge({ ProviderId: DOWN }));
  await post('/charge/card', charge(), { 'x-sandbox-outcome': 'lost_card' });
  await post('/charge/card', charge({ Reference: 'lost', PaymentInformation: cardOf('4000000000004087') }));
  await post('/charge/card', charge({ PaymentInformation: cardOf('4012888888881881'), Colour: 'red' }));
  await post('/charge/token', { Amount: 5, Token: 'tok_insufficient_funds' });
}

async function playStored(post: Post, get: Get, del: Del) {
  const ProviderId = STEADY;
  const token = pick(await post('/_sandbox/tokens', { ProviderId, PaymentInformation: cardOf() }), 'TokenId');
  const named = { FirstName: 'Jo', LastName: 'Smith', Reference: 'c', Email: 'jo@example.com' };
  await post('/customer/token', { ...named, Token: token });
  await post('/customer/token', { ...named, Token: token });
  const made = await post('/customer/card', {
    ...named,
    ProviderId,
    PaymentInformation: cardOf(),
    VaultCard: true,
    VaultExpireSeconds: 3600,
  });
  const customer = pick(made, 'CustomerId');
  const vault = pick(made, 'DefaultPaymentMethod.VaultId');
  await get(`/vault/${vault}`);
  await post('/charge/customer', { Amount: 5, ProviderId, CustomerId: customer });
  await get(`/vault/${vault}`);
  const amex = cardOf(AMEX, { Ccv: '1234' });
  const method = pick(
    await post('/payment_method/card', { ProviderId, PaymentInformation: amex }),
    'PaymentMethodId',
  );
  await post('/charge/payment_method', { Amount: '7.25', Currency: 'USD', PaymentMethodId: method });
  await post('/payment_method/vault', {
    ProviderId: AMOUNTS,
    PaymentMethodId: pick(made, 'DefaultPaymentMethod.PaymentMethodId'),
    Ccv: '456',
  });
  await post('/payment_method/vault', { ProviderId, PaymentMethodId: method });
  const entry = pick(await post('/vault', { CardNumber: VISA, Ccv: '123', ExpireSeconds: 60 }), 'VaultId');
  await del(`/vault/${entry}`);
  await del(`/vault/${entry}`);
  return { method, customer, vault };
}

/** The operations that only client libraries know. */
async function playFurther(post: Post, get: Get, del: Del, send: Send): Promise<void> {
  const put = (path: string, body: unknown) => send({ method: 'PUT', path, body });
  const stored = { ProviderId: STEADY, PaymentInformation: cardOf(), Reference: 'further' };
  const made = await post('/customer/card', { ...stored, Email: 'ann@example.com' });
  const customer = `/customer/${pick(made, 'CustomerId')}`;
  const first = pick(made, 'DefaultPaymentMethod.PaymentMethodId');
  const second = pick(await post(`${customer}/payment_method/card`, stored), 'PaymentMethodId');
  await post(`${customer}/payment_method/token`, { Token: 'tok_approve', SetDefault: true });
  await post('/payment_method/token', { Token: 'tok_approve' });
  await put(customer, { Email: 'li@example.com', DefaultPaymentMethodId: second });
  await put(`/payment_method/${second}`, { Card: { ExpiryDate: '11/31' } });
  await del(`/payment_method/${first}`);
  await get(`${customer}/payment_method`);
  await get('/payment_method?CardType=VISA&Limit=3');
  await get('/batch?Description=May');
  const authorised = pick(await post('/charge/card', charge({ Capture: false })), 'ChargeId');
  await post(`/charge/${authorised}/capture`, { Amount: 10 });
  await del(`/charge/${authorised}?Amount=4&Comment=late`);
  await del(`/charge/${authorised}`);
  await playTimed(post, get, del, send);
  await del(customer);
  await put(customer, { Phone: '1' });
  await get('/customer?Reference=further&IncludeRemoved=True');
  const tokenised = { PaymentInformation: cardOf(), VaultCard: true };
  const token = await send({
    method: 'POST',
    path: '/token/card',
    body: tokenised,
    headers: { providerid: AMOUNTS },
  });
  await post('/token/card/least_cost', { ...tokenised, Amount: 5 });
  await post('/charge/token', { Amount: 10, Token: pick(token, 'TokenId') });
  await get(`/token/${pick(token, 'TokenId')}`);
  await get('/token?Status=USED');
}

/** What goes on by the clock, and what is read off its charges. */
async function playTimed(post: Post, get: Get, del: Del, send: Send): Promise<void> {
  const put = (path: string, body: unknown) => send({ method: 'PUT', path, body });
  const declining = { ProviderId: STEADY, PaymentInformation: cardOf('4000000000009995') };
  const method = pick(await post('/payment_method/card', declining), 'PaymentMethodId');
  const terms = { Amount: 9.5, Currency: 'AUD', Interval: 'Day', Retry: { Maximum: 2, Interval: 'Hour' } };
  const made = await post('/subscription/payment_method', { PaymentMethodId: method, ...terms });
  const subscription = `/subscription/${pick(made, 'SubscriptionId')}`;
  await post('/_sandbox/clock/advance', { By: '30h' });
  await put(subscription, { ...terms, Amount: 7, EndAfter: { Count: 9 } });
  await put(`${subscription}/status`, { Status: 'Suspended' });
  await get(subscription);
  await get('/subscription?Status=Suspended');
  await del(subscription);
  await del(subscription);
  await get(`/charge?PaymentMethodId=${method}`);
  const link = pick(await post('/payment_link', { Title: 'Gift', Amount: 5 }), 'PaymentLinkId');
  await get(`/payment_link/${link}`);
  await get('/payment_link?SortBy=Title');
  const ChargeId = pick(await post('/charge/card', charge()), 'ChargeId');
  const Transfers = [{ Account: 'acct-1', Amount: 5, Currency: 'AUD', Reference: 'r-1' }];
  const group = { GroupReference: 'g-1', ProviderId: STEADY, ChargeId, Transfers };
  const sent = JSON.parse((await post('/transfer', group)).text) as [{ TransferId: string }];
  await post('/transfer', group);
  await post('/_sandbox/clock/advance', { By: '1d' });
  await get(`/transfer/${sent[0].TransferId}`);
  await get('/transfer?Reference=r-1');
  await get('/settlements?startDate=2026-01-01');
  await get('/version');
}

async function playBatches(post: Post, get: Get, method: string): Promise<void> {
  const rows = [`${method},5,AUD,one`, 'nobody,5,AUD,two', `${method},1.005,AUD,three`];
  const batch = pick(
    await post('/batch/transaction/payment_method', batchOf(rows, { Description: 'May' })),
    'BatchId',
  );
  await get(`/batch/${batch}`);
  for (const By of ['1s', '1100ms', '100ms', '1h']) {
    await post('/_sandbox/clock/advance', { By });
    await get(`/batch/${batch}/status`);
  }
  await get(`/batch/${batch}`);
  await get(`/charge?BatchId=${batch}`);
}

/** Charges of bank accounts are left to wait, so that a settlement is due when the trace ends. */
async function playInstruments(post: Post, get: Get): Promise<void> {
  const ProviderId = STEADY;
  const BankPaymentInformation = account();
  await post('/charge/bank_account', bankCharge({ Reference: 'bank' }));
  await post('/_sandbox/clock/advance', { By: '7d' });
  await post('/charge/bank_account', bankCharge({ BankPaymentInformation: account(UNFUNDED) }));
  const body = { FirstName: 'Jo', ProviderId, BankPaymentInformation };
  const customer = pick(await post('/customer/bank_account', body), 'CustomerId');
  await post('/charge/customer', { Amount: 5, ProviderId, CustomerId: customer });
  await post(`/customer/${customer}/payment_method/payto`, agreement({ SetDefault: true }));
  await post('/charge/customer', { Amount: 5, ProviderId, CustomerId: customer });
  await post('/charge/customer', { Amount: 501, ProviderId, CustomerId: customer });
  await post('/token/payto', agreement());
  const token = { ProviderId, ProviderToken: 'pm_1', ProviderTokenData: { network: 'visa' } };
  await post('/payment_method/provider_single_use_token', token);
  await post('/payment_method/provider_single_use_token', token);
  await get('/charge?PaymentType=BANK_ACCOUNT');
  await get(`/customer/${customer}`);
}

async function playRefusals(post: Post, get: Get, send: Send): Promise<void> {
  await post('/charge/card', '{"Amount":1,"Amount":2}');
  await post('/charge/card', charge({ Amount: 0 }));
  await post('/vault', { CardNumber: VISA, ExpireSeconds: 1, ExpireDate: '2031-01-01T00:00:00Z' });
  await post('/batch/transaction/payment_method', { Count: 2, Description: 'd', Batch: 'x' });
  await get('/charge?Limit=0');
  await get('/charges');
  await send({ method: 'PUT', path: '/charge/card', body: {} });
}
