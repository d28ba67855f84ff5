import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { client, good, testSandbox } from '../support/sandbox.js';
import { cardOf, FLAKY, STEADY, storing, VISA, batchOf } from '../support/bodies.js';
import { after, EMPTY, expectRefused, NOW, textIn } from '../support/stored.js';
import { type Call, type Fetch, record, type Recorded } from '../support/trace.js';

function setup() {
  const sandbox = testSandbox();
  return { sandbox, a: client(sandbox, 'sk_test_a'), b: client(sandbox, 'sk_test_b') };
}

const charge = (more: object = {}): object => ({
  Amount: 5,
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
  ...more,
});

/** One record of each kind in the world of a key. */
async function fill(api: ReturnType<typeof client>) {
  const customer = await api.post(
    '/customer/card',
    storing({ VaultCard: true, Reference: 'shared', Email: 'jo@example.com', FirstName: 'Jo' }),
  );
  const method = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
  const authorised = await api.charge(charge({ Capture: false, Reference: 'shared' }));
  const batch = await api.post('/batch/transaction/payment_method', batchOf([`${method},5,AUD,shared`]));
  const subscription = await api.post('/subscription/payment_method', {
    PaymentMethodId: method,
    Amount: 5,
    Currency: 'AUD',
    Interval: 'Month',
    StartDate: '2027-01-01T00:00:00Z',
  });
  const taken = await api.charge(charge());
  const sent = await api.post('/transfer', {
    GroupReference: 'shared',
    ProviderId: STEADY,
    ChargeId: textIn(taken, 'ChargeId'),
    Transfers: [{ Account: 'acct-1', Amount: 1, Currency: 'AUD', Reference: 'shared' }],
  });
  const [transfer] = sent.body as unknown as [{ TransferId: string }];
  const token = await api.post('/_sandbox/tokens', storing());
  return {
    customer: textIn(customer, 'CustomerId'),
    method,
    vault: textIn(customer, 'DefaultPaymentMethod', 'VaultId'),
    charge: textIn(authorised, 'ChargeId'),
    subscription: textIn(subscription, 'SubscriptionId'),
    link: textIn(await api.post('/payment_link', { Title: 'shared' }), 'PaymentLinkId'),
    transfer: transfer.TransferId,
    batch: textIn(batch, 'BatchId'),
    token: textIn(token, 'TokenId'),
  };
}
type Ids = Awaited<ReturnType<typeof fill>>;

const PAID = { Amount: 5, Currency: 'AUD', ProviderId: STEADY };

describe('the records of one key', () => {
  test.each<
    [what: string, call: (ids: Ids) => [Call['method'], string, object?], status: number, code: number]
  >([
    ['a charge to read', (ids) => ['GET', `/charge/${ids.charge}`], 404, 84],
    ['a charge to capture', (ids) => ['POST', `/charge/${ids.charge}`, { Amount: 5 }], 404, 84],
    [
      'a charge to capture by its other path',
      (ids) => ['POST', `/charge/${ids.charge}/capture`, { Amount: 5 }],
      404,
      84,
    ],
    ['a charge to void', (ids) => ['DELETE', `/charge/${ids.charge}/void`], 404, 84],
    ['a charge to refund', (ids) => ['DELETE', `/refund/${ids.charge}`], 404, 84],
    ['a charge to give back', (ids) => ['DELETE', `/charge/${ids.charge}`], 404, 84],
    ['a customer to change', (ids) => ['PUT', `/customer/${ids.customer}`, {}], 404, 52],
    ['a customer to remove', (ids) => ['DELETE', `/customer/${ids.customer}`], 404, 52],
    ['the methods of a customer', (ids) => ['GET', `/customer/${ids.customer}/payment_method`], 404, 52],
    ['a customer to read', (ids) => ['GET', `/customer/${ids.customer}`], 404, 52],
    [
      'a customer to charge',
      (ids) => ['POST', '/charge/customer', { ...PAID, CustomerId: ids.customer }],
      404,
      52,
    ],
    [
      'a payment method to change',
      (ids) => ['PUT', `/payment_method/${ids.method}`, { Card: { ExpiryDate: '11/31' } }],
      404,
      56,
    ],
    ['a payment method to remove', (ids) => ['DELETE', `/payment_method/${ids.method}`], 404, 56],
    ['a payment method to read', (ids) => ['GET', `/payment_method/${ids.method}`], 404, 56],
    [
      'a payment method to charge',
      (ids) => ['POST', '/charge/payment_method', { ...PAID, PaymentMethodId: ids.method }],
      404,
      56,
    ],
    [
      'a payment method to copy',
      (ids) => ['POST', '/payment_method/vault', { ...PAID, PaymentMethodId: ids.method }],
      404,
      56,
    ],
    ['a vault entry to read', (ids) => ['GET', `/vault/${ids.vault}`], 404, 62],
    ['a vault entry to delete', (ids) => ['DELETE', `/vault/${ids.vault}`], 404, 62],
    [
      'a vault entry to use',
      (ids) => [
        'POST',
        '/payment_method/vault',
        { ProviderId: STEADY, VaultId: ids.vault, ExpiryDate: '10/30' },
      ],
      404,
      62,
    ],
    ['a token to read', (ids) => ['GET', `/token/${ids.token}`], 404, 87],
    ['a token to charge', (ids) => ['POST', '/charge/token', { Amount: 5, Token: ids.token }], 400, 51],
    [
      'a token to store',
      (ids) => [
        'POST',
        '/customer/token',
        { FirstName: 'a', LastName: 'b', Reference: 'c', Token: ids.token },
      ],
      400,
      51,
    ],
    ['a batch to follow', (ids) => ['GET', `/batch/${ids.batch}/status`], 404, 101],
    ['a batch to read', (ids) => ['GET', `/batch/${ids.batch}`], 404, 101],
    ['a subscription to read', (ids) => ['GET', `/subscription/${ids.subscription}`], 404, 104],
    ['a subscription to cancel', (ids) => ['DELETE', `/subscription/${ids.subscription}`], 404, 104],
    [
      'a payment method to subscribe',
      (ids) => [
        'POST',
        '/subscription/payment_method',
        { PaymentMethodId: ids.method, Amount: 5, Currency: 'AUD', Interval: 'Day' },
      ],
      404,
      56,
    ],
    ['a payment link to read', (ids) => ['GET', `/payment_link/${ids.link}`], 404, 116],
    ['a transfer to read', (ids) => ['GET', `/transfer/${ids.transfer}`], 404, 88],
    [
      'a charge to send on',
      (ids) => [
        'POST',
        '/transfer',
        {
          GroupReference: 'g',
          ProviderId: STEADY,
          ChargeId: ids.charge,
          Transfers: [{ Account: 'a', Amount: 1, Currency: 'AUD' }],
        },
      ],
      404,
      84,
    ],
  ])('are unknown to another: %s', async (_, call, status, code) => {
    const { a, b } = setup();
    const ids = await fill(a);
    const before = await a.counts();
    const [method, path, body] = call(ids);
    const asked = {
      GET: () => b.get(path),
      DELETE: () => b.del(path),
      POST: () => b.post(path, body ?? {}),
      PUT: () => b.put(path, body ?? {}),
    };
    expectRefused(await asked[method](), status, code);
    expect(await a.counts()).toEqual(before);
    expect(await b.counts()).toEqual(EMPTY);
  });

  test('are in no search and no count of another', async () => {
    const { a, b } = setup();
    const ids = await fill(a);
    const charges = [
      '/charge',
      '/charge?Reference=shared',
      `/charge?CustomerId=${ids.customer}`,
      `/charge?PaymentMethodId=${ids.method}`,
      `/charge?BatchId=${ids.batch}`,
      '/charge?CardNumber=4111',
    ];
    const customers = [
      '/customer',
      '/customer?Reference=shared',
      '/customer?Email=jo@example.com',
      '/customer?Name=jo',
    ];
    const others = [
      '/batch',
      '/subscription',
      '/payment_link',
      '/token?AddedAfter=2000-01-01T00:00:00Z',
      '/transfer',
      '/transfer?Reference=shared',
    ];
    for (const path of [...charges, ...customers, ...others]) expect((await b.read(path))['Count']).toBe(0);
    expect(await b.counts()).toEqual(EMPTY);
    expect(await b.read('/settlements?startDate=2026-01-01')).toEqual([]);
    expect((await a.read('/charge?Reference=shared'))['Count']).toBe(1);
  });

  test('are neither seen nor changed by a reset of another', async () => {
    const { a, b } = setup();
    const ids = await fill(a);
    const before = [await a.get(`/charge/${ids.charge}`), await a.get(`/customer/${ids.customer}`)];
    await fill(b);
    await b.post('/_sandbox/reset', { Seed: 'other' });
    expect(await a.read('/_sandbox/world')).toMatchObject({ Seed: '1' });
    expect(await b.counts()).toEqual(EMPTY);
    const now = [await a.get(`/charge/${ids.charge}`), await a.get(`/customer/${ids.customer}`)];
    expect(now.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });
});

describe('the time of one key', () => {
  test('continues without the clock of another', async () => {
    const { a, b } = setup();
    await a.advance('2h');
    expect((await a.read('/_sandbox/clock'))['Now']).toBe(after(7_200_000));
    expect((await b.read('/_sandbox/clock'))['Now']).toBe(NOW);
    expect((await b.charge(charge())).body['DateAdded']).toBe(NOW);
  });

  test('ends no entry, token, authorisation or batch of another', async () => {
    const { a, b } = setup();
    const entry = await a.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 });
    const ids = await fill(a);
    const pending = (await a.counts()) as Record<string, unknown>;
    expect((await b.advance('30d')).body).toMatchObject({ Jobs: 0, Ran: [] });
    expect(await a.counts()).toEqual(pending);
    await good(a.get(`/vault/${textIn(entry, 'VaultId')}`));
    expect((await a.read(`/charge/${ids.charge}`))['Status']).toBe('Authorised');
    expect((await a.read(`/batch/${ids.batch}/status`))['Status']).toBe('RECEIVED');
    await good(a.post('/charge/token', { Amount: 5, Token: ids.token }));
  });

  test('can run in another mode', async () => {
    const { sandbox, a, b } = setup();
    await a.put('/_sandbox/clock', { Mode: 'scaled', Rate: 60 });
    await b.get('/_sandbox/clock');
    sandbox.host.wall += 1000;
    expect(await a.read('/_sandbox/clock')).toMatchObject({ Now: after(60_000), Mode: 'scaled' });
    expect(await b.read('/_sandbox/clock')).toMatchObject({ Now: NOW, Mode: 'manual' });
  });
});

describe('the counters of one key', () => {
  test.each<[what: string, body: object, statuses: number[]]>([
    ['the flaky provider', charge({ ProviderId: FLAKY }), [201, 201, 400]],
    [
      'the card that declines twice',
      charge({ PaymentInformation: cardOf('4000000000002222') }),
      [400, 400, 201],
    ],
  ])('are its own for %s', async (_, body, statuses) => {
    const { a, b } = setup();
    const seen: [number, number][] = [];
    for (let i = 0; i < 3; i++) {
      const first = await a.charge(body);
      seen.push([first.status, (await b.charge(body)).status]);
    }
    expect(seen).toEqual(statuses.map((status) => [status, status]));
  });

  test('are its own for the key that is limited', async () => {
    const sandbox = testSandbox();
    const limited = client(sandbox, 'sk_test_limited');
    for (let i = 0; i < 5; i++) await good(limited.get('/charge'));
    expectRefused(await limited.get('/charge'), 429, 35);
    const other = client(sandbox, 'sk_test_limited_not');
    for (let i = 0; i < 6; i++) await good(other.get('/charge'));
  });
});

/** What a program may do in its world; `ids` holds the identifiers that its earlier answers gave. */
const ACTIONS: readonly ((ids: readonly string[]) => Call)[] = [
  () => ({ method: 'POST', path: '/charge/card', body: charge({ ProviderId: FLAKY, Reference: 'r' }) }),
  () => ({
    method: 'POST',
    path: '/charge/card',
    body: charge({ PaymentInformation: cardOf('4000000000002222'), Capture: false }),
  }),
  () => ({ method: 'POST', path: '/charge/card', body: charge({ Amount: 0 }) }),
  () => ({ method: 'POST', path: '/vault', body: { CardNumber: VISA, Ccv: '123', ExpireSeconds: 90 } }),
  () => ({
    method: 'POST',
    path: '/customer/card',
    body: storing({ VaultCard: true, VaultExpireSeconds: 30 }),
  }),
  () => ({ method: 'POST', path: '/_sandbox/clock/advance', body: { By: '45s' } }),
  () => ({ method: 'GET', path: '/charge?Reference=r&Limit=2' }),
  () => ({ method: 'GET', path: '/customer' }),
  () => ({ method: 'GET', path: '/_sandbox/world' }),
  (ids) => ({ method: 'GET', path: `/vault/${ids.at(-1) ?? 'none'}` }),
  (ids) => ({ method: 'DELETE', path: `/vault/${ids.at(-1) ?? 'none'}` }),
  (ids) => ({ method: 'POST', path: `/charge/${ids.at(0) ?? 'none'}`, body: { Amount: 1 } }),
  (ids) => ({ method: 'DELETE', path: `/refund/${ids.at(0) ?? 'none'}?Amount=1` }),
  (ids) => ({
    method: 'POST',
    path: '/charge/customer',
    body: { Amount: 5, ProviderId: STEADY, CustomerId: ids.at(-1) ?? 'none' },
  }),
  (ids) => ({
    method: 'POST',
    path: '/batch/transaction/payment_method',
    body: batchOf([`${ids.at(-1) ?? 'none'},5,AUD,r`]),
  }),
  () => ({ method: 'POST', path: '/_sandbox/reset', body: {} }),
];

const KEYS = ['sk_test_a', 'sk_test_b', 'sk_test_c'];
type Step = readonly [key: string, action: (ids: readonly string[]) => Call];

const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...ACTIONS));

/** Plays steps in one sandbox; the answers by key. */
async function play(steps: readonly Step[]): Promise<Map<string, Recorded[]>> {
  const fetch: Fetch = testSandbox().fetch;
  const answers = new Map<string, Recorded[]>();
  const ids = new Map(KEYS.map((key) => [key, [] as string[]]));
  for (const [key, action] of steps) {
    const own = ids.get(key) ?? [];
    const answer = await record(fetch, 'http://localhost', key, action(own));
    const id = /"(?:Charge|Vault|Customer|PaymentMethod)Id":"([0-9a-f]{32})"/.exec(answer.text)?.[1];
    if (id !== undefined && answer.status === 200) own.push(id);
    answers.set(key, [...(answers.get(key) ?? []), answer]);
  }
  return answers;
}

describe('any interleaving of requests with different keys', () => {
  test('gives each key the bytes that it gets alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 25 }), async (steps) => {
        const together = await play(steps);
        for (const key of together.keys()) {
          const alone = await play(steps.filter(([of]) => of === key));
          expect(together.get(key)).toEqual(alone.get(key));
        }
      }),
      { numRuns: 60 },
    );
  });
});
