import { describe, expect, test } from 'vitest';

import type { ReconcileResponse } from '../../../src/control/reconcile/schema.js';
import { client, type Client, testSandbox } from '../../support/sandbox.js';

const TAKEN = { Amount: 20, Token: 'tok_approve' };

async function reconcile(api: Client, Orders: readonly object[]): Promise<ReconcileResponse> {
  const { status, body } = await api.post('/_sandbox/reconcile', { Orders });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as unknown as ReconcileResponse;
}

const messages = async (api: Client, ...orders: object[]): Promise<string[]> =>
  (await reconcile(api, orders)).Findings.map(({ Message }) => Message);

describe('POST /_sandbox/reconcile', () => {
  test('finds a charge that was made twice, and the calls that made both, even if an answer was lost', async () => {
    const api = client(testSandbox());
    const lost = api.post(
      '/charge/token',
      { ...TAKEN, Reference: 'order-1' },
      { 'x-sandbox-fault': 'reset; phase=after' },
    );
    await expect(lost).rejects.toThrow('fetch failed');
    await api.post('/charge/token', { ...TAKEN, Reference: 'order-1', Token: 'tok_do_not_honor' });
    const { body: again } = await api.post('/charge/token', { ...TAKEN, Reference: 'order-1' });
    const { Balanced, Count, Findings, Totals } = await reconcile(api, [
      { Reference: 'order-1', Amount: '20.00', Paid: true },
    ]);
    const total = {
      Reference: 'order-1',
      Currency: 'AUD',
      Ordered: 20,
      Expected: 20,
      Captured: 40,
      Refunded: 0,
      Left: 40,
    };
    const taken = { Status: 'SUCCESS', Amount: 20, Refunded: 0 };
    expect([Balanced, Count, Totals]).toEqual([false, 1, [total]]);
    expect(Findings).toEqual([
      {
        Kind: 'charged twice',
        Message:
          'order-1 was charged twice: 2 charges took 40 AUD, after a lost answer; the shop expects 20 AUD.',
        ...total,
        Charges: [
          { ChargeId: expect.any(String), ...taken, EntryId: 1 },
          { ChargeId: again['ChargeId'], ...taken, EntryId: 3 },
        ],
      },
    ]);
    await api.del('/_sandbox/journal');
    const [finding] = (await reconcile(api, [])).Findings;
    expect(finding?.Charges.map(({ EntryId }) => EntryId)).toEqual([null, null]);
  });

  test('describes each kind of finding in a sentence', async () => {
    const api = client(testSandbox());
    const charges: [reference: string | null, more?: object, refund?: number][] = [
      ['much', { Amount: 25 }],
      ['unpaid'],
      ['unknown'],
      ['given', {}, 15],
      ['kept', {}, 5],
      ['held', { Capture: false }],
      ['perhaps', { Amount: 30 }],
      [null, { Currency: 'JPY', Amount: 2000 }],
    ];
    for (const [Reference, more, refund] of charges) {
      const { body } = await api.post('/charge/token', { ...TAKEN, Reference, ...more });
      if (refund !== undefined) await api.del(`/charge/${String(body['ChargeId'])}?Amount=${refund}`);
    }
    const paid = { Amount: 20, Paid: true };
    const told = await messages(
      api,
      { Reference: 'much', ...paid },
      { Reference: 'unpaid', Amount: 20, Paid: false },
      { Reference: 'missing', ...paid },
      { Reference: 'given', ...paid, Refunded: 5 },
      { Reference: 'kept', ...paid, Refunded: '7.5' },
      { Reference: 'held', Amount: 20, Paid: null },
      { Reference: 'perhaps', Amount: 20, Paid: null },
      { Amount: 1000, Currency: 'jpy', Paid: true },
    );
    expect(told).toEqual([
      'much was charged too much: 1 charge took 25 AUD; the shop expects 20 AUD.',
      'perhaps was charged too much: 1 charge took 30 AUD; the shop expects at most 20 AUD.',
      'An order without a reference was charged too much: 1 charge took 2000 JPY; the shop expects 1000 JPY.',
      'unpaid was charged, but not ordered: 1 charge took 20 AUD; the shop believes that it is not paid.',
      'unknown was charged, but not ordered: 1 charge took 20 AUD; the shop has no such order.',
      'missing was ordered, but not charged in full: no charge succeeded; the shop expects 20 AUD.',
      'given was refunded too much: 1 charge took 20 AUD, 15 AUD was refunded, 5 AUD is left; the shop expects 15 AUD.',
      'kept was refunded too little: 1 charge took 20 AUD, 5 AUD was refunded, 15 AUD is left; the shop expects 12.5 AUD.',
      'held has 20 AUD authorised, but neither captured nor voided.',
    ]);
  });

  test('takes the currency of the charges for an order that has none, if there is only one', async () => {
    const api = client(testSandbox());
    await api.post('/charge/token', { ...TAKEN, Reference: 'order-1', Currency: 'NZD' });
    const orders = [{ Reference: 'order-1', Amount: 20, Paid: true }];
    expect((await reconcile(api, orders)).Balanced).toBe(true);
    await api.post('/charge/token', { ...TAKEN, Reference: 'order-1', Currency: 'JPY', Amount: 5 });
    const { Totals } = await reconcile(api, orders);
    expect(Totals.map(({ Currency, Ordered, Left }) => [Currency, Ordered, Left])).toEqual([
      ['AUD', 20, 0],
      ['NZD', null, 20],
      ['JPY', null, 5],
    ]);
  });

  test('reads the charges that jobs make until now, and changes nothing', async () => {
    const api = client(testSandbox());
    await api.post('/charge/token', { ...TAKEN, Reference: '', Capture: false });
    await api.put('/_sandbox/snapshots/before', {});
    expect((await reconcile(api, [{ Reference: '', Amount: 0, Paid: true }])).Findings[0]?.Kind).toBe('open');
    expect(await api.read('/_sandbox/snapshots/before/diff')).toMatchObject({ Changes: [] });
    expect(await api.read('/_sandbox/journal')).toMatchObject({ Count: 1 });
    await api.post('/_sandbox/clock/advance', { By: '7d' });
    expect(await reconcile(api, [])).toMatchObject({ Balanced: true, Findings: [] });
  });

  test.each<[what: string, order: unknown, code: number, message: string]>([
    ['no amount', { Paid: true }, 90, 'Orders.0.Amount is required'],
    ['a negative amount', { Amount: -1, Paid: true }, 2, 'Orders.0.Amount is -1; it must not be negative.'],
    [
      'an amount that is a word',
      { Amount: 'x', Paid: true },
      2,
      'Orders.0.Amount is "x"; it must be a decimal number',
    ],
    [
      'too many decimals',
      { Amount: '1.234', Paid: true },
      2,
      'Orders.0.Amount must have at most 2 decimals in AUD, not 1.234.',
    ],
    ['an unknown currency', { Amount: 1, Currency: 'XYZ', Paid: true }, 29, 'Orders.0.Currency is "XYZ"'],
    [
      'a belief that is a word',
      { Amount: 1, Paid: 'yes' },
      90,
      'Orders.0.Paid must be true or false, not a string.',
    ],
    [
      'no belief, which would pass whatever was charged',
      { Reference: 'order-1', Amount: 20 },
      90,
      'Orders.0.Paid is required: true, false, or null if the shop does not know.',
    ],
    [
      'a refund of more than the amount',
      { Amount: 1, Refunded: 1.5, Paid: true },
      2,
      'Orders.0.Refunded is 1.5; it must not be more than Amount, which is 1.',
    ],
    [
      'a refund of null, which is no amount of 0',
      { Amount: 1, Refunded: null, Paid: true },
      2,
      'Orders.0.Refunded must be a decimal number or string, not null.',
    ],
    [
      'a mistyped field',
      { Amount: 1, Payed: true },
      90,
      'Unknown field "Orders.0.Payed"; did you mean Paid?',
    ],
    ['an order that is a text', 'order-1', 90, 'Orders.0 must be an object, not a string.'],
  ])('refuses %s', async (_, order, code, message) => {
    const { status, body } = await client(testSandbox()).post('/_sandbox/reconcile', { Orders: [order] });
    expect([status, body['Code'], body['Message']]).toEqual([400, code, expect.stringContaining(message)]);
  });

  test('says that it takes a list of orders', async () => {
    const { body } = await client(testSandbox()).post('/_sandbox/reconcile', { Orders: 'x' });
    expect(body['Details']).toEqual({ Orders: 'must be an array, not a string' });
  });

  test('takes 10,000 orders, and no more', async () => {
    const api = client(testSandbox());
    const orders = Array.from({ length: 10_001 }, (_, n) => ({
      Reference: `${n}-a-reference-as-long-as-those-that-shops-really-use`,
      Amount: '123.45',
      Currency: 'AUD',
      Paid: true,
      Refunded: 0,
    }));
    expect(await reconcile(api, orders.slice(1))).toMatchObject({ Balanced: false, Count: 10_000 });
    const { status, body } = await api.post('/_sandbox/reconcile', { Orders: orders });
    expect([status, body['Message']]).toEqual([400, expect.stringContaining('more than 10000 elements')]);
  });
});
