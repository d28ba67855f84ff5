import { describe, expect } from 'vitest';

import { OUTCOMES } from '../../../src/outcomes/outcomes.js';
import { FALLBACKS_MAX } from '../../../src/resources/charges/failover.js';
import { account, agreement, batchOf, cardOf, NO_FUNDS, STEADY } from '../../support/bodies.js';
import { asking, type Answer, client, type Client, good, triggerOf } from '../../support/sandbox.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';
import { configured } from '../providers/support.js';
import { cardCharge, token } from './support.js';

/** Providers of a scenario by their names. */
const IDS = { a: 'a'.repeat(32), b: 'b'.repeat(32), c: 'c'.repeat(32) } as const;
type Providers = Partial<Record<keyof typeof IDS, object>>;

const DOWN = { fails: { every: 1 } };
const UP = { fails: undefined };
const NO_AUTHORISE = { features: { authorise: false } };
/** The published card that is `provider_unavailable`. */
const UNAVAILABLE = '4000000000005027';

/** Plays a scenario in which `a` is down and falls back on `b`, and `b` on `c`. */
const play = (api: Client, more: Providers = {}, rest: object = {}): Promise<Answer> =>
  good(
    api.play({
      name: 'failover',
      providers: [
        { name: 'a', providerId: IDS.a, ...DOWN, fallback: 'b', ...more.a },
        { name: 'b', providerId: IDS.b, fallback: 'c', ...more.b },
        { name: 'c', providerId: IDS.c, ...more.c },
      ],
      ...rest,
    }),
  );

const nameOf = (id: unknown): string =>
  Object.entries(IDS).find(([, known]) => known === id)?.[0] ?? String(id);

/** What became of a charge, who decided it, and who else was asked: `SUCCESS c after a, b`. */
function wayOf({ ProviderId, Status, FailedAttempts }: Record<string, unknown>): string {
  const tried = (FailedAttempts as { ProviderId: string }[]).map((attempt) => nameOf(attempt.ProviderId));
  return `${String(Status)} ${nameOf(ProviderId)}${tried.length === 0 ? '' : ` after ${tried.join(', ')}`}`;
}

const newest = async (api: Client): Promise<Record<string, unknown>> =>
  ((await api.read('/charge?Limit=1'))['Charges'] as Record<string, unknown>[])[0] ?? {};

const charge = (api: Client, more: object = {}, headers = {}): Promise<Answer> =>
  api.post('/charge/card', cardCharge({ ProviderId: IDS.a, ...more }), headers);

const paying = (CardNumber: string): object => ({ PaymentInformation: cardOf(CardNumber) });

describe('a charge', () => {
  test.for<[what: string, way: string, providers: Providers, more?: object]>([
    ['goes on at the fallback of a provider that is down', 'SUCCESS b after a', {}],
    ['goes on at the fallback of the fallback', 'SUCCESS c after a, b', { b: DOWN }],
    ['stays where it is taken', 'SUCCESS a', { a: UP }],
    ['fails without a fallback', 'FAILED a after a', { a: { fallback: undefined } }],
    ['fails if all are down', 'FAILED c after a, b, c', { b: DOWN, c: DOWN }],
    ['is over when the fallback declines', 'FAILED b after a, b', { b: { outcomes: { do_not_honor: 1 } } }],
    [
      'passes over a fallback that cannot authorise',
      'Authorised c after a',
      { b: NO_AUTHORISE },
      { Capture: false },
    ],
    ['that is captured at once needs no such fallback', 'SUCCESS b after a', { b: NO_AUTHORISE }],
    [
      'goes on at a built-in provider',
      'FAILED 00000000000000000000000000000002 after a, 00000000000000000000000000000002',
      { a: { fallback: 'amounts' } },
      { Amount: '10.51' },
    ],
    [
      'goes on at a provider that nobody configured',
      `SUCCESS ${'d'.repeat(32)} after a`,
      { a: { fallback: 'd'.repeat(32) } },
    ],
    [
      'of a magic card stays with a decision about the buyer',
      'FAILED a after a',
      { a: UP },
      paying(NO_FUNDS),
    ],
    [
      'of a magic card goes on, and the card decides once',
      'SUCCESS b after a',
      { a: UP },
      paying(UNAVAILABLE),
    ],
  ])('%s', async ([, way, providers, more], { api }) => {
    await play(api, providers);
    await charge(api, more);
    expect(wayOf(await newest(api))).toBe(way);
  });

  test('goes on after each outcome that says nothing about the buyer, and after no other', async ({
    api,
  }) => {
    await play(api, { a: UP });
    const gone: string[] = [];
    for (const name of OUTCOMES.keys()) {
      if (name.startsWith('unable_to_')) continue;
      await charge(api, {}, asking(name));
      if (wayOf(await newest(api)) === 'SUCCESS b after a') gone.push(name);
    }
    expect(gone).toEqual([
      'processing_error',
      'issuer_unavailable',
      'retry_later',
      'provider_unavailable',
      'gateway_timeout',
    ]);
    expect([...OUTCOMES.values()].filter(({ failsOver }) => failsOver).map(({ name }) => name)).toEqual(gone);
  });

  test('says who was asked, when, and why', async ({ api }) => {
    await play(api, { a: { fails: { every: 1, outcome: 'issuer_unavailable' } } });
    const answer = await good(charge(api));
    expect(answer.body).toMatchObject({
      ProviderId: IDS.b,
      Provider: { Name: 'b' },
      Status: 'SUCCESS',
      FailedAttempts: [
        {
          ProviderId: IDS.a,
          DateAttempted: answer.body['DateAdded'],
          ErrorMessage: 'Issuer or switch is inoperative',
          GatewayCode: '91',
          GatewayMessage: 'Issuer or switch is inoperative',
        },
      ],
    });
    expect(triggerOf(answer)).toBe('fallback:b');
    const { Decisions, Timeline } = await api.read(`/_sandbox/records/charges/${textIn(answer, 'ChargeId')}`);
    expect(Decisions).toMatchObject([
      { Operation: 'charge.create', Precedence: 'provider', Trigger: 'provider:a' },
      { Operation: 'charge.create', Precedence: 'fallback', Trigger: 'fallback:b' },
    ]);
    expect(Timeline).toContainEqual(
      expect.objectContaining({
        What: 'changed',
        Text: 'Not taken by a: Issuer or switch is inoperative, gateway code 91',
      }),
    );
    expect(await api.read('/_sandbox/journal?Limit=1')).toMatchObject({
      Entries: [{ Trigger: 'fallback:b', Precedence: 'fallback', Result: 'done' }],
    });
  });

  test('has the error of the provider that was asked last', async ({ api }) => {
    await play(api, { b: { outcomes: { insufficient_funds: 1 } } });
    const answer = await charge(api);
    expectRefused(answer, 400, 15);
    expect(triggerOf(answer)).toBe('provider:b');
  });

  test('keeps the currency in which its amount was sent', async ({ api }) => {
    await play(api, { a: { currency: 'JPY' }, b: { currency: 'BHD' } });
    expect((await good(charge(api, { Amount: 500 }))).body).toMatchObject({ Currency: 'JPY', Amount: 500 });
  });

  test('costs what the provider that took it costs', async ({ api }) => {
    await play(api, { a: { costs: { fixed: 1 } }, b: { costs: { fixed: 2 } } });
    expect((await good(charge(api))).body).toMatchObject({ EstimatedCost: 2 });
  });

  test('is settled, found, captured, refunded and voided at the provider that took it', async ({ api }) => {
    await play(api, { b: { features: { partialRefund: false, partialCapture: false } } });
    const paid = textIn(await good(charge(api)), 'ChargeId');
    expect(await api.read(`/charge?ProviderId=${IDS.a}`)).toMatchObject({ Count: 0 });
    expect(await api.read(`/charge?ProviderId=${IDS.b}`)).toMatchObject({ Count: 1 });
    // `a` has all features, and is still down.
    expectRefused(await api.del(`/refund/${paid}?Amount=5`), 400, 32);
    await good(api.del(`/refund/${paid}`));
    const held = textIn(await good(charge(api, { Capture: false })), 'ChargeId');
    expectRefused(await api.post(`/charge/${held}`, { Amount: 5 }), 400, 78);
    expect((await good(api.post(`/charge/${held}`, { Amount: 15.5 }))).body).toMatchObject({
      ProviderId: IDS.b,
    });
    const voided = textIn(await good(charge(api, { Capture: false })), 'ChargeId');
    await good(api.del(`/charge/${voided}/void`));
    await api.advance(3 * 86_400_000);
    const settled = await api.get('/settlements?StartDate=2026-01-01');
    expect(
      new Set((settled.body as unknown as { ProviderId: string }[]).map((row) => row.ProviderId)),
    ).toEqual(new Set([IDS.b]));
  });

  test('takes the time of all providers that were asked', async () => {
    const { api, host } = setup({ clock: { mode: 'scaled', rate: 10 } });
    await play(api, { a: { latency: '2s' }, b: { latency: '3s' } });
    expect((await good(charge(api))).body).toMatchObject({ ProviderId: IDS.b });
    expect(host.slept).toEqual([500]);
  });
});

describe('what decides at a fallback', () => {
  test('is the timeline, for a provider that is down', async ({ api }) => {
    const timeline = [
      { at: '+1h', do: { providerDown: 'a' } },
      { at: '+2h', do: { providerDown: 'b' } },
      { at: '+3h', do: { providerUp: 'a' } },
    ];
    await play(api, { a: UP }, { timeline });
    const ways: string[] = [];
    for (const hour of [0, 1, 1, 1]) {
      await api.advance(hour * 3_600_000);
      ways.push(wayOf((await good(charge(api))).body));
    }
    expect(ways).toEqual(['SUCCESS a', 'SUCCESS b after a', 'SUCCESS c after a, b', 'SUCCESS a']);
  });

  test('is a rule that names it, and no other one', async ({ api }) => {
    const rules = [
      { when: { reference: 'order-*' }, then: { outcome: 'retry_later' } },
      { when: { provider: 'b', nth: 2 }, then: { outcome: 'stolen_card' } },
    ];
    await play(api, {}, { rules });
    const ways: string[] = [];
    for (const Reference of ['order-1', 'order-2', 'order-3']) {
      await charge(api, { Reference });
      ways.push(wayOf(await newest(api)));
    }
    expect(ways).toEqual(['SUCCESS b after a', 'FAILED b after a, b', 'SUCCESS b after a']);
  });

  test('is a queued outcome that names it', async ({ api }) => {
    await play(api);
    await good(api.queue('charge.create', ['stolen_card'], { ProviderId: IDS.b }));
    await charge(api);
    expect(wayOf(await newest(api))).toBe('FAILED b after a, b');
    await charge(api);
    expect(wayOf(await newest(api))).toBe('SUCCESS b after a');
  });

  test('is a magic card, if something else decided before', async ({ api }) => {
    await play(api, { a: UP });
    expectRefused(await charge(api, paying(NO_FUNDS), asking('provider_unavailable')), 400, 15);
    expect(wayOf(await newest(api))).toBe('FAILED b after a, b');
  });

  test('is not what came after the commit: that charge is where it was made', async ({ api }) => {
    const rules = [{ then: { outcome: 'gateway_timeout', phase: 'after' } }];
    await play(api, { a: UP }, { rules });
    expectRefused(await charge(api), 400, 80);
    expect(wayOf(await newest(api))).toBe('SUCCESS a');
  });

  test('commits at the fallback before a time-out there', async ({ api }) => {
    const rules = [{ when: { provider: 'b' }, then: { outcome: 'gateway_timeout', phase: 'after' } }];
    await play(api, {}, { rules });
    expectRefused(await charge(api), 400, 80);
    expect(wayOf(await newest(api))).toBe('SUCCESS b after a');
  });

  test('is 3-D Secure, which is asked for once', async ({ api }) => {
    await play(api, { a: UP });
    const answer = await good(
      charge(api, { ...paying('4000000000001133'), ThreeDSNotificationUrl: 'https://shop.example/3ds' }),
    );
    expect(wayOf(answer.body)).toBe('PENDING a');
    await play(api);
    const Ref = textIn(answer, 'ThreeDSServerTransID');
    await good(api.post('/_sandbox/simulate', { Action: 'challenge.approve', Ref }));
    expect(wayOf(await newest(api))).toBe('SUCCESS b after a');
  });
});

describe('a fallback that nobody can use', () => {
  test('was removed, and is passed over', async ({ api }) => {
    const [third, second] = [await configured(api), await configured(api)];
    await good(api.put(`/provider/${second}`, { FallbackProviderId: third }));
    const first = await configured(api, { FallbackProviderId: second });
    await good(api.del(`/provider/${second}`));
    const { body } = await good(charge(api, { ProviderId: first }, asking('retry_later')));
    expect(body).toMatchObject({ ProviderId: third });
    await good(api.del(`/provider/${third}`));
    expectRefused(await charge(api, { ProviderId: first }, asking('retry_later')), 400, 37);
    expect(await newest(api)).toMatchObject({ ProviderId: first });
  });

  test('is unknown where only known providers are accepted', async ({ api }) => {
    await play(api, { a: { fallback: 'd'.repeat(32) } }, { knownProvidersOnly: true });
    await charge(api);
    expect(wayOf(await newest(api))).toBe('FAILED a after a');
  });

  test('leads back, and is asked once', async ({ api }) => {
    const first = await configured(api);
    const second = await configured(api, { FallbackProviderId: first });
    await good(api.put(`/provider/${first}`, { FallbackProviderId: second }));
    const rules = [{ when: { provider: [first, second] }, then: { outcome: 'provider_unavailable' } }];
    await good(api.play({ name: 'both down', rules }));
    expectRefused(await charge(api, { ProviderId: first }), 400, 34);
    expect(wayOf(await newest(api))).toBe(`FAILED ${second} after ${first}, ${second}`);
  });

  test(`comes after ${FALLBACKS_MAX} others`, async ({ api }) => {
    const ids = Array.from({ length: FALLBACKS_MAX + 2 }, (_, n) => `${n}`.repeat(32));
    const providers = ids.map((providerId, n) => ({
      name: `p${n}`,
      providerId,
      ...DOWN,
      fallback: ids[n + 1],
    }));
    await good(api.play({ name: 'a long way', providers }));
    await charge(api, { ProviderId: ids[0] });
    const { FailedAttempts } = await newest(api);
    expect(FailedAttempts).toHaveLength(FALLBACKS_MAX + 1);
  });
});

describe('what goes on at a fallback', () => {
  /** Plays with `a` up, so that it stores what is paid with, and down from then on. */
  const storing = async (api: Client, store: () => Promise<Answer>, id: string): Promise<string> => {
    await play(api, { a: UP });
    const stored = textIn(await good(store()), id);
    await play(api);
    return stored;
  };
  const card = { ProviderId: IDS.a, PaymentInformation: cardOf() };
  const source = { Amount: 5, Currency: 'AUD' };

  test.for<[what: string, way: string, store: string, body: object, id: string, path: string]>([
    [
      'a stored card',
      'SUCCESS b after a',
      '/payment_method/card',
      card,
      'PaymentMethodId',
      '/charge/payment_method',
    ],
    [
      'a card in the vault',
      'SUCCESS b after a',
      '/payment_method/card',
      { ...card, VaultCard: true },
      'PaymentMethodId',
      '/charge/payment_method',
    ],
    ['a customer', 'SUCCESS b after a', '/customer/card', card, 'CustomerId', '/charge/customer'],
    [
      'a bank account',
      'PENDING b after a',
      '/payment_method/bank_account',
      { ProviderId: IDS.a, BankPaymentInformation: account() },
      'PaymentMethodId',
      '/charge/payment_method',
    ],
    [
      'no token of a provider',
      'FAILED a after a',
      '/payment_method/provider_token',
      { ProviderId: IDS.a, ProviderToken: 't' },
      'PaymentMethodId',
      '/charge/payment_method',
    ],
    [
      'no PayTo agreement',
      'FAILED a after a',
      '/payment_method/payto',
      agreement({ ProviderId: IDS.a }),
      'PaymentMethodId',
      '/charge/payment_method',
    ],
  ])('is %s', async ([, way, store, body, id, path], { api }) => {
    const stored = await storing(api, () => api.post(store, body), id);
    await api.post(path, {
      ...source,
      ProviderId: path === '/charge/customer' ? IDS.a : undefined,
      [id]: stored,
    });
    expect(wayOf(await newest(api))).toBe(way);
  });

  test('is a token', async ({ api }) => {
    await play(api, { a: UP });
    const Token = await token(api, { ProviderId: IDS.a });
    await play(api);
    await good(api.post('/charge/token', { ...source, Token }));
    expect(wayOf(await newest(api))).toBe('SUCCESS b after a');
  });

  test('is a row of a batch, an instalment and a payment link', async ({ api, sandbox }) => {
    const method = await storing(api, () => api.post('/payment_method/card', card), 'PaymentMethodId');
    await good(api.post('/batch/transaction/payment_method', batchOf([`${method},5,AUD,row`])));
    await api.advance(10_000);
    expect(await newest(api)).toMatchObject({ Reference: 'row', ProviderId: IDS.b, Status: 'SUCCESS' });
    await good(
      api.post('/subscription/payment_method', {
        PaymentMethodId: method,
        ...source,
        Interval: 'Month',
        Frequency: 1,
      }),
    );
    await api.advance(86_400_000);
    expect(await newest(api)).toMatchObject({ Initiator: 'MERCHANT', ProviderId: IDS.b, Status: 'SUCCESS' });
    await play(api, { a: { costs: { fixed: 0.1 } } });
    const link = await good(api.post('/payment_link', { Title: 'Chair', Amount: 5 }));
    const path = new URL(textIn(link, 'Url')).pathname;
    await good(client(sandbox, null).post(path, { PaymentInformation: cardOf() }));
    expect(await newest(api)).toMatchObject({ Initiator: 'CUSTOMER', ProviderId: IDS.b, Status: 'SUCCESS' });
  });
});

test('a charge at a provider without a fallback is as it was', async ({ api }) => {
  const plain = setup();
  await play(api);
  const more = { ProviderId: STEADY };
  expect((await charge(api, more)).text).toBe((await charge(plain.api, more)).text);
});
