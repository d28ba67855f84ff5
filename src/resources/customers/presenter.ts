import { presentMethodSummary } from '../payment-methods/presenter.js';
import { presentInstant, summariseCustomer } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Address, Customer } from '../../records/customer.js';
import type { CustomerResponse } from './schema.js';

export function presentCustomer(world: World, customer: Customer): CustomerResponse {
  const method =
    customer.defaultMethod === null ? undefined : world.paymentMethods.find(customer.defaultMethod);
  const { DateAdded, ...summary } = summariseCustomer(customer);
  return {
    ...summary,
    Address: customer.address === null ? null : presentAddress(customer.address),
    Ip: customer.ip,
    DateAdded,
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
