import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { dropNulls } from '../../core/given.js';
import { type SearchResult, pageByDate, listRecords } from '../../core/store/search.js';
import { isApproved } from '../../outcomes/outcomes.js';
import type { StoreResult } from '../../outcomes/provider.js';
import { DELETED, type Metadata, type PaymentMethod } from '../../records/payment-method.js';
import { commitMethod, markRemoved, type PreparedMethod, requireMethod } from '../payment-methods/service.js';
import { readExpiry, type VaultRequest } from '../vault/service.js';
import type { World } from '../../world/world.js';
import type { Customer } from '../../records/customer.js';

export type CustomerDetails = Omit<Customer, 'id' | 'index' | 'dateAdded' | 'dateRemoved' | 'defaultMethod'>;

/** Creates a customer with its first payment method, which is the default one. */
export function createCustomer(
  world: World,
  details: CustomerDetails,
  prepare: () => PreparedMethod,
): StoreResult<Customer> {
  // Checked before the provider is asked, because that uses up its answers.
  world.requireRoom(world.customers, 'customers');
  const prepared = prepare();
  const { answer, source } = prepared;
  if (!isApproved(answer.outcome)) return { made: null, answer, source };
  const { nextId: id, next: index } = world.customers;
  const method = commitMethod(world, prepared, id, null);
  const customer: Customer = {
    id,
    index,
    ...details,
    dateAdded: world.now,
    dateRemoved: null,
    defaultMethod: method.id,
  };
  world.customers.add(customer);
  world.webhooks.notify('paymentMethod.created', method.id, null);
  world.webhooks.notify('customer.created', id, null);
  return { made: customer, answer, source };
}

/** Returns a customer, even a removed one. Unknown: 404 with code 52. */
export function requireKnownCustomer(world: World, id: string): Customer {
  return world.customers.find(id) ?? refuseUnknownId(CODE.InvalidCustomerId, id, 'customer', 'CustomerId');
}

/** Returns a customer. Unknown: 404 with code 52; removed: 409 with code 72. */
export function requireCustomer(world: World, id: string): Customer {
  const customer = requireKnownCustomer(world, id);
  if (customer.dateRemoved === null) return customer;
  return refuse(CODE.InvalidCustomerIdRemoved, 'The customer was removed and cannot be changed.');
}

/** Changed fields; null keeps a field. An address replaces the whole stored one. */
export interface CustomerChange extends Omit<CustomerDetails, 'ip' | 'metadata'> {
  /** A method of the customer. Unknown: 404 with code 56; removed: 409 with 73; another customer's: 400 with 57. */
  readonly defaultPaymentMethodId: string | null;
}

export function updateCustomer(world: World, customerId: string, change: CustomerChange): Customer {
  const customer = requireCustomer(world, customerId);
  const { defaultPaymentMethodId: id, ...fields } = change;
  const defaultMethod = id === null ? customer.defaultMethod : requireOwnMethod(world, customer, id);
  const changed: Customer = { ...customer, ...dropNulls(fields), defaultMethod };
  world.customers.replace(changed);
  world.webhooks.notify('customer.updated', customer.id, null);
  return changed;
}

/** The identifier of a live method of the customer. */
function requireOwnMethod(world: World, customer: Customer, id: string): string {
  const method = requireMethod(world, id);
  if (method.customer === customer.id) return method.id;
  const reason = 'does not belong to this customer';
  const detail = `The payment method ${id} ${reason}; GET /customer/{id}/payment_method lists those that do.`;
  return refuseField(CODE.InvalidPaymentMethod, 'DefaultPaymentMethodId', reason, detail);
}

/** Removes a customer and its methods, which can still be read. Already removed: 409 with code 72. */
export function removeCustomer(world: World, id: string): Customer {
  const customer = requireCustomer(world, id);
  const methods = [...listRecords(world.paymentMethods.by('customer', customer.id))];
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
  for (const method of removedMethods) world.webhooks.notify('paymentMethod.removed', method.id, null);
  world.webhooks.notify('customer.removed', customer.id, null);
  return removed;
}

export interface AddMethodInput {
  /** Whether it becomes the default. The first one always does. */
  readonly setDefault: boolean;
  readonly metadata: Metadata | null;
  readonly vault?: VaultRequest;
}

/** Adds a payment method to a customer; unknown: 404 with code 52, removed: 409 with code 72. */
export function addMethod(
  world: World,
  customerId: string,
  { setDefault, metadata, vault }: AddMethodInput,
  prepare: () => PreparedMethod,
): StoreResult<PaymentMethod> {
  // Fields are checked before resources.
  if (vault) readExpiry(world, vault.expiry);
  const customer = requireCustomer(world, customerId);
  const prepared = prepare();
  const { answer, source } = prepared;
  if (!isApproved(answer.outcome)) return { made: null, answer, source };
  const isFirst = findLiveMethods(world, customer.id, 1).count === 0;
  const method = commitMethod(world, prepared, customer.id, metadata);
  if (setDefault || isFirst) world.customers.replace({ ...customer, defaultMethod: method.id });
  world.webhooks.notify('paymentMethod.created', method.id, null);
  return { made: method, answer, source };
}

/** The methods of a customer without removed ones, newest first, and their number. Unknown: 404 with code 52. */
export function listMethods(world: World, customerId: string, limit: number): SearchResult<PaymentMethod> {
  return findLiveMethods(world, requireKnownCustomer(world, customerId).id, limit);
}

function findLiveMethods(world: World, customer: string, limit: number): SearchResult<PaymentMethod> {
  const { paymentMethods } = world;
  const all = paymentMethods.by('customer', customer);
  const isLive = ({ dateRemoved }: PaymentMethod): boolean => dateRemoved === null;
  return pageByDate(all, [isLive], { limit, skip: 0 }, true);
}
