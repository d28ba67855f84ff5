import { formatInstant } from '../core/time.js';
import { presentCard, presentPayToStatus } from '../wire/summaries.js';
import type { World } from '../world.js';
import type { Token } from './model.js';

/** The answer for a token: the card behind it shows as everywhere, with its number masked. */
export function presentToken(world: World, token: Token): object {
  return {
    TokenId: world.tokens.idOf(token.index),
    ProviderId: token.providerId,
    DateAdded: formatInstant(token.dateAdded),
    ExpiresAt: formatInstant(token.expires),
    Type: token.source.type,
    Card: presentCard(token.source, null),
    PayToStatus: presentPayToStatus(token.source),
  };
}
