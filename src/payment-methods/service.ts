import { shownId } from '../core/card.js';
import { CODE, refuse } from '../core/errors.js';
import { openProvider } from '../providers/service.js';
import type { Override } from '../outcomes/header.js';
import { approved } from '../outcomes/outcomes.js';
import { answerCall, type ProviderAnswer } from '../outcomes/provider.js';
import { cardOf, requireUnexpired } from '../tokens/cards.js';
import { type OpenedToken, openToken, spendToken } from '../tokens/service.js';
import { COMBINED, readExpiry, storeCard, type VaultWish } from '../vault/service.js';
import type { VaultEntry } from '../vault/record.js';
import type { World } from '../world.js';
import type { CardData, Metadata, PaymentMethod, ProviderToken, Source } from './record.js';

/** A payment method that was stored, and what its provider answered; null where the provider declined. */
export interface MethodResult {
  readonly method: PaymentMethod | null;
  readonly answer: ProviderAnswer;
}

/** A source that passed every check and was put to its provider; nothing is stored yet. */
export interface PreparedMethod {
  readonly providerId: string;
  readonly source: Source;
  readonly answer: ProviderAnswer;
  /** What goes to the vault; null: nothing new. */
  readonly vault: VaultContent | null;
  /** An entry that is there already. */
  readonly entry: VaultEntry | null;
  readonly origin: ProviderToken | null;
}

/** What a new vault entry would hold, and until when; null: until it is deleted. */
interface VaultContent {
  readonly pan: string;
  readonly ccv: string | null;
  readonly expires: number | null;
}

/** The payment method of an identifier; unknown: 404 with code 56, removed: 409 with code 73. */
export function requireMethod(world: World, id: string): PaymentMethod {
  return requireLive(findMethod(world, id));
}

/** The method, unless it was removed: 409 with code 73. */
export function requireLive(method: PaymentMethod): PaymentMethod {
  if (method.dateRemoved === null) return method;
  return refuse(CODE.InvalidPaymentMethodIdRemoved, 'The payment method was removed and cannot be used.');
}

/** The payment method of an identifier, also a removed one; unknown: 404 with code 56. */
export function findMethod(world: World, id: string): PaymentMethod {
  const method = world.paymentMethods.find(id);
  if (method) return method;
  return refuse(CODE.InvalidPaymentMethodId, `There is no payment method ${shownId(id)} in this world.`);
}

/** Checks a card for storage and puts it to its provider. */
export function prepareCard(
  world: World,
  command: { providerId: string; card: CardData; skipExpiry: boolean; vault: VaultWish },
  override: Override | null,
): PreparedMethod {
  const { providerId, card, vault } = command;
  const expires = readExpiry(world, vault.expiry, COMBINED);
  if (!command.skipExpiry) requireUnexpired(world, card.expiry, 'PaymentInformation.ExpiryDate');
  const content = { pan: card.pan, ccv: card.ccv, expires };
  return prepare(world, providerId, cardOf(world, card), vault.wanted ? content : null, override);
}

/** Opens a token for storage; it is spent with this, also when the provider declines. */
export function prepareToken(
  world: World,
  command: { token: string; vault: VaultWish },
  override: Override | null,
): PreparedMethod {
  const { vault } = command;
  const expires = readExpiry(world, vault.expiry, COMBINED);
  const opened = openToken(world, command.token);
  const { providerId, source, entry } = opened;
  // A card that went to the vault with its token is there already.
  const content = vault.wanted && entry === null ? vaultable(opened, expires) : null;
  const prepared = prepare(world, providerId, source, content, override);
  spendToken(world, opened);
  return { ...prepared, entry };
}

/** What of a token goes to the vault; a token of no card is refused with code 106. */
function vaultable({ source, pan, ccv }: OpenedToken, expires: number | null): VaultContent {
  return pan === null ? refuseNoCard('token', source) : { pan, ccv, expires };
}

/** Only cards can be in the vault: 400 with code 106. */
export function refuseNoCard(what: string, { type }: Source): never {
  return refuse(
    CODE.PaymentMethodMustBeOfTypeCard,
    `The ${what} is of the type ${type}; the vault holds cards alone.`,
  );
}

/** Puts a source that may be stored to its provider, and what of it shall go to the vault. */
export function prepare(
  world: World,
  providerId: string,
  source: Source,
  vault: VaultContent | null,
  override: Override | null,
): PreparedMethod {
  world.requireRoom(world.paymentMethods, 'payment methods');
  if (vault) world.requireRoom(world.vault, 'vault entries');
  const answer = askStorage(world, providerId, source, override);
  return { providerId, source, answer, vault, entry: null, origin: null };
}

/** Asks a provider to keep a source for later charges. */
export function askStorage(
  world: World,
  providerId: string,
  source: Source,
  override: Override | null,
): ProviderAnswer {
  const configured = openProvider(world, providerId);
  const { trigger } = source;
  const call = { providerId, configured, amountMinor: null, currency: null, trigger, override };
  return answerCall({ operation: 'card.store', ...call }, world.chance);
}

/** Stores a prepared card as a payment method, and in the vault where that was wished. */
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
  return method;
}

/** Creates a payment method that belongs to no customer from a card. */
export function createFromCard(
  world: World,
  command: {
    providerId: string;
    card: CardData;
    skipExpiry: boolean;
    vault: VaultWish;
    metadata: Metadata | null;
  },
  override: Override | null,
): MethodResult {
  return commitIfApproved(world, prepareCard(world, command, override), command.metadata);
}

/** Stores what its provider took as a method that belongs to no customer. */
export function commitIfApproved(
  world: World,
  prepared: PreparedMethod,
  metadata: Metadata | null,
): MethodResult {
  const { answer } = prepared;
  const method = approved(answer.outcome) ? commitMethod(world, prepared, null, metadata) : null;
  if (method) world.webhooks.tell('paymentMethod.created', method.id, null);
  return { method, answer };
}
