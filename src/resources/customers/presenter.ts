import { presentMethodSummary } from '../payment-methods/presenter.js';
import { presentAddress, presentInstant, summariseCustomer } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Customer } from '../../records/customer.js';
import type { CustomerResponse } from './schema.js';

export function presentCustomer(world: World, customer: Customer): CustomerResponse {
  const method =
    customer.defaultMethod === null ? undefined : world.paymentMethods.find(customer.defaultMethod);
  const { DateAdded, ...summary } = summariseCustomer(customer);
  return {
    ...summary,
    Address: presentAddress(customer.address),
    Ip: customer.ip,
    DateAdded,
    DateRemoved: presentInstant(customer.dateRemoved),
    DefaultPaymentMethod: method ? presentMethodSummary(world, method) : null,
    Metadata: customer.metadata,
  };
}
