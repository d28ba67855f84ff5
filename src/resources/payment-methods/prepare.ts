import { findPaymentType } from '../../core/cards/payment-type.js';
import { CCV_MISFIT, acceptsCcv } from '../../core/cards/card.js';
import { quoteText } from '../../core/text/text.js';
import { CODE, refuse, refuseField } from '../../core/errors.js';
import { presentProviderType } from '../../http/fields/summaries.js';
import { listRecords } from '../../core/store/search.js';
import { isSameProvider } from '../../outcomes/built-in.js';
import type { Override } from '../../outcomes/header.js';
import { ORDINARY_TOKEN, readMagicToken } from '../../outcomes/magic-tokens.js';
import { askStorage } from '../providers/service.js';
import { toBankAccount, toCard, buildPayTo, requireUnexpired } from '../tokens/rules.js';
import { inventSource } from '../tokens/magic.js';
import { isApproved } from '../../outcomes/outcomes.js';
import type { StoreResult } from '../../outcomes/provider.js';
import type { Token } from '../../records/token.js';
import { createToken, type OpenedToken, openToken, spendToken } from '../tokens/service.js';
import type { VaultEntry } from '../../records/vault-entry.js';
import { readExpiry, requireVaultEntry, type VaultRequest } from '../vault/service.js';
import type { World } from '../../world/world.js';
import {
  type BankAccountData,
  type Card,
  type CardData,
  findCard,
  type PayToData,
  type ProviderToken,
  type Source,
} from '../../records/payment-method.js';
import { type PreparedMethod, requireMethod, type VaultContent } from './service.js';

/** Checks a source and asks its provider to store it; nothing is stored in the world yet. */
export type Prepare<C> = (world: World, command: C, override: Override | null) => PreparedMethod;

export const prepareCard: Prepare<{
  providerId: string;
  card: CardData;
  skipExpiry: boolean;
  vault: VaultRequest;
}> = (world, command, override) => {
  const { providerId, card, vault } = command;
  const expires = readExpiry(world, vault.expiry);
  if (!command.skipExpiry) requireUnexpired(world, card.expiry, 'PaymentInformation.ExpiryDate');
  const content = { pan: card.pan, ccv: card.ccv, expires };
  return prepareMethod(world, providerId, toCard(world, card), vault.wanted ? content : null, override);
};

/** Opens a token for storage. This uses it up, even if the provider declines. */
export const prepareToken: Prepare<{ token: string; vault: VaultRequest }> = (world, command, override) => {
  const { vault } = command;
  const expires = readExpiry(world, vault.expiry);
  const opened = openToken(world, command.token);
  const { providerId, source, entry } = opened;
  // A card that was stored in the vault with its token is already there.
  const content = vault.wanted && entry === null ? toVaultContent(opened, expires) : null;
  const prepared = prepareMethod(world, providerId, source, content, override);
  spendToken(world, opened);
  return { ...prepared, entry, expires: vault.wanted ? expires : null };
};

/** The part of a token that is stored in the vault. Only a card can be: otherwise code 106. */
function toVaultContent({ source, pan, ccv }: OpenedToken, expires: number | null): VaultContent {
  return pan === null ? refuseNoCard('token', source) : { pan, ccv, expires };
}

function refuseNoCard(what: string, { type }: Source): never {
  const detail = `The ${what} has the type ${type}; only cards can be stored in the vault.`;
  return refuse(CODE.PaymentMethodMustBeOfTypeCard, detail);
}

export const prepareBankAccount: Prepare<{ providerId: string; account: BankAccountData }> = (
  world,
  command,
  override,
) => {
  return prepareMethod(world, command.providerId, toBankAccount(world, command.account), null, override);
};

/** Asks the provider to start a PayTo agreement. */
export const preparePayTo: Prepare<{ providerId: string; agreement: PayToData }> = (
  world,
  command,
  override,
) => {
  const source = buildPayTo(world, command.agreement, 'paymentMethod', world.paymentMethods.next);
  return prepareMethod(world, command.providerId, source, null, override);
};

interface ProviderTokenCommand {
  readonly providerId: string;
  readonly origin: ProviderToken;
}

/** Asks a provider for a source that it already has. A used single-use token: 400 with code 51. */
export const prepareProviderToken: Prepare<ProviderTokenCommand> = (world, command, override) => {
  const { providerId, origin } = command;
  const source = inventProviderSource(world, providerId, origin.token);
  // A magic token can be used again and again.
  if (origin.singleUse && source.trigger === null && isSpent(world, command)) {
    refuse(CODE.InvalidOrExpiredToken, 'The ProviderToken was already used; it can be used only once.');
  }
  return { ...prepareMethod(world, providerId, source, null, override), origin };
};

function isSpent({ paymentMethods }: World, { providerId, origin }: ProviderTokenCommand): boolean {
  const methods = [...listRecords(paymentMethods.by('providerToken', origin.token))];
  return methods.some(
    (method) => method.origin?.singleUse === true && isSameProvider(method.providerId, providerId),
  );
}

/** The source is invented, because only the provider knows it. Its type is that of a magic token, or else of the provider. */
function inventProviderSource(world: World, providerId: string, token: string): Source {
  const magic = readMagicToken(token);
  if (magic?.kind === 'refused') {
    return refuse(CODE.InvalidOrExpiredToken, `The ProviderToken ${token} is ${magic.reason}.`);
  }
  // The tokens of real providers begin with tok_ too. One without an outcome means an ordinary card.
  const { type, trigger } = magic?.kind === 'token' ? magic.token : ORDINARY_TOKEN;
  const ownType = findPaymentType(presentProviderType(world, providerId));
  return inventSource(world, { type: type === 'CARD' ? ownType : type, trigger });
}

/** The stored card that a new payment method is created from: a payment method's, or a vault entry. */
interface StoredSource {
  readonly paymentMethodId: string | null;
  readonly vaultId: string | null;
  readonly expiry: string | null;
}

/** Asks another provider to store a card. The new method shares the vault entry, which gets the new Ccv. */
export const prepareStored: Prepare<{ providerId: string; source: StoredSource; ccv: string | null }> = (
  world,
  command,
  override,
) => {
  const { providerId, ccv } = command;
  const { card, entry } = requireStoredCard(world, command.source);
  requireFittingCcv(card, ccv);
  requireUnexpired(world, card.expiry, 'ExpiryDate');
  return { ...prepareMethod(world, providerId, card, null, override), entry, ccv };
};

function requireFittingCcv(card: Card, ccv: string | null): void {
  if (ccv === null || acceptsCcv(card.scheme, ccv)) return;
  refuseField(CODE.InvalidCcv, 'Ccv', CCV_MISFIT);
}

function requireStoredCard(world: World, source: StoredSource): { card: Card; entry: VaultEntry } {
  if (source.paymentMethodId === null) return requireNamedEntry(world, source);
  const method = requireMethod(world, source.paymentMethodId);
  const card = findCard(method.source);
  if (card === null) return refuseNoCard('payment method', method.source);
  if (method.vault === null) {
    return refuse(
      CODE.NoVaultIdAssociatedWithThisPaymentMethod,
      'The card of this payment method is not in the vault. Create the payment method with VaultCard true.',
    );
  }
  const entry = requireVaultEntry(world, method.vault);
  requireOwn('VaultId', source.vaultId, entry.id);
  requireOwn('ExpiryDate', source.expiry, card.expiry);
  return { card, entry };
}

/** Refuses a value beside PaymentMethodId that is not that of the payment method. Null is not given. */
function requireOwn(field: 'VaultId' | 'ExpiryDate', given: string | null, own: string): void {
  if (given === null || given === own) return;
  refuseField(
    CODE.ValidationError,
    field,
    `must be ${own}, that of the payment method, or left out, not ${quoteText(given)}`,
  );
}

function requireNamedEntry(
  world: World,
  { vaultId, expiry }: StoredSource,
): { card: Card; entry: VaultEntry } {
  if (vaultId === null || expiry === null) {
    const reason = 'is required unless VaultId and ExpiryDate are sent';
    const detail = 'Send PaymentMethodId, or VaultId with ExpiryDate.';
    return refuseField(CODE.ValidationError, 'PaymentMethodId', reason, detail);
  }
  const entry = requireVaultEntry(world, vaultId);
  return { card: toCard(world, { pan: entry.pan, expiry, ccv: null, cardholder: null }), entry };
}

/** Asks the provider to store a source, and prepares its vault entry. */
export function prepareMethod(
  world: World,
  providerId: string,
  source: Source,
  vault: VaultContent | null,
  override: Override | null,
): PreparedMethod {
  world.requireRoom(world.paymentMethods, 'payment methods');
  if (vault) world.requireRoom(world.vault, 'vault entries');
  const answer = askStorage(world, 'card.store', providerId, source, override);
  return { providerId, source, answer, vault, entry: null, ccv: null, expires: null, origin: null };
}

/** Asks the provider of a payment method for a single-use token of it, for a page that asks its payer for the Ccv again. */
export function tokeniseMethod(
  world: World,
  { paymentMethodId, ccv, ip, metadata }: TokeniseMethodCommand,
  override: Override | null,
): StoreResult<Token> {
  const { providerId, source, vault } = requireMethod(world, paymentMethodId);
  const card = findCard(source);
  if (card !== null) requireFittingCcv(card, ccv);
  world.requireRoom(world.tokens, 'tokens');
  const answer = askStorage(world, 'card.tokenise', providerId, source, override);
  if (!isApproved(answer.outcome)) return { made: null, answer, source };
  const pan = (vault === null ? undefined : world.vault.find(vault))?.pan ?? null;
  const made = createToken(world, { providerId, source, pan, ccv, vault, ip, metadata });
  return { made, answer, source };
}

export interface TokeniseMethodCommand extends Pick<Token, 'ip' | 'metadata'> {
  readonly paymentMethodId: string;
  readonly ccv: string | null;
}
