import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { isApproved } from '../../outcomes/outcomes.js';
import type { StoreResult, ProviderAnswer } from '../../outcomes/provider.js';
import { requireUnexpired } from '../tokens/rules.js';
import type { VaultEntry } from '../../records/vault-entry.js';
import { type EntryChange, storeCard, updateEntry } from '../vault/service.js';
import type { World } from '../../world/world.js';
import {
  type Card,
  findCard,
  type Metadata,
  type PaymentMethod,
  type ProviderToken,
  type Source,
} from '../../records/payment-method.js';

/** A source that passed every check and was sent to its provider. Nothing is stored yet. */
export interface PreparedMethod extends EntryChange {
  readonly providerId: string;
  readonly source: Source;
  readonly answer: ProviderAnswer;
  /** The new vault entry; null if there is none. */
  readonly vault: VaultContent | null;
  /** The entry that it shares, and that changes; null if there is none. */
  readonly entry: VaultEntry | null;
  readonly origin: ProviderToken | null;
}

/** The content of a new vault entry, and when it expires; null: never. */
export interface VaultContent {
  readonly pan: string;
  readonly ccv: string | null;
  readonly expires: number | null;
}

/** Returns a payment method. Unknown: 404 with code 56; removed: 409 with code 73. */
export function requireMethod(world: World, id: string): PaymentMethod {
  return requireLiveMethod(requireKnownMethod(world, id));
}

/** The method, unless it was removed: 409 with code 73. */
export function requireLiveMethod(method: PaymentMethod): PaymentMethod {
  if (method.dateRemoved === null) return method;
  return refuse(CODE.InvalidPaymentMethodIdRemoved, 'The payment method was removed and cannot be used.');
}

/** Returns a payment method, even a removed one. Unknown: 404 with code 56. */
export function requireKnownMethod(world: World, id: string): PaymentMethod {
  return (
    world.paymentMethods.find(id) ??
    refuseUnknownId(CODE.InvalidPaymentMethodId, id, 'payment method', 'PaymentMethodId')
  );
}

/** Stores a prepared card as a payment method, and in the vault if requested. */
export function commitMethod(
  world: World,
  prepared: PreparedMethod,
  customer: string | null,
  metadata: Metadata | null,
): PaymentMethod {
  const { providerId, source, vault } = prepared;
  const entry = vault ? storeCard(world, vault.pan, vault.ccv, vault.expires) : prepared.entry;
  const method: PaymentMethod = {
    id: world.paymentMethods.nextId,
    index: world.paymentMethods.next,
    customer,
    source,
    providerId,
    vault: entry?.id ?? null,
    dateAdded: world.now,
    dateRemoved: null,
    metadata,
    origin: prepared.origin,
  };
  world.paymentMethods.add(method);
  if (prepared.entry !== null) updateEntry(world, prepared.entry, prepared);
  return method;
}

export function createMethod(
  world: World,
  prepared: PreparedMethod,
  metadata: Metadata | null,
): StoreResult<PaymentMethod> {
  const { answer, source } = prepared;
  const made = isApproved(answer.outcome) ? commitMethod(world, prepared, null, metadata) : null;
  if (made) world.webhooks.notify('paymentMethod.created', made.id, null);
  return { made, answer, source };
}

/** Changed details of a card; null keeps one. */
export interface MethodChange {
  /** MM/YY. */
  readonly expiry: string | null;
  readonly cardholder: string | null;
}

/** Changes the details of a method's card. No change: 400 with code 105; not a card: 400 with 106; removed: 409 with 73. */
export function updateMethod(world: World, id: string, change: MethodChange): PaymentMethod {
  const { expiry, cardholder } = change;
  if (expiry === null && cardholder === null) {
    const detail = 'Send Card with ExpiryDate, Cardholder or both.';
    const reason = 'has neither ExpiryDate nor Cardholder';
    refuseField(CODE.NoDataToUpdateThePaymentMethod, 'Card', reason, detail);
  }
  const method = requireMethod(world, id);
  const card = requireMethodCard(method);
  if (expiry !== null) requireUnexpired(world, expiry, 'Card.ExpiryDate');
  const source = { ...card, expiry: expiry ?? card.expiry, cardholder: cardholder ?? card.cardholder };
  const changed = { ...method, source };
  world.paymentMethods.replace(changed);
  world.webhooks.notify('paymentMethod.updated', method.id, null);
  return changed;
}

function requireMethodCard({ source }: PaymentMethod): Card {
  return (
    findCard(source) ??
    refuse(
      CODE.PaymentMethodMustBeOfTypeCard,
      `The payment method has the type ${source.type}; only cards can be changed.`,
    )
  );
}

/** Removes a method, which can still be read and is no longer a default. Already removed: 409 with code 73. */
export function removeMethod(world: World, id: string): PaymentMethod {
  const method = requireMethod(world, id);
  const removed = markRemoved(world, method);
  const customer = method.customer === null ? undefined : world.customers.find(method.customer);
  if (customer?.defaultMethod === method.id) world.customers.replace({ ...customer, defaultMethod: null });
  world.webhooks.notify('paymentMethod.removed', method.id, null);
  return removed;
}

/** Marks a live method as removed. Its vault entry stays: it may belong to other methods too. */
export function markRemoved(world: World, method: PaymentMethod): PaymentMethod {
  const removed = { ...method, dateRemoved: world.now };
  world.paymentMethods.replace(removed);
  return removed;
}
