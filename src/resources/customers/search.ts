import { type SearchFilter, type SearchResult, searchTable, oneCandidate } from '../../core/store/search.js';
import { DELETED } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import type { Customer } from '../../records/customer.js';

const customerConditions = (world: World) => ({
  reference: (wanted: string) => (customer: Customer) => customer.reference === wanted,
  email: (wanted: string) => {
    const email = wanted.toLowerCase();
    return (customer: Customer) => customer.email?.toLowerCase() === email;
  },
  /** A part of "First Last", in any case. */
  name: (name: string) => (customer: Customer) => joinNames(customer).includes(name.toLowerCase()),
  /** A part of the name, the e-mail address, the phone number or the reference, in any case. */
  search: (wanted: string) => {
    const part = wanted.toLowerCase();
    return (customer: Customer) =>
      [joinNames(customer), customer.email, customer.phone, customer.reference].some((text) =>
        text?.toLowerCase().includes(part),
      );
  },
  customerId: (wanted: string) => (customer: Customer) => customer.id === wanted,
  paymentMethodId: (wanted: string) => {
    const owner = world.paymentMethods.find(wanted)?.customer;
    return (customer: Customer) => customer.id === owner;
  },
});

export type CustomerFilter = SearchFilter<ReturnType<typeof customerConditions>> & {
  readonly includeRemoved: boolean | null;
};

export function searchCustomers(world: World, filter: CustomerFilter): SearchResult<Customer> {
  const { customers, paymentMethods } = world;
  return searchTable(customers, filter, {
    conditions: customerConditions(world),
    indexes: {
      customerId: (wanted) => oneCandidate(customers.find(wanted)),
      paymentMethodId: (wanted) => oneCandidate(customers.find(paymentMethods.find(wanted)?.customer ?? '')),
      reference: (wanted) => customers.by('reference', wanted),
      email: (wanted) => {
        const email = wanted.toLowerCase();
        // All removed customers have this address, and the index does not contain them.
        return email === DELETED ? null : customers.by('email', email);
      },
    },
    withRemoved: filter.includeRemoved === true,
  });
}

function joinNames(customer: Customer): string {
  return `${customer.firstName ?? ''} ${customer.lastName ?? ''}`.trim().toLowerCase();
}
