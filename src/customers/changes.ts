import { CODE, refuse } from '../core/errors.js';
import { recordsIn } from '../core/search.js';
import { markRemoved } from '../payment-methods/changes.js';
import { DELETED } from '../payment-methods/record.js';
import { requireMethod } from '../payment-methods/service.js';
import type { World } from '../world.js';
import type { Address, Customer } from './record.js';
import { findCustomer } from './service.js';

/** What happens to a customer after it was made. */

/** The live customer of an identifier; unknown: 404 with code 52, removed: 409 with code 72. */
export function requireCustomer(world: World, id: string): Customer {
  const customer = findCustomer(world, id);
  if (customer.dateRemoved === null) return customer;
  return refuse(CODE.InvalidCustomerIdRemoved, 'The customer was removed and cannot be changed.');
}

/** What becomes of a customer's members; null: it stays as it is. */
export interface CustomerChange {
  readonly reference: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Takes the place of the whole address before. */
  readonly address: Address | null;
  /** A live method of the customer: another one is 404 with code 56, 409 with 73, or 400 with 57. */
  readonly defaultMethodId: string | null;
}

/** Changes a customer's members, or which of its methods is charged. */
export function updateCustomer(world: World, id: string, change: CustomerChange): Customer {
  const customer = requireCustomer(world, id);
  const { defaultMethodId } = change;
  const changed: Customer = {
    ...customer,
    reference: change.reference ?? customer.reference,
    firstName: change.firstName ?? customer.firstName,
    lastName: change.lastName ?? customer.lastName,
    email: change.email ?? customer.email,
    phone: change.phone ?? customer.phone,
    address: change.address ?? customer.address,
    defaultMethod:
      defaultMethodId === null ? customer.defaultMethod : ownMethod(world, customer, defaultMethodId),
  };
  world.customers.replace(changed);
  world.webhooks.tell('customer.updated', customer.id, null);
  return changed;
}

/** The identifier of a live method of the customer. */
function ownMethod(world: World, customer: Customer, id: string): string {
  const method = requireMethod(world, id);
  if (method.customer === customer.id) return method.id;
  const reason = 'does not belong to this customer';
  return refuse(
    CODE.InvalidPaymentMethod,
    `The payment method ${id} ${reason}; GET /customer/{id}/payment_method lists those that do.`,
    { details: { DefaultPaymentMethodId: reason } },
  );
}

/** Removes a customer and its methods: all stay readable. Once removed: 409 with code 72. */
export function removeCustomer(world: World, id: string): Customer {
  const customer = requireCustomer(world, id);
  const methods = [...recordsIn(world.paymentMethods.by('customer', customer.id))];
  const removedMethods = methods
    .filter(({ dateRemoved }) => dateRemoved === null)
    .map((method) => markRemoved(world, method));
  const removed: Customer = {
    ...customer,
    email: DELETED,
    phone: DELETED,
    dateRemoved: world.now,
    defaultMethod: null,
  };
  world.customers.replace(removed);
  for (const method of removedMethods) world.webhooks.tell('paymentMethod.removed', method.id, null);
  world.webhooks.tell('customer.removed', customer.id, null);
  return removed;
}
