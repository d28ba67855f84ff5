import { describe, expect, test } from 'vitest';

import { Table } from '../../../src/core/store/store.js';
import { type Customer, CUSTOMER_KEYS, type CustomerTable } from '../../../src/records/customer.js';
import { indexesOf, tableIds } from '../../support/tables.js';

const CUSTOMER: Customer = {
  id: '',
  index: 0,
  reference: 'loyal-1',
  firstName: null,
  lastName: null,
  email: 'Jo@Example.com',
  phone: null,
  address: null,
  ip: null,
  dateAdded: 0,
  dateRemoved: null,
  defaultMethod: null,
  metadata: null,
};

function storeOf(...customers: Partial<Customer>[]): CustomerTable {
  const store = new Table(tableIds(), 10, CUSTOMER_KEYS);
  for (const [index, customer] of customers.entries()) store.add({ ...CUSTOMER, ...customer, index });
  return store;
}

describe('the customers of a world', () => {
  test('are found by reference as it is, and by e-mail address in lower case', () => {
    const store = storeOf({}, { reference: 'LOYAL-1', email: 'JO@EXAMPLE.COM' });
    expect([
      indexesOf(store.by('reference', 'loyal-1')),
      indexesOf(store.by('reference', 'LOYAL-1')),
    ]).toEqual([[0], [1]]);
    expect(indexesOf(store.by('email', 'jo@example.com'))).toEqual([0, 1]);
    expect(indexesOf(store.by('email', 'Jo@Example.com'))).toEqual([]);
  });

  test('without a reference or an address stand under no text', () => {
    const store = storeOf({ reference: null, email: null });
    expect([
      indexesOf(store.by('reference', 'null')),
      indexesOf(store.by('email', 'null')),
      store.size,
    ]).toEqual([[], [], 1]);
  });

  test('are found by their new values, and not by their old ones', () => {
    const store = storeOf({});
    store.replace({ ...CUSTOMER, reference: 'loyal-2', email: 'sam@example.com' });
    expect([
      indexesOf(store.by('reference', 'loyal-1')),
      indexesOf(store.by('reference', 'loyal-2')),
    ]).toEqual([[], [0]]);
    expect([
      indexesOf(store.by('email', 'jo@example.com')),
      indexesOf(store.by('email', 'sam@example.com')),
    ]).toEqual([[], [0]]);
    expect(store.at(0)?.reference).toBe('loyal-2');
  });

  test('that were removed keep their reference and lose their address, also when they are loaded so', () => {
    const removed = { ...CUSTOMER, dateRemoved: 1 };
    const store = storeOf({});
    store.replace(removed);
    expect([
      indexesOf(store.by('reference', 'loyal-1')),
      indexesOf(store.by('email', 'jo@example.com')),
      store.live,
    ]).toEqual([[0], [], 0]);
    expect(indexesOf(storeOf(removed).by('email', 'jo@example.com'))).toEqual([]);
  });

  test('that never were cannot get an entry in the lists', () => {
    const store = storeOf();
    store.replace({ ...CUSTOMER, index: 5 });
    expect([
      indexesOf(store.by('reference', 'loyal-1')),
      indexesOf(store.by('email', 'jo@example.com')),
    ]).toEqual([[], []]);
  });
});
