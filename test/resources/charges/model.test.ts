import { describe, expect, test } from 'vitest';

import { Table } from '../../../src/core/store/store.js';
import {
  type Charge,
  type ChargeEvent,
  type ChargeStatus,
  CHARGE_KEYS,
  type ChargeTable,
  DEFAULT_AUTHORISATION_TTL,
  nextStatus,
  NOTHING_MORE,
  SETTLEMENT_DAYS,
  statusesAllowing,
  TRANSITIONS,
} from '../../../src/records/charge.js';
import { parseDuration } from '../../../src/core/time/time.js';
import { indexesOf, tableIds } from '../../support/tables.js';

describe('the charge machine', () => {
  test.each<[ChargeEvent, Partial<Record<ChargeStatus, ChargeStatus>>]>([
    ['capture', { Authorised: 'SUCCESS' }],
    ['void', { Authorised: 'AUTHORISE_CANCELLED', PENDING_CHECKOUT: 'AUTHORISE_CANCELLED' }],
    ['expire', { Authorised: 'AUTHORISE_CANCELLED' }],
    ['refund', { SUCCESS: 'REFUND', PARTIAL_REFUND: 'REFUND' }],
    ['refundPart', { SUCCESS: 'PARTIAL_REFUND', PARTIAL_REFUND: 'PARTIAL_REFUND' }],
    ['settle', { PENDING: 'SUCCESS' }],
    ['approve', { PENDING_CHECKOUT: 'SUCCESS' }],
    ['authorise', { PENDING: 'Authorised', PENDING_CHECKOUT: 'Authorised' }],
    ['fail', { PENDING: 'FAILED', PENDING_CHECKOUT: 'FAILED' }],
  ])('%s leads from one status to another as in %j, and is forbidden elsewhere', (event, next) => {
    expect(statusesAllowing(event)).toEqual(Object.keys(next));
    const statuses = Object.keys(TRANSITIONS) as ChargeStatus[];
    const led = statuses.map((status) => [status, nextStatus(status, event)]);
    expect(Object.fromEntries(led)).toEqual(next);
  });

  test('holds an authorisation for a week, and waits two working days for a bank', () => {
    expect([DEFAULT_AUTHORISATION_TTL, SETTLEMENT_DAYS]).toEqual([parseDuration('7d'), 2]);
  });

  test('gives an ordinary charge none of the rare fields', () => {
    const { refunds, failedAttempts, decisions, ...others } = NOTHING_MORE;
    expect([refunds, failedAttempts, decisions]).toEqual([[], [], []]);
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });
});

describe('the charges of a world', () => {
  function storeOf(...charges: Partial<Charge>[]): ChargeTable {
    const store = new Table(tableIds(), 10, CHARGE_KEYS);
    const plain = { reference: null, customer: null, paymentMethod: null };
    for (const [index, charge] of charges.entries()) store.add({ ...plain, ...charge, index } as Charge);
    return store;
  }

  test('are found by reference, by customer and by payment method', () => {
    const store = storeOf(
      { reference: 'order-1', customer: 'c7', paymentMethod: 'p3' },
      {},
      { reference: 'order-1', customer: 'c8', paymentMethod: 'p3' },
    );
    expect([indexesOf(store.by('reference', 'order-1')), indexesOf(store.by('reference', 'null'))]).toEqual([
      [0, 2],
      [],
    ]);
    expect([
      indexesOf(store.by('customer', 'c7')),
      indexesOf(store.by('customer', 'c8')),
      indexesOf(store.by('customer', 'null')),
    ]).toEqual([[0], [2], []]);
    expect([
      indexesOf(store.by('paymentMethod', 'p3')),
      indexesOf(store.by('paymentMethod', 'null')),
    ]).toEqual([[0, 2], []]);
  });

  test('are made without a reference even after thousands of different ones', () => {
    const store = storeOf(...Array.from({ length: 8200 }, (_, n) => ({ reference: `order-${n}` })), {});
    expect([store.size, indexesOf(store.by('reference', 'order-8199'))]).toEqual([8201, [8199]]);
  });

  test('of no customer and no method are in no list', () => {
    const store = storeOf({ customer: null, paymentMethod: null });
    expect([indexesOf(store.by('customer', 'null')), indexesOf(store.by('paymentMethod', 'null'))]).toEqual([
      [],
      [],
    ]);
  });
});
