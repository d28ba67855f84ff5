import { describe, expect, test } from 'vitest';

import { Table } from '../../../src/core/store/store.js';
import { toBankAccount } from '../../../src/resources/tokens/rules.js';
import {
  type BankAccount,
  type Card,
  CardPool,
  findCard,
  type PaymentMethod,
  PAYMENT_METHOD_KEYS,
  type PayTo,
} from '../../../src/records/payment-method.js';
import { testSandbox } from '../../support/sandbox.js';
import { indexesOf, tableIds } from '../../support/tables.js';

const VISA = '4111111111111111';
const AMEX = '378282246310005';

/** A card number of its own for each n; nobody looks at its check digit here. */
const numbered = (n: number) => `4${String(n).padStart(15, '0')}`;

describe('what is known of a card outside the vault', () => {
  test('is its first six and last four digits, scheme and funding, never the number', () => {
    expect(new CardPool().cardFor(AMEX, '10/30', 'Jo Smith', 'card:x')).toEqual({
      type: 'CARD',
      masked: '3782*******0005',
      iin: '378282',
      expiry: '10/30',
      cardholder: 'Jo Smith',
      scheme: 'AMEX',
      funding: 'CREDIT',
      trigger: 'card:x',
    });
    expect(new CardPool().cardFor('4000056655665556', '10/30', null, null).funding).toBe('DEBIT');
  });

  test('is one object for equal cards, and another for each difference', () => {
    const pool = new CardPool();
    const card = pool.cardFor(VISA, '10/30', 'Jo Smith', null);
    expect(pool.cardFor(VISA, '10/30', 'Jo Smith', null)).toBe(card);
    const others = [
      pool.cardFor(AMEX, '10/30', 'Jo Smith', null),
      pool.cardFor(VISA, '11/30', 'Jo Smith', null),
      pool.cardFor(VISA, '10/30', 'Sam Smith', null),
      pool.cardFor(VISA, '10/30', null, null),
      pool.cardFor(VISA, '10/30', 'Jo Smith', 'card:x'),
    ];
    expect(new Set([card, ...others]).size).toBe(6);
    expect(others.map(({ expiry, cardholder, trigger }) => [expiry, cardholder, trigger])).toEqual([
      ['10/30', 'Jo Smith', null],
      ['11/30', 'Jo Smith', null],
      ['10/30', 'Sam Smith', null],
      ['10/30', null, null],
      ['10/30', 'Jo Smith', 'card:x'],
    ]);
    expect(pool.cardFor(VISA, '11/30', 'Jo Smith', null)).toBe(others[1]);
  });

  test('is remembered for eight kinds of one number; the ninth starts again', () => {
    const pool = new CardPool();
    const held = (n: number) => pool.cardFor(VISA, '10/30', `holder ${n}`, null);
    const eight = Array.from({ length: 8 }, (_, n) => held(n));
    expect(Array.from({ length: 8 }, (_, n) => held(n))).toEqual(eight);
    expect(held(0)).toBe(eight[0]);
    const ninth = held(8);
    expect(held(8)).toBe(ninth);
    expect(held(0)).not.toBe(eight[0]);
    expect(held(0)).toEqual(eight[0]);
  });

  test('is remembered for 1,024 numbers, then the pool starts again, so that it cannot grow', () => {
    const pool = new CardPool();
    const card = (n: number) => pool.cardFor(numbered(n), '10/30', null, null);
    const first = card(0);
    for (let n = 1; n < 1024; n++) card(n);
    expect(card(0)).toBe(first);
    const last = card(1024);
    expect(card(1024)).toBe(last);
    expect(card(0)).not.toBe(first);
  });
});

test('what is known of a bank account is one object for equal accounts, and another for each difference', () => {
  const world = testSandbox().worlds.open('sk_test_a');
  const data = { bankCode: '062-000', accountNumber: '000123456', accountName: 'Jo Smith' };
  const first = toBankAccount(world, data);
  expect(toBankAccount(world, { ...data })).toBe(first);
  expect(toBankAccount(world, { ...data, accountName: 'Sam Smith' })).not.toBe(first);
});

test('only a card counts as a card', () => {
  const card = new CardPool().cardFor(VISA, '10/30', null, null);
  expect([card, { type: 'BANK_ACCOUNT' } as BankAccount, { type: 'PAYTO' } as PayTo].map(findCard)).toEqual<
    (Card | null)[]
  >([card, null, null]);
});

test('the payment methods of a world are found by customer, and by what a provider calls them', () => {
  const store = new Table(tableIds(), 10, PAYMENT_METHOD_KEYS);
  const plain = { customer: null, origin: null, dateRemoved: null };
  const origin = { token: 'tok-of-theirs', data: null, singleUse: false, email: null };
  const methods = [{ customer: 'c4' }, {}, { customer: 'c4', origin }, { origin }];
  for (const [index, method] of methods.entries()) store.add({ ...plain, ...method, index } as PaymentMethod);
  expect([indexesOf(store.by('customer', 'c4')), indexesOf(store.by('customer', 'c0'))]).toEqual([
    [0, 2],
    [],
  ]);
  expect([
    indexesOf(store.by('providerToken', 'tok-of-theirs')),
    indexesOf(store.by('providerToken', '')),
  ]).toEqual([[2, 3], []]);
});
