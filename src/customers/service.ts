import { shownId } from '../core/card.js';
import { CODE, refuse } from '../core/errors.js';
import type { CardData, Metadata } from '../payment-methods/record.js';
import { commitMethod, prepareCard, type PreparedMethod, prepareToken } from '../payment-methods/service.js';
import type { Override } from '../outcomes/header.js';
import { approved } from '../outcomes/outcomes.js';
import type { ProviderAnswer } from '../outcomes/provider.js';
import type { VaultWish } from '../vault/service.js';
import type { World } from '../world.js';
import type { Address, Customer } from './record.js';

export interface CustomerDetails {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly reference: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address | null;
  readonly ip: string | null;
  readonly metadata: Metadata | null;
}

/** A customer that was stored, and what the provider of its card answered; null where it declined. */
export interface CustomerResult {
  readonly customer: Customer | null;
  readonly answer: ProviderAnswer;
}

/** Creates a customer whose default payment method is made from a card. */
export function createFromCard(
  world: World,
  command: {
    providerId: string;
    card: CardData;
    skipExpiry: boolean;
    vault: VaultWish;
    details: CustomerDetails;
  },
  override: Override | null,
): CustomerResult {
  return createCustomer(world, command.details, () => prepareCard(world, command, override));
}

/** Creates a customer whose default payment method is made from a token. */
export function createFromToken(
  world: World,
  command: { token: string; vault: VaultWish; details: CustomerDetails },
  override: Override | null,
): CustomerResult {
  return createCustomer(world, command.details, () => prepareToken(world, command, override));
}

/** Creates a customer with its first payment method, which is the default one. */
export function createCustomer(
  world: World,
  details: CustomerDetails,
  prepare: () => PreparedMethod,
): CustomerResult {
  // Asked before the provider is, whose answers count.
  world.requireRoom(world.customers, 'customers');
  const prepared = prepare();
  const { answer } = prepared;
  if (!approved(answer.outcome)) return { customer: null, answer };
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
  world.webhooks.tell('paymentMethod.created', method.id, null);
  world.webhooks.tell('customer.created', id, null);
  return { customer, answer };
}

/** The customer of an identifier, also a removed one; unknown: 404 with code 52. */
export function findCustomer(world: World, id: string): Customer {
  const customer = world.customers.find(id);
  if (customer) return customer;
  return refuse(CODE.InvalidCustomerId, `There is no customer ${shownId(id)} in this world.`);
}
