import { describe, expect, test } from 'vitest';

import { STEADY, account, agreement, cardOf, storing } from '../support/bodies.js';
import { bankCharge } from '../support/instruments.js';
import { successStatus } from '../support/conformity.js';
import { type Answer, client, type Client, good, testSandbox } from '../support/sandbox.js';
import { expectRefused, textIn } from '../support/stored.js';
import { words } from '../support/tables.js';

const ACCOUNT = { ProviderId: STEADY, BankPaymentInformation: account() };
const TOKEN = { ProviderId: STEADY, ProviderToken: 'pm_1' };
const CARD = storing();
const TERMS = { Amount: 5, Currency: 'AUD', Interval: 'Month', Frequency: 1 };
const PART = { Account: 'acct-1', Amount: 1, Currency: 'AUD' };

const SUBSCRIPTION = { Types: ['Batch'], Url: 'https://example.com' };
const PROVIDER = { Type: 'dummy', Name: 'primary', Environment: 'SANDBOX', Currency: 'NZD' };

/** A world with a customer, a method of it, an authorised charge and a provider, by their places in paths. */
async function setup() {
  const api = client(testSandbox());
  const made = await api.post('/customer/card', { ...CARD, Email: 'jo@example.com' });
  const charge = await api.charge({ ...CARD, Amount: 5, Capture: false });
  const provider = await api.post('/provider', PROVIDER);
  const token = await api.post('/_sandbox/tokens', CARD);
  const method = textIn(made, 'DefaultPaymentMethod', 'PaymentMethodId');
  const taken = textIn(await api.charge({ ...CARD, Amount: 5 }), 'ChargeId');
  const subscription = await api.post('/subscription/payment_method', {
    PaymentMethodId: method,
    StartDate: '2027-01-01T00:00:00Z',
    ...TERMS,
  });
  const group = { GroupReference: 'g-1', ProviderId: STEADY, ChargeId: taken, Transfers: [PART] };
  const [transfer] = (await api.post('/transfer', group)).body as unknown as [{ TransferId: string }];
  const ids: Record<string, string> = {
    provider: textIn(provider, 'ProviderId'),
    taken,
    subscription: textIn(subscription, 'SubscriptionId'),
    link: textIn(await api.post('/payment_link', { Title: 'Gift' }), 'PaymentLinkId'),
    transfer: transfer.TransferId,
    token: textIn(token, 'TokenId'),
    customer: textIn(made, 'CustomerId'),
    method,
    charge: textIn(charge, 'ChargeId'),
  };
  return { api, ids };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

function call(api: Client, method: Method, path: string, body: unknown): Promise<Answer> {
  if (method === 'GET') return api.get(path);
  if (method === 'DELETE') return api.del(path);
  return method === 'PUT' ? api.put(path, body) : api.post(path, body);
}

type BodyOf = (ids: Record<string, string>) => unknown;

const CALLS: [operation: string, method: Method, path: string, body?: object | BodyOf][] = [
  ['charge.search', 'GET', '/charge'],
  ['charge.capture', 'POST', '/charge/{charge}/capture', { Amount: 5 }],
  ['charge.void', 'DELETE', '/charge/{charge}'],
  ['customer.search', 'GET', '/customer'],
  ['customer.update', 'PUT', '/customer/{customer}', { Email: 'new@example.com' }],
  ['customer.remove', 'DELETE', '/customer/{customer}'],
  ['paymentMethod.search', 'GET', '/customer/{customer}/payment_method'],
  ['paymentMethod.create', 'POST', '/customer/{customer}/payment_method/card', CARD],
  ['paymentMethod.create', 'POST', '/customer/{customer}/payment_method/token', { Token: 'tok_approve' }],
  ['paymentMethod.search', 'GET', '/payment_method'],
  ['paymentMethod.create', 'POST', '/payment_method/token', { Token: 'tok_approve' }],
  ['paymentMethod.update', 'PUT', '/payment_method/{method}', { Card: { ExpiryDate: '11/31' } }],
  ['paymentMethod.remove', 'DELETE', '/payment_method/{method}'],
  ['batch.search', 'GET', '/batch'],
  ['charge.create', 'POST', '/charge/card/least_cost', { Amount: 5, PaymentInformation: cardOf() }],
  ['provider.create', 'POST', '/provider', PROVIDER],
  ['provider.read', 'GET', '/provider/{provider}'],
  ['provider.update', 'PUT', '/provider/{provider}', { Name: 'renamed' }],
  ['provider.remove', 'DELETE', '/provider/{provider}'],
  ['info.read', 'GET', '/info'],
  ['info.read', 'GET', '/info/providers'],
  ['info.read', 'GET', '/info/providers/{provider}'],
  ['info.read', 'GET', '/info/providers/token/tok_approve'],
  ['info.read', 'GET', '/info/default_fallback_provider'],
  ['charge.create', 'POST', '/charge/bank_account', bankCharge()],
  [
    'charge.create',
    'POST',
    '/charge/network_token',
    { Amount: 5, ProviderId: STEADY, NetworkTokenId: 'tok_approve' },
  ],
  ['customer.create', 'POST', '/customer/bank_account', ACCOUNT],
  ['customer.create', 'POST', '/customer/payto', { PayToAgreement: agreement() }],
  ['customer.create', 'POST', '/customer/provider_token', TOKEN],
  ['customer.create', 'POST', '/customer/provider_single_use_token', TOKEN],
  ['paymentMethod.create', 'POST', '/customer/{customer}/bank_account', ACCOUNT],
  ['paymentMethod.create', 'POST', '/customer/{customer}/payment_method/payto', agreement()],
  ['paymentMethod.create', 'POST', '/payment_method/bank_account', ACCOUNT],
  ['paymentMethod.create', 'POST', '/payment_method/payto', agreement()],
  ['paymentMethod.create', 'POST', '/payment_method/provider_token', TOKEN],
  ['paymentMethod.create', 'POST', '/payment_method/provider_single_use_token', TOKEN],
  ['token.create', 'POST', '/token/payto', agreement()],
  ['vault.create', 'POST', '/vault', { CardNumber: '4111111111111111' }],
  ['webhookSubscription.create', 'POST', '/webhook/subscription', SUBSCRIPTION],
  ['webhookSubscription.search', 'GET', '/webhook/subscription'],
  [
    'subscription.create',
    'POST',
    '/subscription/payment_method',
    (ids) => ({ PaymentMethodId: ids['method'], ...TERMS }),
  ],
  ['subscription.read', 'GET', '/subscription/{subscription}'],
  ['subscription.search', 'GET', '/subscription'],
  ['subscription.update', 'PUT', '/subscription/{subscription}', TERMS],
  ['subscription.setStatus', 'PUT', '/subscription/{subscription}/status', { Status: 'Suspended' }],
  ['subscription.cancel', 'DELETE', '/subscription/{subscription}'],
  ['paymentLink.create', 'POST', '/payment_link', { Title: 'Gift' }],
  ['paymentLink.read', 'GET', '/payment_link/{link}'],
  ['paymentLink.search', 'GET', '/payment_link'],
  [
    'transfer.create',
    'POST',
    '/transfer',
    (ids) => ({ GroupReference: 'g-2', ProviderId: STEADY, ChargeId: ids['taken'], Transfers: [PART] }),
  ],
  ['transfer.read', 'GET', '/transfer/{transfer}'],
  ['transfer.search', 'GET', '/transfer'],
  ['settlement.search', 'GET', '/settlements?startDate=2026-01-01'],
  ['version.read', 'GET', '/version'],
  ['token.create', 'POST', '/token/card/least_cost', { ...CARD, Amount: 5 }],
  ['token.search', 'GET', '/token'],
  ['token.read', 'GET', '/token/{token}'],
];

const filled = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');

/** A body, or what it is made of with the identifiers of a world. */
const bodyOf = (body: object | BodyOf | undefined, ids: Record<string, string>): unknown =>
  typeof body === 'function' ? (body as BodyOf)(ids) : body;

describe('an operation', () => {
  test.each(CALLS)('%s is named so in the journal: %s %s', async (operation, method, path, body) => {
    const { api, ids } = await setup();
    const status = successStatus(method, path);
    expect((await call(api, method, filled(path, ids), bodyOf(body, ids))).status).toBe(status);
    const { Entries } = (await api.read('/_sandbox/journal?Limit=1')) as { Entries: unknown[] };
    expect(Entries).toMatchObject([{ Operation: operation, Method: method, Status: status }]);
  });

  test.each(CALLS)('%s takes a fault that is queued for it: %s %s', async (Operation, method, path, body) => {
    const { api, ids } = await setup();
    const fault = { Fault: 'status', Status: 418 };
    await good(api.queue(Operation, [fault]));
    const before = await api.read('/_sandbox/state');
    expect((await call(api, method, filled(path, ids), bodyOf(body, ids))).status).toBe(418);
    const after = await api.read('/_sandbox/state');
    for (const table of words`
      Charges Customers PaymentMethods Subscriptions PaymentLinks Transfers Providers WebhookSubscriptions
    `) {
      expect(after[table]).toEqual(before[table]);
    }
    const again = await call(api, method, filled(path, ids), bodyOf(body, ids));
    expect(again.status).toBe(successStatus(method, path));
  });

  test.each(CALLS)('%s needs a key: %s %s', async (_, method, path, body) => {
    const sandbox = testSandbox();
    expectRefused(await call(client(sandbox, null), method, filled(path, {}), bodyOf(body, {})), 401, 40);
  });

  test.each(CALLS.filter(([, method]) => method === 'POST' || method === 'PUT'))(
    '%s refuses a body that is not an object, and a missing body: %s %s',
    async (_, method, path) => {
      const { api, ids } = await setup();
      expectRefused(await call(api, method, filled(path, ids), '[]'), 400, 90);
      expectRefused(await call(api, method, filled(path, ids), '{'), 400, 90);
    },
  );

  test('is met by a rule for its customer or its card’s number', async () => {
    const { api, ids } = await setup();
    const Definition = {
      name: 'picky',
      rules: [
        { when: { operation: 'customer.*', customer: ids['customer'] }, then: { respond: { status: 418 } } },
        { when: { operation: 'paymentMethod.*', card: '4111*' }, then: { respond: { status: 419 } } },
      ],
    };
    await api.play(Definition);
    expect((await api.put(`/customer/${ids['customer']}`, {})).status).toBe(418);
    expect((await api.del(`/payment_method/${ids['method']}`)).status).toBe(419);
    await good(api.get('/customer'));
  });

  test('stands among the known paths', async () => {
    const api = client(testSandbox());
    const answer = await api.get('/customer/x/payment_methods');
    expectRefused(answer, 404, 90);
    expect(answer.body['Message']).toContain('/customer/{id}/payment_method');
  });
});

describe('a method that a path does not take', () => {
  test.each([
    ['GET', '/charge/card', 'POST'],
    ['GET', '/charge/token', 'POST'],
    ['GET', '/charge/customer', 'POST'],
    ['GET', '/charge/payment_method', 'POST'],
    ['GET', '/charge/bank_account', 'POST'],
    ['GET', '/charge/card/least_cost', 'POST'],
    ['GET', '/charge/{charge}/capture', 'POST'],
    ['GET', '/customer/card', 'POST'],
    ['GET', '/customer/token', 'POST'],
    ['POST', '/customer/{customer}', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/payment_method/{method}', 'GET, HEAD, PUT, DELETE'],
    ['DELETE', '/payment_method', 'GET, HEAD'],
    ['GET', '/payment_method/token', 'POST'],
    ['PUT', '/payment_method/card', 'POST'],
    ['POST', '/vault/unknown', 'GET, HEAD, DELETE'],
    ['POST', '/batch', 'GET, HEAD'],
    ['GET', '/token/card', 'POST'],
    ['GET', '/provider', 'POST'],
    ['POST', '/info', 'GET, HEAD'],
    ['DELETE', '/info/providers', 'GET, HEAD'],
    ['POST', '/provider/{provider}', 'GET, HEAD, PUT, DELETE'],
  ] as const)('is refused with those that it takes: %s %s, %s', async (method, path, allow) => {
    const { api, ids } = await setup();
    const answer = await call(api, method, filled(path, ids), method === 'GET' ? undefined : {});
    expectRefused(answer, 405, 90);
    expect(answer.headers.get('allow')).toBe(`${allow}, OPTIONS`);
  });
});

describe('a fixed path', () => {
  const { router, routes } = testSandbox().app;
  const fixed = routes.filter(({ method, path }) => method !== 'ALL' && !path.includes(':'));

  test.each(fixed.map(({ method, path }) => [method, path]))(
    'wins over a path with a placeholder that it fits too: %s %s',
    (method, path) => {
      const [[[, params] = []]] = router.match(method, path);
      expect(params).toEqual({});
    },
  );
});
