import { describe, expect, test } from 'vitest';

import type { Body } from './calls.js';
import { brokenLaw, type Shown } from './money.js';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day, 10)).toISOString();

const charge = (ChargeId: string, Amount: number, more: object = {}): Body => ({
  ChargeId,
  Amount,
  Currency: 'AUD',
  Status: 'SUCCESS',
  AuthorisationAmount: null,
  RefundedAmount: null,
  Refunds: [],
  SuccessDate: at(1),
  VoidDate: null,
  Reference: null,
  BatchId: null,
  SubscriptionId: null,
  ...more,
});

const settled = (ChargeId: string, Amount: number): Body => ({ ChargeId, Amount });

/** A world on the fifth of January in which every law holds. */
function lawful() {
  const part = { ChargeId: 'a', Currency: 'AUD', GroupReference: 'g', TotalAmount: 6.05, DateAdded: at(2) };
  return {
    now: Date.UTC(2026, 0, 5),
    charges: [
      charge('a', 10, {
        Status: 'PARTIAL_REFUND',
        AuthorisationAmount: 12,
        RefundedAmount: 3.9,
        Refunds: [{ Amount: 3.9, DateAdded: at(4) }],
      }),
      charge('b', 500, { Currency: 'JPY', BatchId: 'batch' }),
      charge('c', 7, { SubscriptionId: 'plan' }),
      charge('d', 8, { Reference: 'link' }),
      charge('e', 9, { Status: 'PENDING', SuccessDate: null }),
    ],
    transfers: [
      { ...part, Amount: 6 },
      { ...part, Amount: 0.05 },
    ],
    settlements: [
      ...[10, -6, -0.05, -3.9].map((Amount) => settled('a', Amount)),
      settled('b', 500),
      settled('c', 7),
      settled('d', 8),
    ],
    batches: [
      { BatchId: 'batch', Success: 1, Results: 'Header\nm,500,jpy,r,SUCCESS,b,\nm,x,AUD,r,FAILED,,' },
    ],
    subscriptions: [{ SubscriptionId: 'plan', Amount: 7, Currency: 'AUD', EndAfter: { Count: 1 } }],
    links: [
      {
        PaymentLinkId: 'link',
        InvoiceId: null,
        Amount: 8,
        Currency: 'AUD',
        CountPayments: 1,
        LimitPayments: 1,
      },
    ],
    transactions: [{ ChargeId: 'e', Status: 'CHALLENGED' }],
  };
}

type Mutable = { -readonly [K in keyof Shown]: Record<string, unknown>[] };

/** A change of one record, or of all that is there. */
const broken: readonly [law: string, breakIt: (world: Mutable) => unknown][] = [
  [
    'captures at most what was authorised',
    ({ charges: [a] }) => Object.assign(a ?? {}, { AuthorisationAmount: 9 }),
  ],
  ['has a SuccessDate once', ({ charges }) => Object.assign(charges[4] ?? {}, { SuccessDate: at(1) })],
  ['has a VoidDate once', ({ charges }) => Object.assign(charges[1] ?? {}, { VoidDate: at(1) })],
  ['refunds add up', ({ charges: [a] }) => Object.assign(a ?? {}, { RefundedAmount: 3.8 })],
  ['REFUND is all of it', ({ charges: [a] }) => Object.assign(a ?? {}, { Status: 'REFUND' })],
  ['PARTIAL_REFUND is a part', ({ charges: [a] }) => Object.assign(a ?? {}, { Status: 'SUCCESS' })],
  [
    'refunds and transfers take at most what came in',
    ({ transfers }) => {
      for (const one of transfers) Object.assign(one, { TotalAmount: 6.11 });
      Object.assign(transfers[0] ?? {}, { Amount: 6.06 });
    },
  ],
  ['settlements are what came in', ({ settlements }) => settlements.pop()],
  ['settlements are what came in', ({ settlements }) => settlements.splice(1, 1)],
  ['settlements are what came in', ({ settlements }) => settlements.push({ ...settled('e', 9) })],
  ['in the currency of its charge', ({ transfers: [one] }) => Object.assign(one ?? {}, { Currency: 'USD' })],
  ['transfers of a group add up', ({ transfers }) => Object.assign(transfers[1] ?? {}, { TotalAmount: 6 })],
  [
    'a charge is one row of a batch',
    ({ batches: [one] }) => Object.assign(one ?? {}, { Results: 'H\nm,500,JPY,r,S,b,\nm,500,JPY,r,S,b,' }),
  ],
  ['a row is charged what it asks', ({ charges }) => Object.assign(charges[1] ?? {}, { Currency: 'AUD' })],
  ['in its Results', ({ charges }) => Object.assign(charges[2] ?? {}, { BatchId: 'batch' })],
  ['are the Success of a batch', ({ batches: [one] }) => Object.assign(one ?? {}, { Success: 2 })],
  ['charges its amount', ({ subscriptions: [one] }) => Object.assign(one ?? {}, { Amount: 6 })],
  [
    'at most its Count',
    ({ charges }) => Object.assign(charges[4] ?? {}, { SubscriptionId: 'plan', Amount: 7 }),
  ],
  ['a link counts its charges', ({ links: [one] }) => Object.assign(one ?? {}, { CountPayments: 0 })],
  ['a link charges its amount', ({ links: [one] }) => Object.assign(one ?? {}, { Amount: 7 })],
  ['as often as it may', ({ links: [one] }) => Object.assign(one ?? {}, { LimitPayments: 0 })],
  ['uses one transaction', ({ transactions }) => transactions.push({ ChargeId: 'e', Status: 'CHALLENGED' })],
  [
    'passes a failed transaction',
    ({ transactions: [one] }) => Object.assign(one ?? {}, { Status: 'FAILED' }),
  ],
  ['waits for its challenge', ({ transactions: [one] }) => Object.assign(one ?? {}, { ChargeId: 'b' })],
];

describe('the law of money', () => {
  test('holds in a world in which nothing is wrong', () => {
    expect(brokenLaw(lawful())).toBeNull();
  });

  test.each(broken)('says that it is broken: %s (row %#)', (law, breakIt) => {
    const world = structuredClone(lawful());
    breakIt(world as unknown as Mutable);
    expect(brokenLaw(world)).toContain(law);
  });
});
