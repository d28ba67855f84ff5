import {
  type Candidates,
  type Found,
  listed,
  type Order,
  type Page,
  pageByDate,
  type Test,
  whole,
  withinDates,
} from '../core/search.js';
import type { World } from '../world.js';
import type { Customer } from './model.js';

/** What a search for customers asks; null: anything. All that is asked must hold. */
export interface CustomerFilter {
  readonly reference: string | null;
  readonly email: string | null;
  /** A part of "First Last", in any case. */
  readonly name: string | null;
  /** A part of the name, the e-mail address, the phone number or the reference, in any case. */
  readonly search: string | null;
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date'> | null;
}

/** Finds customers: by index where the filter names a reference or an e-mail address. */
export function searchCustomers(world: World, filter: CustomerFilter): Found<Customer> {
  const { page, order } = filter;
  const candidates = withinDates(world.customers, candidatesOf(world, filter), filter);
  const newestFirst = order === null || order.descending;
  return pageByDate(world.customers, candidates, testsOf(filter), page, newestFirst);
}

function candidatesOf(world: World, filter: CustomerFilter): Candidates {
  const { customers } = world;
  if (filter.reference !== null) return listed(customers.byReference.find(filter.reference));
  if (filter.email !== null) return listed(customers.byEmail.find(filter.email.toLowerCase()));
  return whole(customers);
}

function testsOf(filter: CustomerFilter): Test<Customer>[] {
  const { email, name, search } = filter;
  const tests: Test<Customer>[] = [];
  // The index of references was asked first; an e-mail address is then one more condition.
  if (email !== null && filter.reference !== null) {
    tests.push((customer) => customer.email?.toLowerCase() === email.toLowerCase());
  }
  if (name !== null) tests.push((customer) => nameOf(customer).includes(name.toLowerCase()));
  if (search !== null) {
    const part = search.toLowerCase();
    tests.push((customer) =>
      [nameOf(customer), customer.email, customer.phone, customer.reference].some((text) =>
        text?.toLowerCase().includes(part),
      ),
    );
  }
  return tests;
}

function nameOf(customer: Customer): string {
  return `${customer.firstName ?? ''} ${customer.lastName ?? ''}`.trim().toLowerCase();
}
