import { describe, expect, test } from 'vitest';

import { type Client, good } from '../../support/sandbox.js';
import { cardOf, expectRefused, NO_FUNDS, STEADY, storing, textIn, VISA } from '../../support/stored.js';
import { changed, setup } from './support.js';

const STATE = '/_sandbox/state';
type Json = Record<string, unknown>;

/** Brings a world to where a subscription waits for a retry, others are of each kind, and a transfer is on its way. */
async function fill(api: Client): Promise<void> {
  const store = async (number: string): Promise<string> => {
    const body = storing({ PaymentInformation: cardOf(number) });
    return textIn(await good(api.post('/payment_method/card', body)), 'PaymentMethodId');
  };
  const Currency = 'AUD';
  const declining = await store(NO_FUNDS);
  const approving = await store(VISA);
  const Retry = { Maximum: 3, Interval: 'Day', Frequency: 2 };
  await good(
    api.post('/subscription/payment_method', {
      PaymentMethodId: declining,
      Amount: 5,
      Currency,
      Interval: 'Month',
      Frequency: 1,
      StartDate: '2026-01-31T00:00:00Z',
      EndAfter: { Count: 12, Amount: 60, Date: '2030-01-01T00:00:00Z' },
      Retry,
      Webhook: { Url: 'https://example.com', Authorization: 'Basic x' },
      Metadata: { a: '1' },
    }),
  );
  const plain = { PaymentMethodId: approving, Amount: 7, Currency, Interval: 'Week' };
  const suspended = textIn(await good(api.post('/subscription/payment_method', plain)), 'SubscriptionId');
  await good(api.post('/subscription/payment_method', { ...plain, Interval: 'Year' }));
  await good(api.post('/_sandbox/clock/advance', { To: '2026-02-01T12:00:00Z' }));
  await good(api.put(`/subscription/${suspended}/status`, { Status: 'Suspended' }));
  await good(
    api.post('/payment_link', {
      Title: 'Gift',
      Amount: 5,
      AllowedPaymentTypes: ['CARD'],
      Image: `data:image/png;base64,${'AAAA'.repeat(30_000)}`,
      CallToAction: 'Donate',
      LimitPayments: 2,
      Metadata: { b: '2' },
    }),
  );
  await good(api.post('/payment_link', { Title: 'Bare' }));
  const charge = await good(api.charge(storing({ Amount: 20 })));
  const Transfers = [
    { Account: 'acct-1', Amount: 5, Currency, Message: 'rent', Reference: 'r-1' },
    { Account: 'acct-2', Amount: 6, Currency },
  ];
  const ChargeId = charge.body['ChargeId'];
  await good(api.post('/transfer', { GroupReference: 'g-1', ProviderId: STEADY, ChargeId, Transfers }));
}

/** What is answered of such a world from here on. */
async function goOn(api: Client): Promise<unknown[]> {
  const texts = [];
  for (const By of ['1h', '1d', '2d', '30d', '400d']) {
    texts.push((await api.advance(By)).text);
    for (const path of ['/subscription', '/payment_link', '/transfer', '/charge?Limit=500'])
      texts.push((await good(api.get(path))).text);
  }
  return [...texts, (await good(api.get('/settlements?startDate=2026-01-01'))).text];
}

describe('subscriptions, payment links and transfers', () => {
  test('go on byte for byte from a document in another sandbox', async () => {
    const [one, other] = [setup(), setup()];
    await fill(one.api);
    const { text } = await good(one.api.get(STATE));
    await good(other.api.put(STATE, text));
    expect(await goOn(other.api)).toEqual(await goOn(one.api));
  });

  test('go on byte for byte from a snapshot, each time', async () => {
    const { api } = setup();
    await fill(api);
    await good(api.put('/_sandbox/snapshots/base'));
    const expected = await goOn(api);
    for (let round = 0; round < 2; round++) {
      await good(api.post('/_sandbox/snapshots/base/restore'));
      expect(await goOn(api)).toEqual(expected);
    }
  });

  test('keep their references, and the room that images take', async () => {
    const { api, world } = setup();
    await fill(api);
    const before = world().paymentLinks.imagesLength;
    await good(api.put(STATE, (await good(api.get(STATE))).text));
    expect(world().paymentLinks.imagesLength).toBe(before);
    expect((await api.read('/transfer?Reference=r-1'))['Count']).toBe(1);
    const [charge] = (await api.read('/charge?Limit=1'))['Charges'] as Json[];
    const again = { GroupReference: 'g-1', ProviderId: STEADY, ChargeId: charge?.['ChargeId'] };
    const Transfers = [{ Account: 'a', Amount: 9.01, Currency: 'AUD' }];
    expectRefused(await api.post('/transfer', { ...again, Transfers }), 409, 69);
    expectRefused(await api.post('/transfer', { ...again, GroupReference: 'g-2', Transfers }), 400, 68);
  });

  test('are counted, and named by a diff', async () => {
    const { api } = setup();
    const saved = await good(api.put('/_sandbox/snapshots/empty'));
    expect(saved.body['Counts']).toMatchObject({ Subscriptions: 0, PaymentLinks: 0, Transfers: 0 });
    await fill(api);
    const filled = await good(api.put('/_sandbox/snapshots/filled'));
    expect(filled.body['Counts']).toMatchObject({ Subscriptions: 3, PaymentLinks: 2, Transfers: 2 });
    const added = (await good(api.get('/_sandbox/snapshots/empty/diff'))).body;
    expect(added['Counts']).toMatchObject({
      Subscriptions: { Added: 3, Changed: 0, Removed: 0 },
      PaymentLinks: { Added: 2, Changed: 0, Removed: 0 },
      Transfers: { Added: 2, Changed: 0, Removed: 0 },
    });
    await api.advance('1d');
    expect((await good(api.get('/_sandbox/snapshots/filled/diff'))).body).toMatchObject({
      Counts: {
        Charges: { Added: 1, Changed: 0, Removed: 0 },
        Subscriptions: { Added: 0, Changed: 1, Removed: 0 },
        PaymentLinks: { Added: 0, Changed: 0, Removed: 0 },
        Transfers: { Added: 0, Changed: 2, Removed: 0 },
      },
      Changes: ['charge', 'delivery', 'subscription', 'transfer', 'transfer'].map((Kind) => ({ Kind })),
    });
  });

  test('have their jobs; an active subscription without one is refused', async () => {
    const { api } = setup();
    await fill(api);
    const document = (await good(api.get(STATE))).body as { Jobs: Json[] };
    expect(document.Jobs.map(({ Kind, Ref }) => `${String(Kind)} ${String(Ref)}`)).toEqual([
      'subscription.charge 0',
      'transfer.arrive 0',
      'transfer.arrive 1',
      'subscription.charge 2',
    ]);
    expectRefused(await api.put(STATE, { ...document, Jobs: document.Jobs.slice(1) }), 400, 90, 'Jobs');
  });

  test.each<[path: string, value: unknown, place: string]>([
    ['Subscriptions', undefined, 'Subscriptions'],
    ['Subscriptions.0', null, 'Subscriptions.0'],
    ['Subscriptions.0.Status', 'Paused', 'Subscriptions.0.Status'],
    ['Subscriptions.0.Status', 'Cancelled', 'Jobs.0'],
    ['Subscriptions.1.Status', 'Active', 'Jobs'],
    ['Subscriptions.0.PaymentMethod', 9, 'Subscriptions.0.PaymentMethod'],
    ['Subscriptions.0.PaymentMethod', undefined, 'Subscriptions.0.PaymentMethod'],
    ['Subscriptions.0.Interval', 'Hour', 'Subscriptions.0.Interval'],
    ['Subscriptions.0.Frequency', 0, 'Subscriptions.0.Frequency'],
    ['Subscriptions.0.Frequency', 1001, 'Subscriptions.0.Frequency'],
    ['Subscriptions.1.LastDue', 8.64e15, 'Subscriptions.1.LastDue'],
    ['Subscriptions.0.Anchor', Date.UTC(2026, 0, 30), 'Jobs.0'],
    ['Subscriptions.0.Turn', 1, 'Jobs.0'],
    ['Subscriptions.0.Turn', 9e15, 'Jobs.0'],
    ['Subscriptions.0.Retries', 2, 'Jobs.0'],
    ['Subscriptions.0.Retry', undefined, 'Jobs.0'],
    ['Subscriptions.0.Retry.Interval', 'Week', 'Subscriptions.0.Retry.Interval'],
    ['Subscriptions.0.EndAfter.Count', 1.5, 'Subscriptions.0.EndAfter.Count'],
    ['Subscriptions.0.Currency', 'aud', 'Subscriptions.0.Currency'],
    ['Subscriptions.0.Colour', 'red', 'Subscriptions.0'],
    ['PaymentLinks.0.Title', 7, 'PaymentLinks.0.Title'],
    ['PaymentLinks.0.CallToAction', 'Buy', 'PaymentLinks.0.CallToAction'],
    ['PaymentLinks.0.Image', 7, 'PaymentLinks.0.Image'],
    ['Transfers.0.Status', 'FAILED', 'Transfers.0.Status'],
    ['Transfers.0.Charge', 99, 'Transfers.0.Charge'],
    ['Transfers.0.ProviderId', 'x', 'Transfers.0.ProviderId'],
    ['Charges.0.More.Subscription', 9, 'Charges.0.More.Subscription'],
    ['Jobs.0.Due', Date.UTC(2026, 1, 3), 'Jobs.0'],
    ['Jobs.0.Ref', 1, 'Jobs.0'],
    ['Jobs.0.Kind', 'subscription.change', 'Jobs.0.Kind'],
  ])('are refused with %s as %j at their place', async (path, value, place) => {
    const { api } = setup();
    await fill(api);
    const { text } = await good(api.get(STATE));
    expectRefused(await api.put(STATE, changed(text, path, value)), 400, 90, place);
  });
});
