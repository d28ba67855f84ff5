import type { CardData } from '../payment-methods/model.js';
import { cardOf, requireUnexpired } from '../payment-methods/service.js';
import { openProvider } from '../provider-accounts/service.js';
import type { Override } from '../providers/header.js';
import { approved } from '../providers/outcomes.js';
import { answerCall, type ProviderAnswer } from '../providers/provider.js';
import type { Token } from '../tokens/model.js';
import { createToken } from '../tokens/service.js';
import type { World } from '../world.js';

/** A token, or null where the provider declined, and what the provider answered. */
export interface TokenResult {
  readonly token: Token | null;
  readonly answer: ProviderAnswer;
}

/** Puts a card to its provider for a token, as the service's script in a customer's browser does. */
export function tokeniseCard(
  world: World,
  command: { providerId: string; card: CardData },
  override: Override | null,
): TokenResult {
  const { providerId, card: data } = command;
  const configured = openProvider(world, providerId);
  requireUnexpired(world, data.expiry, 'PaymentInformation.ExpiryDate');
  // Limits come before the provider is asked, since that counts and draws.
  world.requireRoom(world.tokens, 'tokens');
  const card = cardOf(world, data);
  const call = { providerId, configured, amountMinor: null, currency: null, trigger: card.trigger, override };
  const answer = answerCall({ operation: 'card.tokenise', ...call }, world.chance);
  const secret = { pan: data.pan, ccv: data.ccv };
  const token = approved(answer.outcome) ? createToken(world, { providerId, source: card, ...secret }) : null;
  return { token, answer };
}
