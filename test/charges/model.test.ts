import { describe, expect, test } from 'vitest';

import {
  type Charge,
  type ChargeEvent,
  type ChargeStatus,
  ChargeStore,
  DEFAULT_AUTHORISATION_TTL,
  nextStatus,
  NOTHING_MORE,
  SETTLEMENT_DAYS,
  statusesAllowing,
  TRANSITIONS,
} from '../../src/charges/record.js';
import { parseDuration } from '../../src/core/time.js';
import { tableIds } from '../support/tables.js';

describe('the charge machine', () => {
  test.each<[ChargeEvent, Partial<Record<ChargeStatus, ChargeStatus>>]>([
    ['capture', { Authorised: 'SUCCESS' }],
    ['void', { Authorised: 'AUTHORISE_CANCELLED' }],
    ['expire', { Authorised: 'AUTHORISE_CANCELLED' }],
    ['refund', { SUCCESS: 'REFUND', PARTIAL_REFUND: 'REFUND' }],
    ['refundPart', { SUCCESS: 'PARTIAL_REFUND', PARTIAL_REFUND: 'PARTIAL_REFUND' }],
    ['settle', { PENDING: 'SUCCESS' }],
    ['fail', { PENDING: 'FAILED' }],
  ])('%s leads from one status to another as in %j, and is forbidden elsewhere', (event, next) => {
    expect(statusesAllowing(event)).toEqual(Object.keys(next));
    const statuses = Object.keys(TRANSITIONS) as ChargeStatus[];
    const led = statuses.map((status) => [status, nextStatus(status, event)]);
    expect(Object.fromEntries(led)).toEqual(next);
  });

  test('holds an authorisation for a week, and waits two working days for a bank', () => {
    expect([DEFAULT_AUTHORISATION_TTL, SETTLEMENT_DAYS]).toEqual([parseDuration('7d'), 2]);
  });

  test('gives a plain charge none of the rarer members', () => {
    const { refunds, failedAttempts, ...others } = NOTHING_MORE;
    expect([refunds, failedAttempts]).toEqual([[], []]);
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });
});

describe('the charges of a world', () => {
  function storeOf(...charges: Partial<Charge>[]): ChargeStore {
    const store = new ChargeStore(tableIds(), 10);
    const plain = { reference: null, customer: null, paymentMethod: null };
    for (const [index, charge] of charges.entries()) store.add({ ...plain, ...charge, index } as Charge);
    return store;
  }

  test('are found by reference, by customer and by payment method', () => {
    const store = storeOf(
      { reference: 'order-1', customer: 7, paymentMethod: 3 },
      {},
      { reference: 'order-1', customer: 8, paymentMethod: 3 },
    );
    expect([store.byReference.find('order-1'), store.byReference.find('null')]).toEqual([[0, 2], []]);
    expect([store.byCustomer.find(7), store.byCustomer.find(8), store.byCustomer.find(0)]).toEqual([
      [0],
      [2],
      [],
    ]);
    expect([store.byPaymentMethod.find(3), store.byPaymentMethod.find(0)]).toEqual([[0, 2], []]);
  });

  test('are made without a reference even after thousands of different ones', () => {
    const store = storeOf(...Array.from({ length: 8200 }, (_, n) => ({ reference: `order-${n}` })), {});
    expect([store.size, store.byReference.find('order-8199')]).toEqual([8201, [8199]]);
  });

  test('are numbered in the order in which they were made', () => {
    const store = storeOf({}, {});
    expect([store.add({ index: 2, reference: null } as Charge), store.size]).toEqual([2, 3]);
  });

  test('of no customer and no method stand in no list of the first ones', () => {
    const store = storeOf({ customer: null, paymentMethod: null });
    expect([Object.keys(store.byCustomer.find(0)), Object.keys(store.byPaymentMethod.find(0))]).toEqual([
      [],
      [],
    ]);
  });
});
