import { ccvFault } from '../core/card.js';
import { CODE, refuse } from '../core/errors.js';
import type { Override } from '../outcomes/header.js';
import { cardOf, requireUnexpired } from '../tokens/cards.js';
import type { VaultEntry } from '../vault/record.js';
import { replaceCcv, requireEntry } from '../vault/service.js';
import type { World } from '../world.js';
import { type Card, cardIn, type Metadata } from './record.js';
import { askStorage, commitIfApproved, type MethodResult, refuseNoCard, requireMethod } from './service.js';

/** The stored card that a new payment method is made from: by a payment method, or a bare vault entry. */
export interface StoredSource {
  readonly paymentMethodId: string | null;
  readonly vaultId: string | null;
  readonly expiry: string | null;
}

/** Creates a payment method at a provider from a stored card; both share the vault entry. */
export function createFromVault(
  world: World,
  command: { providerId: string; source: StoredSource; ccv: string | null; metadata: Metadata | null },
  override: Override | null,
): MethodResult {
  const { card, entry } = requireStored(world, command.source);
  requireFittingCcv(card, command.ccv);
  requireUnexpired(world, card.expiry, 'ExpiryDate');
  world.requireRoom(world.paymentMethods, 'payment methods');
  const answer = askStorage(world, command.providerId, card, override);
  const prepared = { providerId: command.providerId, source: card, answer, vault: null, entry, origin: null };
  const result = commitIfApproved(world, prepared, command.metadata);
  if (result.method && command.ccv !== null) replaceCcv(world, entry, command.ccv);
  return result;
}

/** Refuses a Ccv of the wrong length for a card that is only known by now. */
function requireFittingCcv(card: Card, ccv: string | null): void {
  if (ccv === null || !ccvFault(ccv, card.scheme)) return;
  const details = { Ccv: 'does not fit the card, three digits are taken, four for American Express' };
  refuse(CODE.InvalidCcv, `Ccv ${details.Ccv}.`, { details });
}

function requireStored(world: World, source: StoredSource): { card: Card; entry: VaultEntry } {
  if (source.paymentMethodId === null) return requireBareEntry(world, source);
  const method = requireMethod(world, source.paymentMethodId);
  const card = cardIn(method.source);
  if (card === null) return refuseNoCard('payment method', method.source);
  if (method.vault === null) {
    return refuse(
      CODE.NoVaultIdAssociatedWithThisPaymentMethod,
      'Its card was not stored. Create the payment method with VaultCard true to use its card again.',
    );
  }
  return { card, entry: requireEntry(world, method.vault) };
}

function requireBareEntry(
  world: World,
  { vaultId, expiry }: StoredSource,
): { card: Card; entry: VaultEntry } {
  if (vaultId === null || expiry === null) {
    return refuse(CODE.ValidationError, 'Send PaymentMethodId, or VaultId with ExpiryDate.', {
      details: { PaymentMethodId: 'is required where VaultId and ExpiryDate do not stand for it' },
    });
  }
  const entry = requireEntry(world, vaultId);
  return { card: cardOf(world, { pan: entry.pan, expiry, ccv: null, cardholder: null }), entry };
}
