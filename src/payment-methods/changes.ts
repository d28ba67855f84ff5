import { CODE, refuse } from '../core/errors.js';
import type { Override } from '../outcomes/header.js';
import { requireUnexpired } from '../tokens/cards.js';
import type { VaultWish } from '../vault/service.js';
import type { World } from '../world.js';
import { type Card, cardIn, type Metadata, type PaymentMethod } from './record.js';
import { commitIfApproved, type MethodResult, prepareToken, requireMethod } from './service.js';

/** What the real service does with payment methods beyond its specification. */

/** Creates a payment method that belongs to no customer from a token. */
export function createFromToken(
  world: World,
  command: { token: string; vault: VaultWish; metadata: Metadata | null },
  override: Override | null,
): MethodResult {
  return commitIfApproved(world, prepareToken(world, command, override), command.metadata);
}

/** What becomes of a method's card; null: it stays as it is. */
export interface MethodChange {
  /** MM/YY. */
  readonly expiry: string | null;
  readonly cardholder: string | null;
}

/** Changes what is known of a method's card: no change at all is 400 with code 105, no card 400 with 106, removed 409 with 73. */
export function updateMethod(world: World, id: string, change: MethodChange): PaymentMethod {
  const { expiry, cardholder } = change;
  if (expiry === null && cardholder === null) {
    refuse(CODE.NoDataToUpdateThePaymentMethod, 'Send Card with ExpiryDate, Cardholder or both.', {
      details: { Card: 'has neither ExpiryDate nor Cardholder' },
    });
  }
  const method = requireMethod(world, id);
  const card = requireCard(method);
  if (expiry !== null) requireUnexpired(world, expiry, 'Card.ExpiryDate');
  const source = { ...card, expiry: expiry ?? card.expiry, cardholder: cardholder ?? card.cardholder };
  const changed = { ...method, source };
  world.paymentMethods.replace(changed);
  world.webhooks.tell('paymentMethod.updated', method.id, null);
  return changed;
}

function requireCard({ source }: PaymentMethod): Card {
  return (
    cardIn(source) ??
    refuse(
      CODE.PaymentMethodMustBeOfTypeCard,
      `The payment method is of type ${source.type}; of a card alone something can be changed.`,
    )
  );
}

/** Removes a method: it stays readable and is nobody's default any more. Once removed: 409 with code 73. */
export function removeMethod(world: World, id: string): PaymentMethod {
  const method = requireMethod(world, id);
  const removed = markRemoved(world, method);
  const customer = method.customer === null ? undefined : world.customers.find(method.customer);
  if (customer?.defaultMethod === method.id) {
    world.customers.replace({ ...customer, defaultMethod: null });
  }
  world.webhooks.tell('paymentMethod.removed', method.id, null);
  return removed;
}

/** Marks a live method as removed. Its vault entry stays: it may belong to other methods too. */
export function markRemoved(world: World, method: PaymentMethod): PaymentMethod {
  const removed = { ...method, dateRemoved: world.now };
  world.paymentMethods.replace(removed);
  return removed;
}
