import { CODE, refuse } from '../../core/errors.js';
import { formatInstant } from '../../core/time/time.js';
import {
  presentCard,
  presentInstant,
  presentPayToStatus,
  presentProvider,
} from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Token } from '../../records/token.js';
import type { Card } from '../../http/answers/answers.js';
import type { TokenDataResponse, TokenResponse } from './schema.js';

export function presentToken(_world: World, token: Token): TokenResponse {
  return {
    TokenId: token.id,
    ProviderId: token.providerId,
    DateAdded: formatInstant(token.dateAdded),
    VaultId: token.vault,
    Type: token.source.type,
    PayToStatus: presentPayToStatus(token.source),
    Ip: token.ip,
    Metadata: token.metadata,
    ClickToPay: null,
    NetworkTokenAuthenticateUrl: null,
    NetworkToken: null,
    NetworkTokenData: null,
    GatewayTokenData: null,
    Card: presentCard(token.source, null),
  };
}

/** A token as the back end reads it, even a used or expired one. */
export function presentTokenData(world: World, token: Token): TokenDataResponse {
  return {
    TokenId: token.id,
    GatewayTokenId: null,
    AccountId: null,
    UserId: null,
    Type: token.source.type,
    Card: presentCard(token.source, null),
    Provider: presentProvider(world, token.providerId),
    DateAdded: formatInstant(token.dateAdded),
    DateUsed: presentInstant(token.dateUsed),
    PayToStatus: presentPayToStatus(token.source),
    Metadata: token.metadata,
    ClickToPay: null,
  };
}

/** The card of a token. Other types have none: 400 with code 58. */
export function presentTokenCard(_world: World, { source }: Token): Card {
  const detail = `The token has the type ${source.type}, which has no card.`;
  return presentCard(source, null) ?? refuse(CODE.InvalidPaymentType, detail);
}
