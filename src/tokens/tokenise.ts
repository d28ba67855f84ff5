import type { CardData, Metadata } from '../payment-methods/record.js';
import { openProvider } from '../providers/service.js';
import type { Override } from '../outcomes/header.js';
import { approved } from '../outcomes/outcomes.js';
import { answerCall } from '../outcomes/provider.js';
import { COMBINED, readExpiry, storeCard, type VaultWish } from '../vault/service.js';
import type { World } from '../world.js';
import { cardOf, requireUnexpired } from './cards.js';
import { createToken, type TokenResult } from './service.js';

/** A card that shall become a token. */
export interface TokeniseCommand {
  readonly providerId: string;
  readonly card: CardData;
  readonly vault: VaultWish;
  readonly ip: string | null;
  readonly metadata: Metadata | null;
}

/** Puts a card to its provider for a token, as the service's script in a customer's browser does. */
export function tokeniseCard(world: World, command: TokeniseCommand, override: Override | null): TokenResult {
  const { providerId, card: data, vault, ip, metadata } = command;
  const configured = openProvider(world, providerId);
  const expires = readExpiry(world, vault.expiry, COMBINED);
  requireUnexpired(world, data.expiry, 'PaymentInformation.ExpiryDate');
  // Limits come before the provider is asked, since that counts and draws.
  world.requireRoom(world.tokens, 'tokens');
  if (vault.wanted) world.requireRoom(world.vault, 'vault entries');
  const source = cardOf(world, data);
  const { trigger } = source;
  const call = { providerId, configured, amountMinor: null, currency: null, trigger, override };
  const answer = answerCall({ operation: 'card.tokenise', ...call }, world.chance);
  if (!approved(answer.outcome)) return { token: null, answer };
  const { pan, ccv } = data;
  const entry = vault.wanted ? storeCard(world, pan, ccv, expires).id : null;
  return { token: createToken(world, { providerId, source, pan, ccv, vault: entry, ip, metadata }), answer };
}
