import { CODE, refuse } from '../../core/errors.js';
import { formatInstant } from '../../core/time/time.js';
import {
  presentAddress,
  presentCard,
  presentInstant,
  presentPayToStatus,
  presentProvider,
  presentProviderType,
} from '../../http/fields/summaries.js';
import { findCard } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import type { Token } from '../../records/token.js';
import type { Card } from '../../http/answers/answers.js';
import type { TokenDataResponse, TokenResponse } from './schema.js';

export function presentToken(world: World, token: Token): TokenResponse {
  return {
    TokenId: token.id,
    ProviderId: token.providerId,
    DateAdded: formatInstant(token.dateAdded),
    VaultId: token.vault,
    Type: token.source.type,
    PayToStatus: presentPayToStatus(token.source),
    Ip: token.ip,
    Metadata: token.metadata,
    ClickToPay: presentClickToPay(token),
    NetworkTokenAuthenticateUrl: null,
    NetworkToken: presentNetworkToken(world, token),
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
    ClickToPay: presentClickToPay(token),
  };
}

function presentNetworkToken(world: World, token: Token): TokenResponse['NetworkToken'] {
  const { networkToken, providerId } = token;
  if (networkToken === null) return null;
  return {
    NetworkTokenId: networkToken,
    SchemeTokenId: null,
    ProviderId: providerId,
    ProviderType: presentProviderType(world, providerId),
    Status: 'ACTIVE',
    DateAdded: formatInstant(token.dateAdded),
    SchemeTokenData: null,
    AuthenticationMethod: null,
  };
}

function presentClickToPay({ clickToPay, source }: Token): TokenResponse['ClickToPay'] {
  const card = findCard(source);
  if (clickToPay === null || card === null) return null;
  return {
    BillingAddress: presentAddress(clickToPay.billingAddress),
    CardData: {
      PanBin: card.iin,
      PanLastFour: card.masked.slice(-4),
      Scheme: card.scheme,
      PaymentCardType: card.funding,
    },
  };
}

/** The card of a token. Other types have none: 400 with code 58. */
export function presentTokenCard(_world: World, { source }: Token): Card {
  const detail = `The token has the type ${source.type}, which has no card.`;
  return presentCard(source, null) ?? refuse(CODE.InvalidPaymentType, detail);
}
