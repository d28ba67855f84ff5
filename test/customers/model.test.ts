import { describe, expect, test } from 'vitest';

import { type Customer, CustomerStore } from '../../src/customers/record.js';
import { tableIds } from '../support/tables.js';

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

function storeOf(...customers: Partial<Customer>[]): CustomerStore {
  const store = new CustomerStore(tableIds(), 10);
  for (const [index, customer] of customers.entries()) store.add({ ...CUSTOMER, ...customer, index });
  return store;
}

describe('the customers of a world', () => {
  test('are found by reference as it is, and by e-mail address in lower case', () => {
    const store = storeOf({}, { reference: 'LOYAL-1', email: 'JO@EXAMPLE.COM' });
    expect([store.byReference.find('loyal-1'), store.byReference.find('LOYAL-1')]).toEqual([[0], [1]]);
    expect(store.byEmail.find('jo@example.com')).toEqual([0, 1]);
    expect(store.byEmail.find('Jo@Example.com')).toEqual([]);
  });

  test('without a reference or an address stand under no text', () => {
    const store = storeOf({ reference: null, email: null });
    expect([store.byReference.find('null'), store.byEmail.find('null'), store.size]).toEqual([[], [], 1]);
  });

  test('are found by what they were changed to, and by nothing of what they were', () => {
    const store = storeOf({});
    store.replace(0, { ...CUSTOMER, reference: 'loyal-2', email: 'sam@example.com' });
    expect([store.byReference.find('loyal-1'), store.byReference.find('loyal-2')]).toEqual([[], [0]]);
    expect([store.byEmail.find('jo@example.com'), store.byEmail.find('sam@example.com')]).toEqual([[], [0]]);
    expect(store.at(0)?.reference).toBe('loyal-2');
  });

  test('that were removed keep their reference and lose their address, also when they are loaded so', () => {
    const removed = { ...CUSTOMER, dateRemoved: 1 };
    const store = storeOf({});
    store.replace(0, removed);
    expect([store.byReference.find('loyal-1'), store.byEmail.find('jo@example.com'), store.removed]).toEqual([
      [0],
      [],
      1,
    ]);
    expect(storeOf(removed).byEmail.find('jo@example.com')).toEqual([]);
  });

  test('that never were cannot get an entry in the lists', () => {
    const store = storeOf();
    store.replace(5, { ...CUSTOMER, index: 5 });
    expect([store.byReference.find('loyal-1'), store.byEmail.find('jo@example.com')]).toEqual([[], []]);
  });
});
