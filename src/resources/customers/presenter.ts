import { formatInstant } from '../../core/time/time.js';
import { presentMethodSummary } from '../payment-methods/presenter.js';
import { presentInstant } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Address, Customer } from '../../records/customer.js';
import type { CustomerResponse } from './schema.js';

export function presentCustomer(world: World, customer: Customer): CustomerResponse {
  const method =
    customer.defaultMethod === null ? undefined : world.paymentMethods.find(customer.defaultMethod);
  return {
    CustomerId: customer.id,
    Reference: customer.reference,
    FirstName: customer.firstName,
    LastName: customer.lastName,
    Email: customer.email,
    Phone: customer.phone,
    Address: customer.address === null ? null : presentAddress(customer.address),
    Ip: customer.ip,
    DateAdded: formatInstant(customer.dateAdded),
    DateRemoved: presentInstant(customer.dateRemoved),
    DefaultPaymentMethod: method ? presentMethodSummary(world, method) : null,
    Metadata: customer.metadata,
  };
}

function presentAddress(address: Address): CustomerResponse['Address'] {
  return {
    Line1: address.line1,
    Line2: address.line2,
    City: address.city,
    Country: address.country,
    PostalCode: address.postalCode,
    State: address.state,
  };
}
