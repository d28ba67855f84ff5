import {
  type Found,
  type Order,
  type Page,
  pageByDate,
  type Test,
  whole,
  withinDates,
} from '../core/search.js';
import type { Candidates } from '../core/store.js';
import { DELETED } from '../payment-methods/record.js';
import type { World } from '../world.js';
import type { Customer, CustomerTable } from './record.js';

/** What a search for customers asks; null: anything. All that is asked must hold. */
export interface CustomerFilter {
  readonly reference: string | null;
  readonly email: string | null;
  /** A part of "First Last", in any case. */
  readonly name: string | null;
  /** A part of the name, the e-mail address, the phone number or the reference, in any case. */
  readonly search: string | null;
  readonly customerId: string | null;
  /** A method of the customer, live or removed. */
  readonly paymentMethodId: string | null;
  /** Whether removed customers are found too. */
  readonly includeRemoved: boolean;
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date'> | null;
}

/** Finds customers: by index where the filter names one, a payment method, a reference or an e-mail address. */
export function searchCustomers(world: World, filter: CustomerFilter): Found<Customer> {
  const { page, order } = filter;
  const candidates = withinDates(candidatesOf(world, filter), filter);
  const newestFirst = order === null || order.descending;
  return pageByDate(candidates, testsOf(world, filter), page, newestFirst);
}

/** The shortest list of candidates that there is for the filter. */
function candidatesOf(world: World, filter: CustomerFilter): Candidates<Customer> {
  const { customers } = world;
  const { customerId, paymentMethodId, reference } = filter;
  if (customerId !== null) return single(customers, customerId);
  if (paymentMethodId !== null)
    return single(customers, world.paymentMethods.find(paymentMethodId)?.customer);
  if (reference !== null) return customers.by('reference', reference);
  const email = indexedEmail(filter);
  return email === null ? whole(customers) : customers.by('email', email);
}

function single(customers: CustomerTable, id: string | null | undefined): Candidates<Customer> {
  const found = id === null || id === undefined ? undefined : customers.find(id);
  return found === undefined ? [] : [found];
}

/** The e-mail address to look up; null: none, or the one that removed customers share. */
function indexedEmail({ email }: CustomerFilter): string | null {
  const key = email?.toLowerCase() ?? null;
  return key === DELETED ? null : key;
}

/** The conditions that a candidate still has to meet. */
function testsOf(world: World, filter: CustomerFilter): Test<Customer>[] {
  const { customerId, paymentMethodId, reference, name, search } = filter;
  const email = filter.email?.toLowerCase() ?? null;
  const tests: Test<Customer>[] = [];
  if (!filter.includeRemoved && world.customers.live < world.customers.size) {
    tests.push(({ dateRemoved }) => dateRemoved === null);
  }
  // Each lookup alone already ensures its own condition; these matter when several are asked for.
  const several =
    [customerId, paymentMethodId, reference, email].filter((asked) => asked !== null).length > 1;
  if (several) {
    const owner = paymentMethodId === null ? null : world.paymentMethods.find(paymentMethodId)?.customer;
    if (paymentMethodId !== null) tests.push(({ id }) => id === owner);
    if (reference !== null) tests.push((customer) => customer.reference === reference);
  }
  if (email !== null && (several || indexedEmail(filter) === null))
    tests.push((customer) => customer.email?.toLowerCase() === email);
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
