import { describe, expect, test } from 'vitest';

import {
  type ReconciledCharge,
  reconcileOrders,
  type ShopOrder,
} from '../../../src/control/reconcile/judgement.js';

const order = (more: Partial<ShopOrder> = {}): ShopOrder => ({
  reference: 'a',
  currency: 'AUD',
  amountMinor: 20,
  refundedMinor: 0,
  paid: true,
  ...more,
});

let made = 0;
const charge = (more: Partial<ReconciledCharge> = {}): ReconciledCharge => ({
  id: `charge-${++made}`,
  reference: 'a',
  currency: 'AUD',
  status: 'SUCCESS',
  amountMinor: 20,
  refundedMinor: 0,
  ...more,
});
const refunded = (amountMinor: number, refundedMinor: number): ReconciledCharge =>
  charge({ amountMinor, refundedMinor, status: refundedMinor < amountMinor ? 'PARTIAL_REFUND' : 'REFUND' });

const kindsOf = (orders: readonly ShopOrder[], charges: readonly ReconciledCharge[]): string[] =>
  reconcileOrders(orders, charges).findings.map(({ kind }) => kind);

/** The shop does not know whether it was paid. */
const UNKNOWN = order({ paid: null });
const UNPAID = order({ paid: false });

describe('one order is judged by what is left of its charges', () => {
  test.each<[what: string, order: ShopOrder, charges: readonly ReconciledCharge[], kinds: readonly string[]]>(
    [
      ['a paid order with one charge', order(), [charge()], []],
      ['a paid order with one refunded charge too many', order(), [charge(), refunded(20, 20)], []],
      ['a paid order with a refund that the shop knows', order({ refundedMinor: 5 }), [refunded(20, 5)], []],
      ['a paid order in parts', order(), [charge({ amountMinor: 15 }), charge({ amountMinor: 5 })], []],
      ['a paid order of nothing', order({ amountMinor: 0 }), [], []],
      ['an unpaid order without charges', UNPAID, [], []],
      ['an unpaid order whose charge was refunded', UNPAID, [refunded(20, 20)], []],
      ['an unpaid order, refunded', order({ paid: false, refundedMinor: 20 }), [], []],
      ['an unknown order, without charges', UNKNOWN, [], []],
      ['an unknown order, charged', UNKNOWN, [charge()], []],
      ['an unknown order, charged in part', UNKNOWN, [charge({ amountMinor: 5 })], []],
      ['a paid order, charged twice', order(), [charge(), charge()], ['charged twice']],
      ['an unpaid order, charged twice', UNPAID, [charge(), charge()], ['charged twice']],
      ['an unknown order, charged twice', UNKNOWN, [charge(), charge()], ['charged twice']],
      ['two charges, one of them refunded in part', order(), [charge(), refunded(20, 15)], ['charged twice']],
      ['a paid order, charged too much', order(), [charge({ amountMinor: 25 })], ['charged too much']],
      [
        'too much, and one refunded',
        order(),
        [charge({ amountMinor: 25 }), refunded(9, 9)],
        ['charged too much'],
      ],
      ['an unknown order, charged too much', UNKNOWN, [charge({ amountMinor: 21 })], ['charged too much']],
      ['an unpaid order with a charge', UNPAID, [charge()], ['charged, not ordered']],
      ['an unpaid order, overcharged', UNPAID, [charge({ amountMinor: 25 })], ['charged, not ordered']],
      [
        'an unpaid order, one of two refunded',
        UNPAID,
        [charge(), refunded(20, 20)],
        ['charged, not ordered'],
      ],
      ['a paid order without charges', order(), [], ['ordered, not charged']],
      ['a paid order, charged in part', order(), [charge({ amountMinor: 15 })], ['ordered, not charged']],
      [
        'a paid order whose charges failed or wait',
        order(),
        [
          charge({ status: 'FAILED' }),
          charge({ status: 'PENDING' }),
          charge({ status: 'AUTHORISE_CANCELLED' }),
        ],
        ['ordered, not charged'],
      ],
      ['a refund that the shop does not know', order(), [refunded(20, 5)], ['refunded too much']],
      ['more refunded than known', order({ refundedMinor: 5 }), [refunded(20, 20)], ['refunded too much']],
      ['a refund that did not happen', order({ refundedMinor: 5 }), [charge()], ['refunded too little']],
      [
        'one of two refunded',
        order({ refundedMinor: 20 }),
        [charge(), refunded(20, 20)],
        ['refunded too little'],
      ],
      ['an open authorisation', UNPAID, [charge({ status: 'Authorised' })], ['open']],
      ['an open authorisation, not known', UNKNOWN, [charge({ status: 'Authorised' })], ['open']],
      [
        'a paid order, only authorised',
        order(),
        [charge({ status: 'Authorised' })],
        ['ordered, not charged', 'open'],
      ],
      ['a paid order, another authorised', order(), [charge(), charge({ status: 'Authorised' })], ['open']],
    ],
  )('%s', (_, one, charges, kinds) => {
    expect(kindsOf([one], charges)).toEqual(kinds);
  });
});

describe('charges are matched', () => {
  test('by reference and currency', () => {
    const orders = [order(), order({ currency: 'NZD' })];
    expect(kindsOf(orders, [charge(), charge({ currency: 'NZD' })])).toEqual([]);
    expect(kindsOf([order()], [charge({ currency: 'NZD' })])).toEqual([
      'charged, not ordered',
      'ordered, not charged',
    ]);
  });

  test('with all orders of one reference', () => {
    expect(kindsOf([order(), order()], [charge(), charge()])).toEqual([]);
    expect(kindsOf([order(), order()], [charge(), charge(), charge()])).toEqual(['charged twice']);
    expect(kindsOf([order(), UNPAID], [charge(), charge()])).toEqual(['charged, not ordered']);
  });

  test('with no order, of which those that took nothing are no finding', () => {
    expect(kindsOf([], [charge(), charge({ reference: 'b', status: 'FAILED' })])).toEqual([
      'charged, not ordered',
    ]);
    expect(kindsOf([], [refunded(20, 20)])).toEqual([]);
    expect(kindsOf([], [charge(), charge()])).toEqual(['charged, not ordered']);
  });

  test('in total for orders without a reference, with those of no other order', () => {
    const plain = order({ reference: null });
    const loose = [charge({ reference: null }), charge({ reference: 'unknown' })];
    expect(kindsOf([plain, plain, order()], [...loose, charge()])).toEqual([]);
    expect(kindsOf([plain, order()], [...loose, charge()])).toEqual(['charged twice']);
    expect(kindsOf([plain, { ...plain, paid: null }], loose)).toEqual([]);
    expect(kindsOf([plain, { ...plain, paid: null }], loose.slice(1))).toEqual([]);
    expect(
      kindsOf([plain], [charge({ reference: null, currency: 'NZD' }), charge({ reference: '' })]),
    ).toEqual(['charged, not ordered']);
  });
});

test('the worst finding comes first, with the charges to look at', () => {
  const orders = ['a', 'b', 'c', 'd'].map((reference) => order({ reference }));
  const [hold, none, first, second] = [
    charge({ reference: 'a', status: 'Authorised' }),
    charge({ reference: 'b', status: 'FAILED' }),
    charge({ reference: 'c' }),
    charge({ reference: 'c' }),
  ];
  const failed = charge({ reference: 'c', status: 'FAILED' });
  const { findings, totals } = reconcileOrders(orders, [
    hold,
    none,
    first,
    second,
    failed,
    charge({ reference: 'd' }),
  ]);
  expect(findings.map(({ kind, total, charges }) => [kind, total.reference, charges])).toEqual([
    ['charged twice', 'c', [first, second]],
    ['ordered, not charged', 'a', [hold]],
    ['ordered, not charged', 'b', [none]],
    ['open', 'a', [hold]],
  ]);
  expect(
    totals.map(({ reference, captured, refunded: back, left }) => [reference, captured, back, left]),
  ).toEqual([
    ['a', 0, 0, 0],
    ['b', 0, 0, 0],
    ['c', 40, 0, 40],
    ['d', 20, 0, 20],
  ]);
});
