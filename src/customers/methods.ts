import { type Found, pageByDate } from '../core/search.js';
import type { CardData, Metadata, PaymentMethod } from '../payment-methods/record.js';
import {
  commitMethod,
  type MethodResult,
  prepareCard,
  type PreparedMethod,
  prepareToken,
} from '../payment-methods/service.js';
import type { Override } from '../outcomes/header.js';
import { approved } from '../outcomes/outcomes.js';
import { COMBINED, readExpiry } from '../vault/service.js';
import type { VaultWish } from '../vault/service.js';
import type { World } from '../world.js';
import { requireCustomer } from './changes.js';
import { findCustomer } from './service.js';

/** The payment methods of a customer. */

/** What is said of a method that is added to a customer. */
export interface AddedMethod {
  /** Whether it becomes the default; the first one does in any case. */
  readonly setDefault: boolean;
  readonly metadata: Metadata | null;
}

/** Adds a payment method to a customer; unknown: 404 with code 52, removed: 409 with code 72. */
export function addMethod(
  world: World,
  customerId: string,
  { setDefault, metadata }: AddedMethod,
  prepare: () => PreparedMethod,
): MethodResult {
  const customer = requireCustomer(world, customerId);
  const prepared = prepare();
  const { answer } = prepared;
  if (!approved(answer.outcome)) return { method: null, answer };
  const isFirst = liveMethods(world, customer.id, 1).count === 0;
  const method = commitMethod(world, prepared, customer.id, metadata);
  if (setDefault || isFirst) {
    world.customers.replace({ ...customer, defaultMethod: method.id });
  }
  world.webhooks.tell('paymentMethod.created', method.id, null);
  return { method, answer };
}

/** Adds a card to a customer. */
export function addCard(
  world: World,
  customerId: string,
  command: AddedMethod & { providerId: string; card: CardData; skipExpiry: boolean; vault: VaultWish },
  override: Override | null,
): MethodResult {
  // Members are checked before resources.
  readExpiry(world, command.vault.expiry, COMBINED);
  return addMethod(world, customerId, command, () => prepareCard(world, command, override));
}

/** Adds the card behind a token to a customer; the token is spent, also where the provider declines. */
export function addToken(
  world: World,
  customerId: string,
  command: AddedMethod & { token: string; vault: VaultWish },
  override: Override | null,
): MethodResult {
  readExpiry(world, command.vault.expiry, COMBINED);
  return addMethod(world, customerId, command, () => prepareToken(world, command, override));
}

/** The live methods of a customer, newest first, and how many there are; unknown: 404 with code 52. */
export function methodsOf(world: World, customerId: string, limit: number): Found<PaymentMethod> {
  return liveMethods(world, findCustomer(world, customerId).id, limit);
}

function liveMethods(world: World, customer: string, limit: number): Found<PaymentMethod> {
  const { paymentMethods } = world;
  const all = paymentMethods.by('customer', customer);
  const isLive = ({ dateRemoved }: PaymentMethod): boolean => dateRemoved === null;
  return pageByDate(all, [isLive], { limit, skip: 0 }, true);
}
